"""A pytest plugin that ends the process after the last test without shutting the interpreter down. For leak checkers.

CPython's own memory is then still reachable, so an unreachable block is a leak. After Py_FinalizeEx many of CPython's
own blocks are unreachable, and a list of exceptions that long would hide ours.
"""

import gc
import os
import sys

import pytest

status = 3  # pytest's code for an internal error: the session did not finish


def pytest_sessionfinish(exitstatus):
    global status
    status = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure():
    gc.collect()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
