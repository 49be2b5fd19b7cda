"""`make upstream-python` runs a test again that took too long, and keeps no such run of stock."""

import json
import os
import select
import sys

import pytest

from scripts.upstream import main, suite

A, B, C = "test_x.py::a", "test_x.py::b", "test_x.py::c"


class Runs:
    """Stands for the processes of a file: each writes its lines and ends with its exit status, None out of time."""

    def __init__(self, *runs):
        self.runs, self.skipped = list(runs), []

    def __call__(self, _command, _folder, env, _limit, _out):
        with open(env["SKIP_DONE"], encoding="utf-8") as done:
            self.skipped.append(json.load(done))
        lines, status = self.runs.pop(0)
        with open(env["OUTCOMES"], "w", encoding="utf-8") as out:
            out.writelines(json.dumps(line) + "\n" for line in lines)
        return status


@pytest.fixture
def run_file(tmp_path, monkeypatch):
    """Runs a file with processes that do what is said, and returns the outcomes and the processes."""

    def run(*said):
        runs = Runs(*said)
        monkeypatch.setattr(suite, "run_once", runs)
        return suite.run_file(tmp_path, "test_x.py", "stock", tmp_path, 1, tmp_path / "log"), runs

    return run


def passes(*tests):
    return [line for test in tests for line in (["start", test], ["passed", test])]


def test_a_test_that_ran_out_of_its_files_time_runs_again(run_file):
    outcomes, runs = run_file(([*passes(A), ["start", B]], None), (passes(B, C), 0))
    assert outcomes == dict.fromkeys((A, B, C), "passed")
    assert runs.skipped == [[], [A]]


def test_a_test_that_takes_a_whole_processs_time_is_a_timeout(run_file):
    outcomes, runs = run_file(([*passes(A), ["start", B]], None), ([["start", B]], None), (passes(C), 0))
    assert outcomes == {A: "passed", B: suite.TIMEOUT, C: "passed"}
    assert runs.skipped[2] == [A, B]


def test_a_test_that_ends_its_process_is_a_crash(run_file):
    outcomes, _runs = run_file(([*passes(A), ["start", B]], -11), (passes(C), 0))
    assert outcomes == {A: "passed", B: "crash", C: "passed"}


@pytest.mark.parametrize("runs", [[([], None)] * 2, [([["start", A]], -11)] * 20], ids=["no test begins", "no end"])
def test_a_file_whose_tests_are_not_reached_is_a_timeout(run_file, runs):
    outcomes, left = run_file(*runs)
    assert outcomes["test_x.py"] == suite.TIMEOUT and left.runs == []


def test_a_file_that_begins_late_goes_on(run_file):
    outcomes, _runs = run_file(([], None), (passes(A), 0))
    assert outcomes == {A: "passed"}


@pytest.mark.parametrize("first, is_kept", [(suite.TIMEOUT, False), ("crash", True)])
def test_outcomes_of_stock_are_kept_unless_a_test_took_too_long(tmp_path, monkeypatch, first, is_kept):
    said = [{A: first}, {A: "passed"}]
    monkeypatch.setattr(main, "outcomes_of", lambda *_given: said.pop(0))
    found = [main.stock_outcomes(tmp_path, "test_x.py", 1, tmp_path / "kept", None) for _ in range(2)]
    assert found == [{A: first}, {A: first if is_kept else "passed"}]


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("late", [A, "test_x.py"])
def test_what_took_too_long_is_said_and_not_compared(which, late):
    """Neither as a failure, nor as an exception that passes or that stock fails."""
    sides = [{A: "passed"}, {A: "failed"}]
    sides[which] = {late: suite.TIMEOUT}
    said = [f"{late}: took too long on {('stock', 'ours')[which]}"]
    for listed in ({}, {A: "identity"}):
        assert main.judge(listed, "test_x.py", *sides)[2] == said


def test_an_exception_that_stock_skips_is_not_compared():
    """It needs a framework that this run does not have."""
    assert main.judge({A: "identity"}, "test_x.py", {A: "skipped"}, {A: "skipped"})[2] == []
    assert main.judge({A: "identity"}, "test_x.py", {A: "failed"}, {A: "failed"})[2] != []


PARENT = """
import os, sys
told, tell = os.pipe()
if os.fork():
    os.read(told, 1)
else:
    out = os.open(sys.argv[1], os.O_WRONLY)
    os.write(tell, b"1")
    os.read(os.pipe()[0], 1)
"""


def test_what_a_process_has_started_ends_with_it(tmp_path):
    """Else a compiler that a test has started takes the machine from the next one."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    end = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    with (tmp_path / "out").open("w") as out:
        assert suite.run_once([sys.executable, "-c", PARENT, str(fifo)], tmp_path, dict(os.environ), 600, out) == 0
    ended = select.poll()
    ended.register(end)
    assert ended.poll(600_000) == [(end, select.POLLHUP)]
    os.close(end)
