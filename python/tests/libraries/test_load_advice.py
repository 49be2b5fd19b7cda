"""Each way in which an import fails on a new user's machine says what to do next."""

# Requirements: F5, G4

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import native_build
import pytest
import selfsame_ffi

PACKAGE = Path(selfsame_ffi.__file__).parent
ELF_MACHINE = 18  # the offset of the processor in an ELF file


def library(folder, name, *options, source="int f(void) { return 0; }", **files):
    path = folder / name
    for file, text in files.items():
        (folder / file).write_text(text)
    command = ["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(path), *options]
    subprocess.run(command, input=source, text=True, check=True, cwd=folder, env=native_build.compiler_environment())
    return path


def of_a_newer_system(folder, name):
    """A library that needs a glibc which no system has."""
    versions = "GLIBC_2.999 { global: other; };\n"
    make_libc = ["-nostdlib", "-Wl,-soname,libc.so.6", "-Wl,--version-script=versions"]
    libc = library(folder, "libc.so.6", *make_libc, source="int other(void) { return 0; }", versions=versions)
    needy = "int other(void);\nint f(void) { return other(); }"
    found = library(folder, name, "-x", "none", str(libc), source=needy)
    libc.unlink()
    return found


def of_another_processor(folder, name):
    path = library(folder, name)
    data = bytearray(path.read_bytes())
    data[ELF_MACHINE : ELF_MACHINE + 2] = (243).to_bytes(2, "little")  # RISC-V
    path.write_bytes(data)
    return path


def needs_a_library_that_is_gone(folder, name):
    other = library(folder, "libother.so", "-Wl,-soname,libother.so", source="int other(void) { return 0; }")
    needy = "int other(void);\nint f(void) { return other(); }"
    found = library(folder, name, "-x", "none", str(other), source=needy)
    other.unlink()
    return found


def cut_off(folder, name):
    path = library(folder, name, source="int data[40000] = {1};")
    path.write_bytes(path.read_bytes()[:-100000])  # what it has as data ends before the header says
    return path


def empty(folder, name):
    path = folder / name
    path.write_bytes(b"")
    return path


CASES = [
    (of_a_newer_system, "it was built on a newer system, with glibc 2.999: build it for older ones"),
    (of_another_processor, "the file is there and is for another processor than this one: install a wheel"),
    (needs_a_library_that_is_gone, "install the library libother.so (`selfsame-ffi doctor "),
    (cut_off, "the file is cut off: see that the disk has room, and build, copy or install it again"),
    (empty, "the file is cut off: see that the disk has room"),
]


@pytest.mark.parametrize(("make", "told"), CASES, ids=[make.__name__ for make, _ in CASES])
def test_library_that_cannot_be_loaded_comes_with_a_hint(make, told, tmp_path):
    path = make(tmp_path, "_x.so")
    with pytest.raises(ImportError) as raised:
        selfsame_ffi.load_extension(path)
    assert str(raised.value).startswith("load_extension: ") and str(path) in str(raised.value)
    assert told in str(raised.value)
    assert raised.value.__suppress_context__ or raised.value.__context__ is None


def test_library_that_needs_a_later_release_says_what_to_install(tmp_path):
    major, minor, patch = map(int, selfsame_ffi._core.__version__.split("-")[0].split("."))
    plain = library(tmp_path, "_x.so")
    later = [
        f"{major + 1}.0.0",
        f"{major}.{minor + 1}.0-rc1",
        f"{major}.{minor}.{patch + 1}",
        f"{major}.{minor + 10}.0",
    ]
    for requires in later:
        with pytest.raises(ImportError) as raised:
            selfsame_ffi.load_extension(plain, requires=requires)
        assert str(raised.value) == (
            f"load_extension: {plain} needs selfsame-ffi {requires} or later, and this Python has "
            f"{selfsame_ffi._core.__version__}; run `python -m pip install --upgrade 'selfsame-ffi>={requires}'`, or "
            "install a wheel of it"
        )
    for requires in ("", f"{major}.{minor}.{patch}", "0.0.99"):  # the library is looked at, which is no extension
        with pytest.raises(ImportError, match="SelfsameExtensionInit"):
            selfsame_ffi.load_extension(plain, requires=requires)
    for wrong in ("2", "new", 2):
        with pytest.raises(ValueError, match=r"argument 'requires': expected a version such as '0\.2\.0', got "):
            selfsame_ffi.load_extension(plain, requires=wrong)


def gone(folder, name):
    return folder / name


OF_THE_RUNTIME = [case for case in CASES if case[0] is not needs_a_library_that_is_gone]
OF_THE_RUNTIME += [
    (gone, "the variable SELFSAME_LIBRARY names it: correct it, or unset it"),
    (library, "it is no selfsame runtime of this version; the variable SELFSAME_LIBRARY names it"),
]


@pytest.mark.parametrize(("make", "told"), OF_THE_RUNTIME, ids=[make.__name__ for make, _ in OF_THE_RUNTIME])
def test_runtime_that_cannot_be_loaded_comes_with_a_hint(make, told, tmp_path, monkeypatch):
    monkeypatch.setenv("SELFSAME_LIBRARY", str(make(tmp_path, "libselfsame.so")))
    failed = subprocess.run([sys.executable, "-c", "import selfsame_ffi"], text=True, capture_output=True)
    assert failed.returncode == 1
    assert "ImportError: selfsame_ffi: " in failed.stderr and told in failed.stderr


def test_package_without_its_runtime_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.delenv("SELFSAME_LIBRARY", raising=False)
    folder = tmp_path / "selfsame_ffi"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("lib", "bin", "include", "share", "__pycache__"))
    command = [sys.executable, "-c", "import sys; sys.path.insert(0, sys.argv[1]); import selfsame_ffi"]
    failed = subprocess.run([*command, str(tmp_path)], text=True, capture_output=True, cwd=tmp_path)
    assert failed.returncode == 1
    assert "this installation is not whole: run `python -m pip install --force-reinstall selfsame-ffi`" in failed.stderr


@pytest.fixture
def sources(tmp_path):
    """The package without its C core, and the error of its import."""
    folder = tmp_path / "sources" / "selfsame_ffi"
    folder.mkdir(parents=True)
    for path in PACKAGE.rglob("*.py"):
        (folder / path.relative_to(PACKAGE)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / path.relative_to(PACKAGE))

    def error():
        command = [sys.executable, "-c", "import sys; sys.path.insert(0, sys.argv[1]); import selfsame_ffi"]
        failed = subprocess.run([*command, str(folder.parent)], text=True, capture_output=True, cwd=tmp_path)
        assert failed.returncode == 1
        return failed.stderr.splitlines()[-1]

    return folder, error


def test_sources_that_were_not_built_say_so(sources):
    folder, error = sources
    assert f"{folder} has sources that were not built: run `pip install -e .`" in error()
    (folder / "_core").mkdir()  # as in a clone, which has the C sources there
    (folder / "_core" / "module.c").write_text("")
    assert error().startswith("ImportError: selfsame_ffi: the C core was not built; ")


def test_core_of_another_python_is_named(sources):
    folder, error = sources
    (folder / "_core.cpython-38-x86_64-linux-gnu.so").write_bytes(b"")
    told = error()
    assert "this installation is for another Python or machine (_core.cpython-38-x86_64-linux-gnu.so, not _core" in told
    assert "pip install --force-reinstall selfsame-ffi" in told


def test_core_that_needs_a_newer_glibc_is_explained(sources, tmp_path):
    folder, error = sources
    core = of_a_newer_system(tmp_path, "core.so")
    shutil.copy(core, folder / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}")
    assert "it was built on a newer system, with glibc 2.999" in error()
