"""The code of all pages runs: Python prints what the page says, commands exist. scripts/checks reads the rest."""

# Requirements: D1, D9, D10, D11, F1, F4

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import documented
import native_build
import origins
import pytest
import selfsame_ffi
import shell_blocks
from repository import ROOT, SUPPORT
from selfsame_ffi import libinfo

WITH_PYTHON = [page for page in documented.SOURCES if documented.python_blocks(page)]
WITH_SHELL = [page for page in documented.WITH_CODE if documented.blocks(page, "sh", "console")]
blocks = documented.blocks
FRONTEND = "github.com/selfsame-ffi/selfsame"
needs_go = pytest.mark.skipif(shutil.which("go") is None, reason="go is not installed")


def run(command, **more):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=1800, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def programs(*folders):
    """An environment whose commands are those of this interpreter and of the folders, without a sanitizer."""
    path = os.pathsep.join([*map(str, folders), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**native_build.compiler_environment(), "PATH": path, "VIRTUAL_ENV": sys.prefix}


@pytest.fixture(scope="module")
def tool():
    try:
        return origins.tool()
    except origins.Unavailable as reason:
        pytest.skip(str(reason))


@needs_go
@pytest.mark.parametrize("page", WITH_SHELL)
def test_commands_exist(page, tool):
    """Subcommands, options, targets and syntax. `make newcomer` runs the second half of start.md, others run below."""
    assert [fault for block in blocks(page, "sh", "console") for fault in shell_blocks.faults(block.text, tool)] == []


@needs_go
def test_commands_that_do_not_exist_are_found(tool):
    for text in (
        "selfsame-ffi no",
        "selfsame-ffi build --no .",
        "make no-such",
        "nothing here",
        "if true",
        "python -m no",
    ):
        assert shell_blocks.faults(text, tool), text


# The preparations of pages whose Python code needs some: each function returns the folders for sys.path, and the
# working folder.


def shop_packages(go_packages, scratch):
    return [go_packages], scratch


def compress_package(go_packages, scratch):
    return [go_packages, origins.compress()], scratch


def guide_package(go_packages, scratch):
    return [origins.build("python/tests/fixtures/pages/guide")], scratch


def prices_library(go_packages, scratch):
    pytest.importorskip("numpy")
    run(
        ["go", "build", "-buildmode=c-shared", "-o", scratch / "libprices.so", "."],
        cwd=documented.CODE / "shop" / "prices",
    )
    return [go_packages], scratch


def skip_without(find):
    """Skips the page where the installation lacks what `find` looks for."""
    try:
        find()
    except RuntimeError as reason:
        pytest.skip(str(reason))


def bank_library(go_packages, scratch):
    """Before the move and after it; the page's own commands build the library."""
    pybind11 = pytest.importorskip("pybind11")  # headers alone
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    skip_without(libinfo.find_cmake_path)
    for path in (documented.CODE / "bank").iterdir():
        shutil.copy(path, scratch)
    (build,) = blocks("docs/from-pybind11.md", "sh")
    run(["bash", "-e", "-c", build.text], cwd=scratch, env=programs())
    includes = [f"-I{native_build.sysconfig.get_paths()['include']}", f"-I{pybind11.get_include()}"]
    command = ["g++", "-std=c++17", "-O0", "-shared", "-fPIC", "-fvisibility=hidden", *includes, "bank_pybind11.cc"]
    run([*command, "-o", "bank_pybind11.so"], cwd=scratch, env=programs())
    return [scratch], scratch


def inline_extensions(go_packages, scratch):
    if shutil.which("ninja") is None:
        pytest.skip("needs ninja")
    skip_without(libinfo.include_paths)
    return [go_packages], scratch


def inline_kernels(go_packages, scratch):
    pytest.importorskip("numpy")
    return inline_extensions(go_packages, scratch)


def clusters(go_packages, scratch):
    """Packages that `make clusters` builds and fetches; scripts/clusters/test_clusters_page.py runs the page there."""
    pytest.skip("make clusters runs it")


def nothing(go_packages, scratch):
    return [], scratch


NEEDS = {
    "docs/clusters.md": clusters,
    "docs/from-ctypes.md": prices_library,
    "docs/from-pybind11.md": bank_library,
    "docs/from-tvm-ffi.md": inline_kernels,
    "docs/go-guide.md": guide_package,
    "docs/go-ownership.md": inline_extensions,
    "docs/security.md": nothing,
    "docs/start.md": compress_package,
}


@needs_go
@pytest.mark.parametrize("page", WITH_PYTHON)
def test_python_code_prints_what_the_page_says(page, go_packages, tmp_path):
    try:
        folders, cwd = NEEDS.get(page, shop_packages)(go_packages, tmp_path)
    except origins.Unavailable as reason:
        pytest.skip(str(reason))
    run([sys.executable, SUPPORT / "page_program.py", page, *folders], cwd=cwd)


def needs_stock():
    """Skips where the published package is not installed; imports it in no case."""
    if importlib.util.find_spec("tvm_ffi") is None:
        pytest.skip("tvm_ffi is not installed")


BOTH = "import selfsame_ffi; selfsame_ffi.install_as_tvm_ffi()\n"


def test_program_for_both_packages_runs_on_both():
    (program,) = [b.text for b in blocks("docs/from-tvm-ffi.md", "python") if b.text.startswith("import tvm_ffi")]
    run([sys.executable, "-c", BOTH + program])
    needs_stock()
    run([sys.executable, "-c", program])


# Says whether `tvm_ffi` is this package, and runs the published package's names.
WHOSE = "import tvm_ffi; print(tvm_ffi.__name__, tvm_ffi.convert([1])[0])"


def test_sitecustomize_moves_a_program_that_cannot_be_changed(tmp_path):
    """The file and the plugin that docs/from-tvm-ffi.md names; without them the program is back where it was."""
    two_lines = "\n".join(line[4:] for line in blocks("docs/from-tvm-ffi.md", "python")[0].text.splitlines()[:2])
    (tmp_path / "sitecustomize.py").write_text(two_lines)
    (tmp_path / "moved.py").write_text(two_lines)
    (tmp_path / "test_it.py").write_text(f"def test_it():\n    {WHOSE}\n    assert 'selfsame' in tvm_ffi.__name__\n")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    assert run([sys.executable, "-c", WHOSE], env=env) == "selfsame_ffi 1\n"
    (tmp_path / "sitecustomize.py").unlink()
    run([sys.executable, "-m", "pytest", "-q", "-p", "moved", "test_it.py"], env=env, cwd=tmp_path)
    needs_stock()
    assert run([sys.executable, "-c", WHOSE], env=env) == "tvm_ffi 1\n"


WHICH_LIBRARY = """
#include <dlfcn.h>
#include <stdio.h>
#include <tvm/ffi/c_api.h>

int main() {
  TVMFFIByteArray name = {"ffi.Array", 9};
  TVMFFIObjectHandle function = nullptr;
  Dl_info found;
  if (TVMFFIFunctionGetGlobal(&name, &function) != 0 || function == nullptr) return 1;
  if (dladdr(reinterpret_cast<void*>(&TVMFFIObjectDecRef), &found) == 0) return 2;
  puts(found.dli_fname);
  return TVMFFIObjectDecRef(function);
}
"""


@pytest.mark.skipif(sys.platform != "linux", reason="LD_LIBRARY_PATH")
def test_a_cpp_program_that_was_linked_to_the_published_library_runs_on_this_one(tmp_path):
    """With the command of docs/from-tvm-ffi.md."""
    needs_stock()
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    skip_without(libinfo.include_paths)
    package = Path(importlib.util.find_spec("tvm_ffi").origin).parent
    (tmp_path / "program.cc").write_text(WHICH_LIBRARY)
    includes = [f"-I{path}" for path in libinfo.include_paths()]
    library = package / "lib" / "libtvm_ffi.so"
    env = programs()
    run(["g++", "-O0", "-std=c++17", *includes, "program.cc", library, "-ldl", "-o", "program"], cwd=tmp_path, env=env)
    published = run(["./program"], cwd=tmp_path, env={**env, "LD_LIBRARY_PATH": str(library.parent)})
    assert Path(published.strip()).parent == library.parent
    (command,) = [b.text for b in blocks("docs/from-tvm-ffi.md", "sh") if "LD_LIBRARY_PATH" in b.text]
    ours = run(["bash", "-e", "-c", command], cwd=tmp_path, env=env)
    assert Path(ours.strip()).parent == Path(selfsame_ffi.__file__).parent / "lib"


def test_json_graphs_go_back_to_the_published_package():
    needs_stock()
    write = "from tvm_ffi import convert, serialization as s\nprint(s.to_json_graph_str(convert({'a': [1, 'b']})))"
    read = (
        "import sys\nfrom tvm_ffi import serialization as s\nprint(list(s.from_json_graph_str(sys.stdin.read())['a']))"
    )
    assert run([sys.executable, "-c", read], input=run([sys.executable, "-c", BOTH + write])) == "[1, 'b']\n"


@needs_go
@pytest.mark.parametrize(
    ("page", "program"), [("docs/bindings.md", None), ("docs/start.md", "examples/geo/cpp/main.cc")]
)
def test_commands_for_cpp_work(page, program, tool, tmp_path):
    """The first block that binds geo for C++, in a folder with the package and the program."""
    skip_without(libinfo.include_paths)
    (commands,) = [block.text for block in blocks(page, "sh") if "bind --cpp" in block.text]
    text = (ROOT / program).read_text() if program else blocks(page, "cpp")[0].text
    (tmp_path / "main.cc").write_text(text)
    shutil.copytree(ROOT / "examples" / "geo", tmp_path / "geo", ignore=shutil.ignore_patterns("rust", "cpp"))
    (tmp_path / "geo" / "go.mod").rename(tmp_path / "go.mod")
    run(["go", "mod", "edit", "-module=example.com/geo", f"-replace={FRONTEND}={ROOT}"], cwd=tmp_path)
    run(["bash", "-e", "-c", commands], cwd=tmp_path, env=programs(tool.parent))


@needs_go
def test_inspect_prints_what_shipping_says(tool, tmp_path):
    """For the package that `new` makes, apart from versions and the folder."""
    (block,) = (block for block in blocks("docs/shipping.md", "text") if block.text.startswith("$ "))
    command, *said = block.text.splitlines()
    assert command == "$ selfsame-ffi inspect build/develop/accounts"
    env = programs(tool.parent)
    run([tool, "new", "accounts", "--replace", ROOT], cwd=tmp_path, env=env)
    run([tool, "build", ".", "-o", "build/develop"], cwd=tmp_path / "accounts", env=env)
    printed = run([tool, *command.split()[2:]], cwd=tmp_path / "accounts", env=env).splitlines()
    versions = re.compile(r"[\d.]+\d")
    assert [versions.sub("N", line) for line in printed] == [versions.sub("N", line) for line in said]
