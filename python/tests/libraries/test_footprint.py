"""The address space and the threads that an import takes, and limits on them."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import textwrap

import pytest
from repository import ROOT

GIGABYTE = 2**30
FIELDS = """
def field(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name + ":"))
"""


def run(code: str, *args: object, limit: int = 0, kind: int = resource.RLIMIT_AS) -> subprocess.CompletedProcess:
    """Run a program with a limit in bytes (0: none)."""

    def lower() -> None:
        resource.setrlimit(kind, (limit, limit))

    command = [sys.executable, "-c", textwrap.dedent(code), *(str(arg) for arg in args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=1800, preexec_fn=lower if limit else None)


def output(code: str, *args: object) -> str:
    done = run(code, *args)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


needs_plain_build = pytest.mark.skipif(
    "LD_PRELOAD" in os.environ, reason="a sanitizer maps terabytes, and adds threads"
)


@needs_plain_build
def test_address_space_of_import_and_first_use(go_packages):
    """Go alone reserves 1.1 GB for each runtime, and here are two; glibc adds 64 MB for each thread. What CPython has
    before is not ours: the allocator of a free-threaded one reserves a gigabyte."""
    out = output(
        FIELDS
        + textwrap.dedent(
            """
            import sys
            sys.path.insert(0, sys.argv[1])
            own = field("VmPeak")
            import selfsame_ffi
            selfsame_ffi.convert([1])
            print(field("VmPeak") - own)
            import geo
            p = geo.Point(3.0, 4.0)
            assert geo.nearest([p, p]) is p
            print(field("VmPeak") - own)
            """
        ),
        go_packages,
    )
    imported, used = (int(line) * 1024 for line in out.split())
    assert imported < 0.8 * GIGABYTE and used < 1.1 * GIGABYTE, (imported, used)


@needs_plain_build
def test_code_mapped_near_libstdcpp(go_packages):
    """A just-in-time compiler maps memory where the kernel likes, and calls libstdc++ with 32-bit offsets."""
    output(
        """
        import ctypes, mmap, sys
        sys.path.insert(0, sys.argv[1])
        import geo
        geo.Point(3.0, 4.0).norm()
        code = mmap.mmap(-1, 64 << 20, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        start = ctypes.addressof(ctypes.c_char.from_buffer(code))
        lines = [line.split()[0] for line in open("/proc/self/maps") if "libstdc++" in line]
        ends = [int(part, 16) for line in lines for part in line.split("-")]
        reach = max(abs(near - far) for near in (start, start + len(code)) for far in ends)
        assert reach < 2**31, f"{reach / 2**30:.2f} GB apart"
        """,
        go_packages,
    )


BARE = """
package main

import "C"
import "runtime"

//export Collect
func Collect() { runtime.GC() }

func main() {}
"""

COUNT = """
import ctypes, os, sys
{}
print(len(os.listdir("/proc/self/task")))
"""


@needs_plain_build
def test_no_more_threads_than_go_needs(tmp_path):
    """Not more than a Go library that does nothing but a collection, for which Go starts the threads that it needs. How
    many these are varies by one or two from run to run."""
    if shutil.which("go") is None:
        pytest.skip("go is not installed")
    (tmp_path / "main.go").write_text(BARE)
    (tmp_path / "go.mod").write_text("module bare\n\ngo 1.21\n")
    subprocess.run(["go", "build", "-buildmode=c-shared", "-o", "bare.so", "."], cwd=tmp_path, check=True)
    bare = f"ctypes.CDLL({str(tmp_path / 'bare.so')!r}).Collect()"
    ours = (
        "import selfsame_ffi; selfsame_ffi.get_global_func('ffi.ReprPrint')(selfsame_ffi.convert([1])); "
        "selfsame_ffi.collect()"
    )
    threads = {
        name: sorted(int(output(COUNT.format(code))) for _ in range(7))
        for name, code in (("bare", bare), ("ours", ours))
    }
    assert threads["ours"][0] <= threads["bare"][-1], threads


def needed_and_message(done: subprocess.CompletedProcess, begin: str) -> int:
    assert done.returncode == 1, (done.returncode, done.stderr[-3000:])
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f"ImportError: {begin}: the limit on "), last
    return int(re.search(r"raise it to (\d+) MB or more", last).group(1)) * 2**20


IMPORT = "import selfsame_ffi; selfsame_ffi.get_global_func('ffi.ReprPrint')(selfsame_ffi.convert([1]))"


# Requirement: I12
@needs_plain_build
@pytest.mark.parametrize("kind, name", [(resource.RLIMIT_AS, "ulimit -v"), (resource.RLIMIT_DATA, "ulimit -d")])
def test_import_under_a_limit(kind, name):
    """Too little is an ImportError that says how much is needed, and that much is enough."""
    refused = run(IMPORT, limit=100 << 20, kind=kind)
    needed = needed_and_message(refused, "selfsame_ffi")
    assert name in refused.stderr
    done = run(IMPORT, limit=needed, kind=kind)
    assert done.returncode == 0, done.stderr[-3000:]


# Requirement: I12
@needs_plain_build
def test_go_package_under_a_limit(go_packages):
    code = f"import sys; sys.path.insert(0, {str(go_packages)!r}); import selfsame_ffi, geo; geo.Point(3.0, 4.0).norm()"
    needed = needed_and_message(run(code, limit=100 << 20), "selfsame_ffi")
    needed = needed_and_message(run(code, limit=needed), "load_extension")
    # malloc reserves 64 MB for a thread that it gives an arena, and whether it does so depends on the threads' timing:
    # this process may use more than the last one when it comes to the package, and then says what it needs.
    for _ in range(3):
        done = run(code, limit=needed)
        if done.returncode == 0:
            break
        more = needed_and_message(done, "load_extension")
        assert more > needed
        needed = more
    assert done.returncode == 0, done.stderr[-3000:]


@needs_plain_build
def test_go_heap_grows():
    """The memory that describes the heap is mapped as the heap grows, where nothing was reserved for it."""
    output(
        """
        import selfsame_ffi
        parse = selfsame_ffi.get_global_func("ffi.json.Parse")
        text = "[" + ",".join(['{"a": [1, 2, 3], "b": "' + "x" * 400 + '"}'] * 200_000) + "]"
        for _ in range(2):
            assert len(parse(text)) == 200_000
        """
    )


def test_footprint_table():
    script = ROOT / "bench" / "python" / "footprint.py"
    done = subprocess.run([sys.executable, str(script), "--json"], capture_output=True, text=True, check=True)
    imported, used = json.loads(done.stdout)["selfsame_ffi"]
    assert 0 < imported["Pss"] <= imported["VmRSS"] <= imported["VmSize"] <= imported["VmPeak"]
    assert used["Threads"] >= imported["Threads"] > 1
