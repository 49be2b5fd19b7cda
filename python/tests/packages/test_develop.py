"""Packages of ``selfsame-ffi develop`` are built again at an import, and a changed library is not loaded again."""

# Requirements: F7, G1

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import selfsame_ffi_develop
from repository import ROOT

MODULE = "import selfsame_ffi_develop; selfsame_ffi_develop.watch('geo', {stamp!r})\n"


class Package:
    """A package `geo` whose build copies geo.go to the module, and fails when it has the word `wrong`."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "source"
        self.out = folder / "out"
        self.stamp = self.out / "geo.json"
        self.source.mkdir()
        (self.out / "geo").mkdir(parents=True)
        self.log = folder / "log"
        self.build = folder / "build.py"
        self.build.write_text(
            "import json, os, sys\n"
            "from pathlib import Path\n"
            f"text = Path({str(self.source / 'geo.go')!r}).read_text()\n"
            f"with open({str(self.log)!r}, 'a') as log: log.write('built\\n')\n"
            "if 'wrong' in text: sys.exit('geo.go:1: it is wrong')\n"
            f"Path({str(self.out / 'geo' / '__init__.py')!r}).write_text(text)\n"
            f"stamp = json.loads(Path({str(self.stamp)!r}).read_text())\n"
            f"file = {str(self.source / 'geo.go')!r}\n"
            "stamp['state'] = {file: [os.stat(file).st_mtime_ns, os.stat(file).st_size]}\n"
            f"Path({str(self.stamp)!r}).write_text(json.dumps(stamp))\n"
        )
        self.write("answer = 1\n")
        self.stamp.write_text(
            json.dumps(
                {
                    "command": [sys.executable, str(self.build)],
                    "folders": [str(self.source)],
                    "suffixes": [".go", ".c"],
                    "files": [str(self.source / "go.mod")],
                    "state": {},
                }
            )
        )

    def write(self, text: str) -> None:
        (self.source / "geo.go").write_text(text)

    def run(self, code: str) -> subprocess.CompletedProcess[str]:
        program = MODULE.format(stamp=str(self.stamp)) + code
        return subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, timeout=1800)

    def builds(self) -> int:
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0


@pytest.fixture
def package(tmp_path: Path) -> Package:
    return Package(tmp_path)


def test_an_import_builds_what_has_changed_and_nothing_else(package: Package) -> None:
    first = package.run("import geo; print(geo.answer)")
    assert (first.stdout, package.builds()) == ("1\n", 1), first.stderr
    assert "geo has changed, building it again" in first.stderr
    (package.source / "geo_test.go").write_text("a test")
    (package.source / "notes.txt").write_text("no source")
    assert package.run("import geo; print(geo.answer)").stdout == "1\n"
    assert package.builds() == 1
    package.write("answer = 22\n")
    code = "import sys; sys.dont_write_bytecode = True; import geo; print(geo.answer)"
    assert package.run(code).stdout == "22\n"
    assert package.builds() == 2


def test_a_build_that_fails_is_an_import_error_with_the_messages(package: Package) -> None:
    package.write("wrong\n")
    failed = package.run("import geo")
    assert "ImportError: geo has changed and cannot be built:\ngeo.go:1: it is wrong" in failed.stderr
    package.stamp.write_text(json.dumps({**json.loads(package.stamp.read_text()), "command": ["/no/such/tool"]}))
    assert "ImportError: geo cannot be built again" in package.run("import geo").stderr


def test_an_installation_by_pip_builds_with_the_tool_and_programs_of_its_environment(
    package: Package, tmp_path: Path
) -> None:
    site, programs = tmp_path / "site", Path(sysconfig.get_path("scripts"))
    tool = site / "selfsame_ffi" / "bin" / "selfsame-ffi"
    tool.parent.mkdir(parents=True)
    shutil.copy2(selfsame_ffi_develop.__file__, site)
    tool.write_text(f'#!/bin/sh\necho "$PATH" >{tmp_path / "path"}\nexec {sys.executable} {package.build} "$@"\n')
    tool.chmod(0o755)
    stamp = json.loads(package.stamp.read_text())
    package.stamp.write_text(json.dumps({**stamp, "command": ["selfsame-ffi", "develop", "--again"]}))
    code = f"import sys; sys.path.insert(0, {str(site)!r})\n{MODULE.format(stamp=str(package.stamp))}"
    code += "import geo; print(geo.answer)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "1\n", done.stderr
    assert str(programs) in (tmp_path / "path").read_text().strip().split(os.pathsep)
    tool.unlink()
    package.write("answer = 2\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "this Python has no tool" in done.stderr
    assert "install a wheel of selfsame-ffi" in done.stderr


def test_other_imports_do_not_look_at_the_sources(package: Package) -> None:
    done = package.run("import json, sys; print('subprocess' in sys.modules, 'fcntl' in sys.modules)")
    assert (done.stdout, package.builds()) == ("False False\n", 0)


TAKEN = """
#include <selfsame/c_api.h>
__attribute__((visibility("default"))) int SelfsameExtensionInit(void) {
  if (FAILS) TVMFFIErrorSetRaisedFromCStr("RuntimeError", ERROR);
  return FAILS;
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            "selfsame: class `a.P` is already registered",
            r"_second.so registers the class a.P, .*give one of them another name",
        ),
        (
            "selfsame: class `a.P` is already registered by another library, for its other.P",
            r"_second.so registers the class a.P, as .* \(one of .*_first.so.*\), for its other.P$",
        ),
    ],
)
def test_a_name_that_another_library_has_registered_is_an_import_error(
    tmp_path: Path, error: str, expected: str
) -> None:
    import selfsame_ffi

    for name, fails in (("_first.so", "0"), ("_second.so", "-1")):
        command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(tmp_path / name)]
        flags = [f"-I{ROOT / 'abi/include'}", f"-DFAILS={fails}", f'-DERROR="{error}"']
        subprocess.run([*command, *flags], input=TAKEN, text=True, check=True)
    selfsame_ffi.load_extension(tmp_path / "_first.so")
    with pytest.raises(ImportError, match=expected):
        selfsame_ffi.load_extension(tmp_path / "_second.so")


LIBRARY = '__attribute__((visibility("default"))) int SelfsameExtensionInit(void) { return %d - %d; }\n'


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_library_that_changed_is_not_loaded_again(tmp_path: Path) -> None:
    library = tmp_path / "_geo.so"

    def compile(number: int) -> None:
        other = tmp_path / "other.so"
        command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(other)]
        subprocess.run(command, input=LIBRARY % (number, number), text=True, check=True)
        os.replace(other, library)

    compile(1)
    import selfsame_ffi

    selfsame_ffi.load_extension(library)
    selfsame_ffi.load_extension(str(library))
    compile(2)
    with pytest.raises(ImportError, match="_geo.so has changed since this process loaded it.*start a new process"):
        selfsame_ffi.load_extension(library)
    library.unlink()
    with pytest.raises(ImportError):
        selfsame_ffi.load_extension(library)
