"""A stock tvm_ffi that was loaded first, with global symbols, never captures the symbols of a library unnoticed."""

# Requirements: B4, C6

import importlib.util
import subprocess
import sys
import textwrap

import origins
import pytest

if importlib.util.find_spec("tvm_ffi") is None:
    pytest.skip("tvm_ffi is not installed", allow_module_level=True)


def run(code: str, *args: object) -> str:
    command = [sys.executable, "-c", textwrap.dedent(code), *(str(arg) for arg in args)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def extension():
    return origins.cpp("installed")


def test_unlinked_library_after_stock_is_refused(extension):
    """Its symbols would come from the stock library, and its functions would be registered there."""
    out = run(
        """
        import sys, tvm_ffi, selfsame_ffi
        for load in (selfsame_ffi.load_module, selfsame_ffi.load_extension):
            try:
                load(sys.argv[1])
            except ImportError as error:
                print(error)
        assert tvm_ffi.get_global_func("cpp_installed.make", allow_missing=True) is None
        """,
        extension,
    )
    assert out.count("libtvm_ffi.so") >= 2 and out.count("import selfsame_ffi before tvm_ffi") == 2


def test_unlinked_library_without_stock_works(extension):
    out = run(
        """
        import sys, selfsame_ffi
        selfsame_ffi.load_module(sys.argv[1])
        make = selfsame_ffi.get_global_func("cpp_installed.make")
        node = make(3, None)
        assert selfsame_ffi.get_global_func("cpp_installed.echo")(node) is node
        print(node.value)
        """,
        extension,
    )
    assert out == "3\n"


def test_go_extension_after_stock_finds_its_runtime(go_packages):
    out = run(
        """
        import sys, tvm_ffi
        sys.path.insert(0, sys.argv[1])
        import geo
        p = geo.Point(3.0, 4.0)
        p.next = q = geo.Point(0.0, 0.0)
        assert p.next is q and geo.nearest([p, q]) is q
        print(p.norm())
        """,
        go_packages,
    )
    assert out == "5.0\n"


def test_refused_go_field_is_named_once(go_packages):
    """A Go setter names the field in its error; the Python package does not add the name again."""
    out = run(
        """
        import sys
        sys.path.insert(0, sys.argv[1])
        import geo
        try:
            geo.Point(1.0, 2.0).x = "text"
        except TypeError as error:
            print(str(error).count("geo.Point.x"))
        """,
        go_packages,
    )
    assert out == "1\n"


def test_selfsame_itself_works_beside_stock():
    out = run(
        """
        import tvm_ffi, selfsame_ffi
        theirs, ours = tvm_ffi.convert([1]), selfsame_ffi.convert([1])
        assert list(theirs) == list(ours) and selfsame_ffi.get_global_func("ffi.ArraySize")(ours) == 1
        f = selfsame_ffi.convert(lambda x: x)
        assert f(ours) is ours
        print(type(f(theirs)).__module__)
        """
    )
    assert out == "tvm_ffi.container\n"
