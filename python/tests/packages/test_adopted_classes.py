"""Two libraries, built apart, of Go packages that depend on the same package with registered classes and functions."""

# Requirement: G1

import re
import subprocess
import sys
import textwrap

import origins
import pytest

# CPython 3.12 and later warn of a fork in a process with threads.
WARNINGS = ("-W", "ignore::DeprecationWarning", "-W", "error::RuntimeWarning")
IMPORT = "import accounts, rates\n"
ADOPTED = """
    import gc, os, sys, time
    first, second = sys.modules["accounts"], sys.modules["rates"]

    def check():
        mine, other = first.make(3), second.make(4)
        assert type(mine) is type(other) is first.money_Amount is second.money_Amount
        assert first.money_Amount is second.money_Amount, "one class in Python"
        assert (first.cents(other), second.cents(mine), mine.double(), other.double()) == (4, 3, 6, 8)
        assert mine == second.make(3) and hash(mine) == hash(second.make(3))
        box = second.Box(amount=mine)
        assert box.amount is mine and first.Box(amount=box.amount).amount is mine
        mine.fee = other
        assert first.cents(mine.fee) == 4 and mine.fee is other
        assert first.money_Kind.credit is second.money_Kind.credit is second.credit() is first.credit()
        assert second.is_credit(first.credit()) and not first.is_credit(second.money_Kind.debit)
        assert list(first.origin(mine)) == ["accounts"] and list(second.origin(other)) == ["rates"]
        made = second.money_Amount(5, currency="CHF")
        assert (first.cents(made), made.currency) == (5, "CHF")
        try:
            second.origin(mine)
        except RuntimeError as error:
            assert "the value was set by another library" in str(error), error
        else:
            raise AssertionError("a Go value crossed from one Go to the other")

    def dropped():
        gc.collect()
        return first.dropped(), second.dropped()

    check()
    deadline = time.monotonic() + 1800
    while sum(dropped()) != 5 and time.monotonic() < deadline:  # each library drops what it has made
        time.sleep(0.01)
    made = dropped()
    assert sum(made) == 5 and min(made) > 0, made
    import selfsame_ffi
    assert selfsame_ffi.get_global_func("money.add")(1, 2) == 3
    child = os.fork()
    if child == 0:
        try:
            check()
            os._exit(0)
        except BaseException as error:
            print("in the child:", repr(error), flush=True)
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    print("ok")
"""


@pytest.fixture(scope="module")
def folders():
    try:
        return [origins.build(f"python/tests/fixtures/adoption/{name}") for name in ("accounts", "rates")]
    except origins.Unavailable as reason:
        pytest.skip(str(reason))


def run(folders, program, status=0):
    path = f"import sys\nsys.path[:0] = {[str(folder) for folder in folders]!r}\n"
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", *WARNINGS, "-c", path + program],
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


def test_the_second_library_adopts_classes_functions_and_members(folders):
    done = run(folders, IMPORT + textwrap.dedent(ADOPTED))
    assert (done.stdout, done.stderr) == ("ok\n", "")


def test_the_order_of_imports_does_not_matter(folders):
    done = run(folders, "import rates, accounts\n" + textwrap.dedent(ADOPTED))
    assert done.stdout == "ok\n"


def test_both_may_be_imported_at_the_same_time(folders):
    program = """
        import importlib, threading
        start = threading.Barrier(2)
        def load(name):
            start.wait()
            importlib.import_module(name)
        threads = [threading.Thread(target=load, args=(name,)) for name in ("accounts", "rates")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    """
    for _ in range(5):
        assert run(folders, textwrap.dedent(program) + textwrap.dedent(ADOPTED)).stdout == "ok\n"


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        (
            "newer_class",
            r"registers the class money\.Amount, as a library that this process has loaded before does \(one of "
            r"_accounts\.so\), with another version of .*/money\.Amount, which has other fields; build both libraries "
            r"with one version of that package",
        ),
        ("newer_function", r"registers the global function money\.add, .* another name"),
    ],
)
def test_two_versions_of_a_package_are_refused_with_what_to_do(folders, tmp_path, tag, expected):
    other = origins.build("python/tests/fixtures/adoption/rates", tmp_path, ["--tags", tag])
    done = run([folders[0], other], IMPORT, status=1)
    assert re.search(f"ImportError: load_extension: .*{expected}", done.stderr), done.stderr
