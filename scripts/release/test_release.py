"""The changelog, the bill of materials, the signature, and the comparison of wheels of `make release-check`."""

# Requirement: F5

from __future__ import annotations

import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from scripts.release import changelog, check, sbom, signing
from scripts.release.reproducible import differences
from scripts.tools.commands import ROOT, Failed


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a version, a changelog and two fragments."""
    header = tmp_path / "abi/include/selfsame/version.h"
    header.parent.mkdir(parents=True)
    header.write_text('#define SELFSAME_VERSION "0.3.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\nText.\n\n## 0.2.0 (2026-12-01)\n\n### New\n\n* first\n")
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes/README.md").write_text("How.\n")
    (tmp_path / "changes/b.fixed.md").write_text("A leak is gone.\n")
    (tmp_path / "changes/a.breaking.md").write_text("`List.Old` is gone:\nuse `List.New`.\n")
    return tmp_path


def test_this_project_has_notes_for_its_version() -> None:
    changelog.sections((ROOT / "CHANGELOG.md").read_text())
    assert changelog.notes(changelog.version())


def test_release_takes_its_notes_from_the_fragments(project: Path) -> None:
    expected = "### Breaking changes\n\n* `List.Old` is gone:\n  use `List.New`.\n\n### Fixed\n\n* A leak is gone.\n"
    assert changelog.notes("0.3.0", project) == expected
    changelog.release("2027-01-31", project)
    assert [path.name for path in (project / "changes").iterdir()] == ["README.md"]
    assert changelog.notes("0.3.0", project) == expected
    assert list(changelog.sections((project / "CHANGELOG.md").read_text())) == ["0.3.0", "0.2.0"]
    with pytest.raises(Failed, match="has a section 0.3.0 already"):
        changelog.release("2027-01-31", project)


@pytest.mark.parametrize(
    ("name", "text", "wrong"),
    [
        ("x.md", "Text.", "expected TOPIC.KIND.md"),
        ("x.new.md", "Text.", "expected TOPIC.KIND.md"),
        ("x.added.md", "", "expected one paragraph"),
        ("x.added.md", "* an item", "expected one paragraph"),
        ("x.added.md", "Two.\n\nParagraphs.", "expected one paragraph"),
    ],
)
def test_fragments_that_are_not_well_formed_are_named(project: Path, name: str, text: str, wrong: str) -> None:
    (project / "changes" / name).write_text(text)
    with pytest.raises(Failed, match=f"changes/{re.escape(name)}: {wrong}"):
        changelog.notes("0.3.0", project)


def test_releases_out_of_order_are_refused() -> None:
    with pytest.raises(Failed, match="the newest first"):
        changelog.sections("## 0.2.0 (2026-12-01)\n\n## 0.3.0 (2027-01-31)\n")


def test_checksums_are_signed_and_a_change_is_found(tmp_path: Path) -> None:
    files, key = tmp_path / "files", tmp_path / "key"
    files.mkdir()
    (files / "x.whl").write_bytes(b"contents")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key], check=True)
    signers = tmp_path / "signers"
    signers.write_text(f"releases {key.with_suffix('.pub').read_text()}")
    assert not signing.sign(files, None)
    assert not signing.verify(files, signers, "releases")
    assert signing.sign(files, key)
    assert signing.verify(files, signers, "releases")
    assert not signing.verify(files, signers, "others")
    subprocess.run(["sha256sum", "-c", signing.SUMS], cwd=files, check=True, capture_output=True)
    (files / "x.whl").write_bytes(b"changed")
    assert not signing.verify(files, signers, "releases")


def test_files_that_differ_between_two_wheels_are_named(tmp_path: Path) -> None:
    def wheel(name: str, contents: dict[str, str], year: int = 2026) -> Path:
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for file, text in contents.items():
                archive.writestr(zipfile.ZipInfo(file, (year, 1, 1, 0, 0, 0)), text)
        return tmp_path / name

    first = wheel("1.whl", {"a": "1", "b": "2"})
    assert differences(first, wheel("2.whl", {"a": "1", "b": "2"})) == []
    assert differences(first, wheel("3.whl", {"a": "1", "b": "3", "c": ""})) == ["c", "b"]
    assert differences(first, wheel("4.whl", {"a": "1", "b": "2"}, 2027)) == ["order and times"]


def test_wheels_that_were_built_once_only_are_named(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, names in ((first, "ab"), (second, "bc")):
        folder.mkdir()
        for name in names:
            with zipfile.ZipFile(folder / f"{name}.whl", "w") as archive:
                archive.writestr(zipfile.ZipInfo("file", (2026, 1, 1, 0, 0, 0)), "text")
    with pytest.raises(Failed, match=r"a\.whl was built once\nc\.whl was built once$"):
        check.same_bytes(first, list(second.iterdir()))
    with pytest.raises(Failed, match="no wheels"):
        check.same_bytes(tmp_path, [])
    (first / "a.whl").unlink()
    (second / "c.whl").unlink()
    assert check.same_bytes(first, list(second.iterdir())) == "1 wheels are the same bytes"


def test_bill_of_materials_names_what_is_linked(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "tool: go1.26.8\n\tpath\tx\n\tdep\texample.com/a\tv1.2.3\th1:abc=\n\tdep\texample.com/b\tv0.1.0\n"
    monkeypatch.setattr(sbom, "run", lambda *_: said)
    bill = sbom.bill(Path("tool"), Path("library"))
    parts = {part["purl"]: part for part in bill["components"]}
    wanted = {"pkg:golang/std@1.26.8", "pkg:golang/example.com/a@v1.2.3", "pkg:golang/example.com/b@v0.1.0"}
    assert wanted <= set(parts) and len(parts) == len(bill["components"])
    assert parts["pkg:golang/example.com/a@v1.2.3"]["properties"] == [{"name": "go:sum", "value": "h1:abc="}]
    assert any(purl.startswith("pkg:pypi/apache-tvm-ffi@") for purl in parts)
    assert {"pkg:generic/dagre", "pkg:generic/svg-pan-zoom"} <= set(parts)
    assert bill["metadata"]["component"]["version"] == changelog.version()
    assert set(bill["dependencies"][0]["dependsOn"]) == set(parts)
