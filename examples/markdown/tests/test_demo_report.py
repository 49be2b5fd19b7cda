"""The demo reports a failed check, and its exit status is then 1."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import demo_build  # noqa: E402
import demo_report  # noqa: E402


def test_passed_checks_are_reported(capsys):
    report = demo_report.Report()
    thing = object()
    assert report.equal("equal", [1], [1])
    assert report.same("same", thing, thing)
    assert report.check("true", True)
    assert report.finish("the next command") == 0
    out = capsys.readouterr().out
    assert "ok   equal" in out
    assert "All 3 checks passed." in out
    assert "Next: the next command" in out
    assert "\x1b" not in out  # no colours without a terminal


def test_failed_checks_are_reported(capsys):
    report = demo_report.Report()
    assert not report.equal("equal", 1, 2)
    assert not report.same("same", [], [])
    assert not report.check("true", False, "a wonder", "nothing")
    assert report.finish("the next command") == 1
    out = capsys.readouterr().out
    assert "FAIL equal" in out
    assert "expected: 2" in out
    assert "got:      1" in out
    assert "expected: a wonder" in out
    assert "the object itself" in out
    assert "3 of 3 checks failed." in out
    assert "Next:" not in out


def test_missing_commands_are_named():
    with pytest.raises(demo_build.Missing, match="no-such-command was not found in PATH; install it with: apt-get x"):
        demo_build.need("no-such-command", "apt-get x")
    with pytest.raises(demo_build.Missing, match="false failed"):
        demo_build.run("false")
