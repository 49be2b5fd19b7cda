"""docs/api.md: the public names of the published package are all here."""

import importlib
import importlib.util
import subprocess
import sys

import pytest
from repository import ROOT, check_generated

from conformance.python_api import python_api_compare as calls
from scripts import api_table
from scripts.api.compare import Row, compare, refused

# Requirement: F1


def test_no_name_is_missing_and_the_page_is_up_to_date():
    if importlib.util.find_spec("tvm_ffi") is None:
        pytest.skip("needs apache-tvm-ffi")
    if sys.version_info < (3, 10):  # its dataclasses module has fewer names
        subprocess.run([sys.executable, "-m", "scripts.api_table", "--missing"], cwd=ROOT, check=True)
    else:
        check_generated("api_table")


def parameters(function):
    import inspect

    found = inspect.signature(function).parameters.values()
    return [[p.name, p.kind.name, p.default is not p.empty] for p in found]


@pytest.mark.parametrize(
    ("theirs", "ours", "why"),
    [
        (lambda a, b=1: 0, lambda a, b=1: 0, None),
        (lambda a: 0, lambda a, b=1, *c, d=2, **e: 0, None),
        (lambda a, b: 0, lambda *args, **kwargs: 0, None),
        (lambda a, *, b=1: 0, lambda a, b=1: 0, None),
        (lambda a, b: 0, lambda a: 0, "takes no argument 'b'"),
        (lambda a, b=1: 0, lambda a, b: 0, "needs the argument 'b'"),
        (lambda a: 0, lambda a, b: 0, "needs the argument 'b'"),
        (lambda a: 0, lambda a, *, b: 0, "needs the argument 'b'"),
        (lambda a: 0, lambda b: 0, "takes 'a' only by position"),
        (lambda a: 0, lambda a, /: 0, "takes 'a' only by position"),
        (lambda a, *, b=1: 0, lambda a: 0, "takes no argument 'b'"),
        (lambda a, *, b=1: 0, lambda a, *, b: 0, "needs the argument 'b'"),
        (lambda *a: 0, lambda a=1: 0, None),
        (lambda *a: 0, lambda: 0, "takes no further arguments"),
        (lambda **a: 0, lambda: 0, "takes no keywords"),
    ],
)
def test_calls_that_a_signature_refuses(theirs, ours, why):
    assert refused(parameters(theirs), parameters(ours), False) == why


def test_names_of_special_methods_parameters_do_not_count():
    theirs, ours = parameters(lambda self, index: 0), parameters(lambda self, key, /: 0)
    assert refused(theirs, ours, True) is None
    assert refused(theirs, ours, False) == "takes 'index' only by position"


def described(**names):
    return {"m": {name: {"kind": "class", "members": members} for name, members in names.items()}}


def member(kind="method", own=True):
    return {"kind": kind, "own": own, "parameters": None}


def test_rows():
    theirs = described(A={"f": member(), "g": member(own=False), "h": member("attribute")}, B={})
    ours = described(A={"f": member(), "h": member()})
    a, b = compare(theirs, ours)
    assert (a.name, a.compared, a.differences) == ("A", 3, [("A.h", "is a method, not a attribute")])
    assert b.differences == [("B", "is not there")]
    assert compare(theirs, {})[0].differences == [("", "is not there")]


def test_known_differences_name_rows_of_the_page():
    rows = calls.rows_of_compat()
    known = calls.read_known((calls.HERE / "known.txt").read_text(), rows)
    assert known and set(known.values()) <= rows
    with pytest.raises(SystemExit, match="no row 'unknown'"):
        calls.read_known("[unknown]\na: b\n", rows)
    with pytest.raises(SystemExit, match="line 1: expected a"):
        calls.read_known("a: b\n", rows)


def test_notes_explain_and_wrong_ones_are_refused():
    row = Row("m", "A", "class", 2, [("A.f", "is not there")])
    assert api_table.judge(row, []) == ("missing", "`f` is not there", False)
    note = api_table.Note("differs other m:*.f # a reason")
    assert api_table.judge(row, [note]) == ("differs", "`f` is not there (a reason)", True)
    assert set(note.patterns) - note.used == {"other"}
    for line in ("differs m:A", "same m:A # x", "differs # x", "differs m:A # "):
        with pytest.raises(ValueError, match="expected 'better|differs|missing PATTERN"):
            api_table.Note(line)
