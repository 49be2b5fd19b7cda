"""A Go package that does not finish its initialisation: the import says what it waits for, and Ctrl-C ends it."""

# Requirement: D11

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

PROGRAM = """
import sys
import selfsame_ffi._load.extension as load
if len(sys.argv) > 2:
    load.PATIENCE = float(sys.argv[2])
sys.path.insert(0, sys.argv[1])
import signatures
print(signatures.join("-", "a", "b"))
"""


def start(folder: object, how: str, *arguments: str, options: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    command = [sys.executable, *options, "-c", PROGRAM, str(folder), *arguments]
    environment = {**os.environ, "SELFSAME_TEST_INIT": how}
    return subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def warned(process: subprocess.Popen[str]) -> str:
    """The line of the warning, once the process has written it."""
    assert process.stderr is not None
    for line in process.stderr:
        if "RuntimeWarning" in line:
            return line
    pytest.fail("the process ended without a warning")


def test_wait_is_explained_and_ended_by_an_interrupt(go_packages):
    process = start(go_packages, "forever")
    try:
        line = warned(process)
        assert (
            "RuntimeWarning: load_extension: " in line and "_signatures.so is still loading after 10 seconds: " in line
        )
        assert "the Go package is in " in line and "signatures.init." in line
        assert "slow.go:13 (chan receive); Ctrl-C ends the wait" in line
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=1800)
    finally:
        process.kill()
    assert (process.returncode, output) == (-signal.SIGINT, "")
    assert errors.rstrip().endswith("KeyboardInterrupt")


def test_slow_package_is_imported_after_the_warning(go_packages):
    process = start(go_packages, "2s", "0.01")
    output, errors = process.communicate(timeout=1800)
    assert (process.returncode, output) == (0, "a-b\n")
    assert "an init function or the value of a package variable waits, for a lock" in errors


def test_filter_turns_the_warning_into_an_error(go_packages):
    process = start(go_packages, "forever", "0.01", options=("-W", "error::RuntimeWarning"))
    output, errors = process.communicate(timeout=1800)
    assert (process.returncode, output) == (1, "")
    assert "RuntimeWarning: load_extension: " in errors.splitlines()[-1]
