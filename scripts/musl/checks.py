"""What must hold with musl before the suite is of use, in one process of its CPython: a line for each check.

Usage: python3.13 -m scripts.musl.checks FOLDER...
(folders with selfsame_ffi, and with the packages geo and inventory)
"""

from __future__ import annotations

import gc
import subprocess
import sys
import threading

sys.path[:0] = sys.argv[1:]

# Threads that are there before a library with Go in it: musl gives them its thread-local memory when it is opened.
OPENED, EARLIER, FAILURES = threading.Event(), [], []


def use_go(times: int) -> None:
    try:
        import geo

        for i in range(times):
            p, q = geo.Point(3.0, 4.0), geo.Point(0.0, 0.0)
            p.next = q
            assert p.norm() == 5 and p.next is q and geo.nearest([p, q]) is q
            if i % 100 == 0:
                gc.collect()
    except BaseException as error:  # noqa: BLE001  shown by the check
        FAILURES.append(error)


def wait_and_use_go() -> None:
    OPENED.wait()
    use_go(300)


for _ in range(8):
    EARLIER.append(threading.Thread(target=wait_and_use_go))
    EARLIER[-1].start()

import selfsame_ffi as s  # noqa: E402

from scripts.tools.check_list import check, run_checks  # noqa: E402


def ended(*threads: threading.Thread) -> None:
    for thread in threads:
        thread.join()
    assert not FAILURES, FAILURES


@check
def identity_of_what_a_container_holds() -> None:
    outer = s.List([s.List([1])])
    assert outer[0] is outer[0]


@check
def the_example_of_the_readme() -> None:
    use_go(1)
    ended()


@check
def threads_that_began_before_the_library_call_go() -> None:
    OPENED.set()
    ended(*EARLIER)


@check
def many_threads_call_go_once() -> None:
    for _ in range(500):
        thread = threading.Thread(target=use_go, args=(1,))
        thread.start()
        ended(thread)


@check
def two_libraries_with_go_in_them() -> None:
    import inventory

    assert inventory.__name__ in sys.modules
    use_go(10)
    ended()


@check
def an_error_of_go_is_a_python_exception() -> None:
    import geo

    try:
        geo.nearest([])
    except ValueError as error:
        assert "nearest of no points" in str(error)
    else:
        raise AssertionError("expected ValueError")


@check
def a_name_without_a_file_is_an_error() -> None:
    try:
        s.load_module("/nowhere.so")
    except Exception as error:  # noqa: BLE001  its text is what counts
        assert "nowhere.so" in str(error)
    else:
        raise AssertionError("expected an error")


@check
def the_process_ends_well() -> None:
    program = f"import sys; sys.path[:0] = {sys.argv[1:]!r}; import geo; print(geo.Point(3.0, 4.0).norm())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "5.0"), (done.returncode, done.stdout, done.stderr)


def main() -> None:
    print(f"CPython {sys.version.split()[0]}, selfsame_ffi {s.__version__}")
    failed = run_checks()
    OPENED.set()
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
