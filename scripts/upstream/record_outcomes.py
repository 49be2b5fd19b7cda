"""A pytest plugin that writes one line per test when it ends, so that a crash of the process loses no results.

OUTCOMES names the file, SKIP_DONE a file of test ids that are not run again. A line is ["start" or an outcome, id].
"""

from __future__ import annotations

import json
import os
from typing import Any


def _write(word: str, nodeid: str) -> None:
    with open(os.environ["OUTCOMES"], "a", encoding="utf-8") as out:
        out.write(json.dumps([word, nodeid]) + "\n")


def pytest_collection_modifyitems(items: list[Any]) -> None:
    with open(os.environ["SKIP_DONE"], encoding="utf-8") as done_file:
        done = set(json.load(done_file))
    items[:] = [item for item in items if item.nodeid not in done]


def pytest_runtest_logstart(nodeid: str) -> None:
    _write("start", nodeid)


def pytest_runtest_logreport(report: Any) -> None:
    if report.when == "call" or report.outcome != "passed":
        xfail = hasattr(report, "wasxfail")
        _write(report.outcome if not (xfail and report.outcome == "passed") else "xpassed", report.nodeid)
