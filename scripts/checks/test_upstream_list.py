"""How `make conformance-upstream` judges a run: conformance/upstream/known.py, and the readers of the reports."""

import xml.etree.ElementTree as ElementTree

import pytest

from conformance.upstream import known, suites

ENTRIES = known.read("# a comment\n\nours cpp A.b  # one\nboth cpp C.d  # two\nboth python f::g[x y]  # three\n")


def complaints(library, suite, **results):
    return known.complaints(
        ENTRIES, library, suite, {name.replace("_", "."): result for name, result in results.items()}
    )


def test_listed_failures_pass():
    assert complaints("ours", "cpp", A_b="failed", C_d="failed", E_f="passed", G_h="skipped") == []
    assert complaints("stock", "cpp", A_b="passed", C_d="failed") == []
    assert known.complaints(ENTRIES, "ours", "python", {"f::g[x y]": "failed"}) == []


def test_unlisted_failure():
    assert complaints("ours", "cpp", A_b="failed", C_d="failed", E_f="failed") == ["E.f: fails and is not in known.txt"]
    assert complaints("stock", "cpp", A_b="failed", C_d="failed") == ["A.b: fails and is not in known.txt"]


def test_listed_test_that_does_not_fail():
    found = complaints("ours", "cpp", A_b="passed")
    assert found == ["A.b: is in known.txt, but passed", "C.d: is in known.txt, but does not exist"]
    assert complaints("stock", "cpp", C_d="skipped") == ["C.d: is in known.txt, but skipped"]


@pytest.mark.parametrize(
    "line", ["A.b", "ours cpp A.b", "ours cpp A.b  # ", "theirs cpp A.b  # x", "ours rust A.b  # x"]
)
def test_malformed_line(line):
    with pytest.raises(ValueError, match="line 1: expected LIBRARY SUITE TEST  # REASON"):
        known.read(line)


def test_the_list_is_well_formed():
    known.read(known.LIST.read_text())


def test_results_of_googletest():
    tests = [
        {"name": "good", "status": "RUN", "result": "COMPLETED"},
        {"name": "bad", "status": "RUN", "result": "COMPLETED", "failures": [{"failure": "text"}]},
        {"name": "left", "status": "RUN", "result": "SKIPPED"},
        {"name": "off", "status": "NOTRUN", "result": "SUPPRESSED"},
    ]
    results = suites.read_gtest({"testsuites": [{"name": "S", "testsuite": tests}]})
    assert results == {"S.good": "passed", "S.bad": "failed", "S.left": "skipped", "S.off": "skipped"}


def test_results_of_pytest():
    text = """<testsuites><testsuite>
    <testcase classname="tests.python.test_a" name="good[1]"/>
    <testcase classname="tests.python.test_a" name="bad"><failure/></testcase>
    <testcase classname="tests.python.test_a.Class" name="broken"><error/></testcase>
    <testcase classname="tests.python.test_a" name="left"><skipped/></testcase>
    </testsuite></testsuites>"""
    assert suites.read_junit(ElementTree.fromstring(text)) == {
        "test_a::good[1]": "passed",
        "test_a::bad": "failed",
        "test_a.Class::broken": "failed",
        "test_a::left": "skipped",
    }
