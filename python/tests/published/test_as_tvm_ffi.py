"""install_as_tvm_ffi: the package under the name tvm_ffi."""

# Requirement: E5

import importlib.util
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

REQUIREMENTS = Path(__file__).resolve().parents[3] / "scripts" / "requirements-test.txt"

needs_stock = pytest.mark.skipif(importlib.util.find_spec("tvm_ffi") is None, reason="tvm_ffi is not installed")


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    return done.stdout


def test_one_module_under_both_names():
    run(
        """
        import importlib.util, sys
        import selfsame_ffi
        selfsame_ffi.install_as_tvm_ffi()
        selfsame_ffi.install_as_tvm_ffi()
        import tvm_ffi
        import tvm_ffi.container as container
        from tvm_ffi.registry import register_object
        import selfsame_ffi.debug, tvm_ffi.debug
        assert tvm_ffi is selfsame_ffi and tvm_ffi.debug is selfsame_ffi.debug
        assert container is selfsame_ffi.container and register_object is selfsame_ffi.register_object
        assert container.__name__ == container.__spec__.name == "selfsame_ffi.container"
        assert importlib.util.find_spec("tvm_ffi.error") and not importlib.util.find_spec("tvm_ffi.no_such_module")
        assert type(tvm_ffi.convert([1])) is selfsame_ffi.Array
        assert "libtvm_ffi_testing" not in open("/proc/self/maps").read()
        """
    )


@needs_stock
def test_a_star_import_gives_the_names_of_the_published_package():
    names = "print(sorted(set(__import__('tvm_ffi').__all__)))"
    out = run(
        """
        import importlib, selfsame_ffi
        selfsame_ffi.install_as_tvm_ffi()
        importlib.reload(selfsame_ffi)
        from tvm_ffi import *
        assert bool is type(True) and dtype is selfsame_ffi.dtype
        print(sorted(set(selfsame_ffi.__all__)))
        """
    )
    assert out == run(names)


def test_module_that_does_not_exist():
    out = run(
        """
        import selfsame_ffi
        selfsame_ffi.install_as_tvm_ffi()
        for statement in ("import tvm_ffi.no_such_module", "from tvm_ffi import no_such_name"):
            try:
                exec(statement)
            except ImportError as error:
                print(type(error).__name__, error)
        """
    )
    first, second = out.splitlines()
    assert first == "ModuleNotFoundError No module named 'tvm_ffi.no_such_module'"
    assert second.startswith("ImportError") and "no_such_name" in second


def test_package_written_for_tvm_ffi(tmp_path):
    """In a process without the stock package on its path."""
    (tmp_path / "client.py").write_text(
        "import tvm_ffi\n\n@tvm_ffi.register_global_func('client.f')\ndef f(x): return x\n"
    )
    run(
        f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        import selfsame_ffi
        selfsame_ffi.install_as_tvm_ffi()
        import client
        array = selfsame_ffi.convert([1])
        assert selfsame_ffi.get_global_func("client.f")(array) is array
        """
    )


def test_the_version_is_that_of_the_published_package():
    out = run(
        """
        import importlib, selfsame_ffi
        own = selfsame_ffi.__version__
        selfsame_ffi.install_as_tvm_ffi()
        import tvm_ffi, tvm_ffi._version
        from importlib import metadata
        assert tvm_ffi.__version__ == tvm_ffi._version.version == metadata.version("apache_tvm-FFI")
        assert tvm_ffi.__version_tuple__[:3] == (0, 1, 15) and tvm_ffi.__version__ != own
        assert metadata.version("selfsame-ffi") == own
        assert "apache-tvm-ffi" in {one.metadata["Name"] for one in metadata.distributions()}
        shown = tvm_ffi.__version__, tvm_ffi.__version_tuple__
        assert importlib.reload(tvm_ffi) is selfsame_ffi
        assert (tvm_ffi.__version__, tvm_ffi.__version_tuple__) == shown
        print(tvm_ffi.__version__)
        """
    )
    pinned = [line for line in REQUIREMENTS.read_text().splitlines() if line.startswith("apache-tvm-ffi==")]
    assert pinned == [f"apache-tvm-ffi=={out.strip()}"]


@needs_stock
@pytest.mark.parametrize("order", ["tvm_ffi, selfsame_ffi", "selfsame_ffi, tvm_ffi"])
def test_refused_after_stock(order):
    out = run(
        f"""
        import {order}
        stock = tvm_ffi
        try:
            selfsame_ffi.install_as_tvm_ffi()
        except ImportError as error:
            print(error)
        import tvm_ffi, tvm_ffi.container
        assert tvm_ffi is stock and tvm_ffi.container is not selfsame_ffi.container
        """
    )
    assert out.startswith("install_as_tvm_ffi: tvm_ffi is imported already, from ")
    assert out.rstrip().endswith("call it before the first import of tvm_ffi")


@needs_stock
@pytest.mark.parametrize("first", ["tvm_ffi.get_global_func('testing.echo')(3)", "Pair(1, 2).sum()"])
def test_the_test_library_is_there_when_a_name_of_it_is_used(first):
    out = run(
        f"""
        import selfsame_ffi
        selfsame_ffi.install_as_tvm_ffi()
        import tvm_ffi
        if "Pair" in {first!r}:
            @tvm_ffi.register_object("testing.TestIntPair")
            class Pair(tvm_ffi.Object):
                __slots__ = ()
        print({first})
        import tvm_ffi.testing
        for wrong in (lambda: tvm_ffi.get_global_func("testing.nothing"), tvm_ffi.register_object("testing.Nothing")):
            try:
                wrong() if wrong.__code__.co_argcount == 0 else wrong(tvm_ffi.Object)
            except ValueError as error:
                assert "testing.N" in str(error) or "testing.n" in str(error)
            else:
                raise AssertionError("no error")
        """
    )
    assert out == "3\n"
