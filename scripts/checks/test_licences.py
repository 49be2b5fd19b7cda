"""scripts/licences.py: licences inside of modules, and of Go itself."""

from __future__ import annotations

from scripts import licences
from scripts.tools.commands import ROOT

GRANTED = "// Copyright 1999 Somebody.\n//\n// Permission to use this file is freely granted.\n"


def test_folders_and_files_of_a_module_have_licences_of_their_own(tmp_path):
    folder = tmp_path / "inside" / "deep"
    folder.mkdir(parents=True)
    (tmp_path / "LICENSE").write_text("the module's\n")
    (tmp_path / "inside" / "LICENSE_V8").write_text("the folder's\n")
    (folder / "a.go").write_text("// Copyright 2009 The Module. See LICENSE.\n\npackage deep\n\n" + GRANTED)
    (folder / "b.s").write_text(
        "/*\n * Algorithm.\n * ====\n * Copyright 1993 Somebody.\n * Permission to use it.\n * ====\n */\n"
    )
    project = licences.Project(tmp_path)
    project.look({"Dir": str(folder), "GoFiles": ["a.go"], "SFiles": ["b.s"]})
    assert project.licences == {
        "the module's": {"LICENSE"},
        "the folder's": {"inside/LICENSE_V8"},
        "Copyright 1999 Somebody.\n\nPermission to use this file is freely granted.": {"inside/deep/a.go"},
        "Copyright 1993 Somebody.\nPermission to use it.": {"inside/deep/b.s"},
    }


def test_the_file_has_those_of_go_and_of_code_inside_of_modules():
    parts = (ROOT / "LICENSE-third-party").read_text(encoding="utf-8").split(licences.RULE)
    heads = [part.partition("\n")[0] for part in parts]
    assert heads.count(licences.STANDARD) == 2  # the licence and the grant of patents
    for place in ("(ftoa/LICENSE_LUCENE)", "(ftoa/internal/fast/LICENSE_V8)", "(src/runtime/memmove_amd64.s)"):
        assert any(head.endswith(place) for head in heads), place
