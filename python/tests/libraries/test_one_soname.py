"""Programs and libraries find a runtime by one name, libtvm_ffi.so, whichever library they were linked to.

A process ends up with one runtime, or the load that would bring another in is refused.
"""

# Requirement: E5

import importlib.util
import os
import subprocess
import sys
import sysconfig
import textwrap
from pathlib import Path

import native_build
import pytest
import selfsame_ffi._load.runtime
from repository import FIXTURES

if importlib.util.find_spec("tvm_ffi") is None:
    pytest.skip("tvm_ffi is not installed", allow_module_level=True)

OURS = Path(selfsame_ffi._load.runtime.library_path()).parent
STOCK = Path(importlib.util.find_spec("tvm_ffi").submodule_search_locations[0]) / "lib"
SOURCES = FIXTURES / "native"

# How a user names the library to the linker, by the folder and the name after -l.
LINKED = {"ours": (OURS, "tvm_ffi"), "ours as selfsame": (OURS, "selfsame"), "stock": (STOCK, "tvm_ffi")}
INSTALLED = {"ours": OURS, "stock": STOCK}

if not (OURS / "libtvm_ffi.so").exists():
    pytest.skip(f"{OURS} is not the package's folder", allow_module_level=True)


def run(code: str, *args: object, then: str = "", **environment: str) -> str:
    """Run a program, and `then` behind it, in a process of its own."""
    command = [sys.executable, "-c", textwrap.dedent(code) + then, *(str(arg) for arg in args)]
    environment = {**os.environ, **environment}
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, env=environment)
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stdout}{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """A function that compiles a source, linked to one of LINKED, and returns the path of the result."""
    folder = tmp_path_factory.mktemp("linked")
    built: dict = {}

    def compile_(source: str, linked: str, *flags: str) -> Path:
        target = folder / f"{Path(source).stem}-{linked.replace(' ', '-')}.so"
        if target not in built:
            libraries, name = LINKED[linked]
            command = [os.environ.get("CXX", "g++"), "-std=c++17", "-w", f"-I{native_build.headers()}", *flags]
            command += [str(SOURCES / source), "-o", str(target), f"-L{libraries}", f"-l{name}", "-pthread"]
            subprocess.run(command, check=True, env=native_build.compiler_environment())
            built[target] = True
        return target

    return compile_


@pytest.fixture(params=list(LINKED))
def extension(build, request):
    """A library of classes and functions with the keys ``linked.*``, and a NEEDED entry for the runtime."""
    flags = ["-shared", "-fPIC", "-fvisibility=hidden", '-DORIGIN="linked"']
    path = build("origin.cc", request.param, *flags)
    needed = subprocess.run(["readelf", "-dW", str(path)], capture_output=True, text=True, check=True).stdout
    assert "[libtvm_ffi.so]" in needed and "[libselfsame.so]" not in needed
    return path


USE = """
make, echo = selfsame_ffi.get_global_func("linked.make"), selfsame_ffi.get_global_func("linked.echo")
node = make(3, None)
assert echo(node) is node and node.value == 3
runtimes = {line.split()[-1] for line in open("/proc/self/maps") if "libtvm_ffi.so" in line}
assert runtimes == {selfsame_ffi._load.runtime.library_path()}, runtimes
"""


@pytest.mark.parametrize("linked", LINKED)
@pytest.mark.parametrize("installed", INSTALLED)
def test_program_runs_on_either_runtime(build, linked, installed):
    program = build("linked_program.cc", linked)
    environment = {**os.environ, "LD_LIBRARY_PATH": str(INSTALLED[installed])}
    out = subprocess.run([str(program)], capture_output=True, text=True, env=environment)
    assert (out.returncode, out.stdout) == (0, "3 KeyError\n"), out.stderr


def test_linked_library_is_loaded_by_selfsame(extension):
    run("import sys, selfsame_ffi\nselfsame_ffi.load_module(sys.argv[1])", extension, then=USE)


@pytest.mark.parametrize("mode", ["RTLD_LOCAL", "RTLD_GLOBAL"])
def test_linked_library_is_opened_by_ctypes(extension, mode):
    """As PyTorch's load_library does."""
    run(f"import ctypes, sys, selfsame_ffi\nctypes.CDLL(sys.argv[1], ctypes.{mode})", extension, then=USE)


def test_linked_library_is_loaded_by_stock(extension):
    run(
        """
        import sys, tvm_ffi
        tvm_ffi.load_module(sys.argv[1])
        assert tvm_ffi.get_global_func("linked.make")(3, None).value == 3
        """,
        extension,
    )


def test_linked_library_after_stock_is_refused(extension):
    out = run(
        """
        import sys, tvm_ffi, selfsame_ffi
        try:
            selfsame_ffi.load_module(sys.argv[1])
        except ImportError as error:
            print(error)
        """,
        extension,
    )
    assert "import selfsame_ffi before tvm_ffi" in out


def test_both_names_open_one_library():
    run(
        """
        import ctypes, os, sys, selfsame_ffi
        folder = os.path.dirname(selfsame_ffi._load.runtime.library_path())
        addresses = {
            ctypes.cast(ctypes.CDLL(os.path.join(folder, name)).TVMFFIGetVersion, ctypes.c_void_p).value
            for name in ("libtvm_ffi.so", "libselfsame.so")
        }
        assert len(addresses) == 1
        """
    )


@pytest.mark.parametrize("name", ["libselfsame.so", "libtvm_ffi.so"])
def test_program_opens_the_library_by_either_name(name):
    """Without anything else of the package. dlsym finds the functions of the C++ interface as well."""
    run(
        """
        import ctypes, sys
        library = ctypes.CDLL(sys.argv[1])
        version = (ctypes.c_uint32 * 3)()
        library.TVMFFIGetVersion(version)
        assert tuple(version) > (0, 1, 0), tuple(version)
        library["_ZN3tvm3ffi9ReprPrintERKNS0_3AnyE"], library["_ZTVN3tvm3ffi9ModuleObjE"]
        """,
        OURS / name,
    )


TOGETHER = """
assert list(tvm_ffi.convert([1, 2])) == [1, 2]
ours = selfsame_ffi.convert([1])
assert selfsame_ffi.convert(lambda x: x)(ours) is ours
"""

SHARED = """
tvm_ffi.register_global_func("shared.twice", lambda x: [x, x])
pair = selfsame_ffi.get_global_func("shared.twice")(ours)
assert pair[0] is pair[1] is ours
selfsame_ffi.register_global_func("shared.second", lambda items: items[1])
assert tvm_ffi.get_global_func("shared.second")(tvm_ffi.convert(["a", "b"])) == "b"
def fail():
    raise KeyError("text")
tvm_ffi.register_global_func("shared.fail", fail)
try:
    selfsame_ffi.get_global_func("shared.fail")()
    raise SystemExit("no error")
except KeyError as error:
    assert "text" in str(error), error
"""


def test_stock_package_after_selfsame_uses_its_runtime():
    out = run("import selfsame_ffi, tvm_ffi", then=TOGETHER + SHARED + "print('one runtime')")
    assert out == "one runtime\n"


def test_stock_package_before_selfsame_keeps_its_own():
    run("import tvm_ffi, selfsame_ffi", then=TOGETHER)


def test_stock_library_opened_after_selfsame():
    """By its path, which the linker does not compare with the SONAME of what is loaded."""
    run(
        """
        import ctypes, sys, selfsame_ffi
        before = {name: selfsame_ffi.get_global_func(name) for name in selfsame_ffi.list_global_func_names()}
        for mode in (ctypes.RTLD_LOCAL, ctypes.RTLD_GLOBAL):
            ctypes.CDLL(sys.argv[1], mode)
        import tvm_ffi
        for name, function in before.items():
            assert selfsame_ffi.get_global_func(name) is function, name
        """,
        STOCK / "libtvm_ffi.so",
        then=TOGETHER + SHARED,
    )


def test_library_that_brought_stock_in_before_selfsame(build):
    """It uses the stock runtime, and does so afterwards."""
    flags = ["-shared", "-fPIC", "-fvisibility=hidden", '-DORIGIN="linked"']
    path = build("origin.cc", "stock", *flags)
    run(
        """
        import ctypes, sys
        ctypes.CDLL(sys.argv[1])
        import selfsame_ffi, tvm_ffi
        assert selfsame_ffi.get_global_func("linked.make", allow_missing=True) is None
        """,
        path,
        then=TOGETHER,
        LD_LIBRARY_PATH=str(STOCK),
    )


@pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")) and sys.version_info[:4] == (3, 15, 0, "candidate"),
    reason="CPython 3.15.0rc1 deadlocks, free-threaded, when two threads change types: each stops the world",
)
@pytest.mark.parametrize("attempt", range(5))
def test_two_threads_import_both_packages(attempt):
    """Which comes first is chance: either both share one runtime, or each has its own."""
    run(
        """
        import threading
        barrier = threading.Barrier(2)
        def import_(name):
            barrier.wait()
            __import__(name)
        threads = [threading.Thread(target=import_, args=(name,)) for name in ("tvm_ffi", "selfsame_ffi")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        import tvm_ffi, selfsame_ffi
        """,
        then=TOGETHER,
    )


def test_go_package_in_each_order(go_packages):
    for order in ("selfsame_ffi, tvm_ffi", "tvm_ffi, selfsame_ffi", "tvm_ffi.testing, geo, tvm_ffi"):
        run(
            f"""
            import sys
            sys.path.insert(0, sys.argv[1])
            import {order}
            import geo
            p = geo.Point(3.0, 4.0)
            p.next = q = geo.Point(0.0, 0.0)
            assert p.next is q and geo.nearest([p, q]) is q and p.norm() == 5.0
            """,
            go_packages,
        )
