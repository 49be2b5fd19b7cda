"""Ctrl-C while a Go function runs that takes no context: Python answers it when the function returns, and says so."""

# Requirements: C17, D11

from __future__ import annotations

import subprocess
import sys

import pytest

# Another thread interrupts the main one, which is in Go, and reads standard error until it is told why nothing happens.
PROGRAM = """
import os, signal, sys, threading
sys.path.insert(0, sys.argv[1])
import goclasses

reader, writer = os.pipe()
kept = os.dup(2)
os.dup2(writer, 2)
told = b""

def interrupt():
    global told
    goclasses.waits()
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
    while told.count(b"\\n") < 2:
        told += os.read(reader, 1000)
    goclasses.go_on()

def wait_once():
    global told
    told = b""
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        goclasses.wait()
    except KeyboardInterrupt:
        print("interrupted")
    thread.join()
    print(told.decode(), end="")

{use}
"""
TOLD = """interrupted
selfsame_ffi: a Go function of _goclasses.so runs and cannot be interrupted: Python answers Ctrl-C when it returns.
  Ctrl-\\ ends the process. A Go function that takes a context.Context can be interrupted.
"""


def output_of(use: str, folder: object) -> str:
    command = [sys.executable, "-c", PROGRAM.replace("{use}", use), str(folder)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert result.returncode == 0, result.stderr
    return result.stdout


ASYNCIO = """
import asyncio

async def main():
    pass

asyncio.run(main())  # puts a handler of its own in the place of Python's, and that one back
"""


@pytest.mark.parametrize("before", ["", ASYNCIO], ids=["at-first", "after-asyncio"])
def test_the_wait_is_explained(go_packages, before):
    assert output_of(before + "wait_once()", go_packages) == TOLD


IGNORED = """
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.execv(sys.executable, [sys.executable, "-c", "import signal; print(int(signal.getsignal(signal.SIGINT)))"])
"""
DEADLY = """
signal.signal(signal.SIGINT, signal.SIG_DFL)
pid = os.fork()
if pid == 0:
    signal.raise_signal(signal.SIGINT)
print(os.waitpid(pid, 0)[1])
"""


@pytest.mark.parametrize("use, told", [(IGNORED, "1\n"), (DEADLY, "2\n")], ids=["ignored", "the-default"])
def test_a_program_that_takes_the_handler_away_has_none(go_packages, use, told):
    """Ignored, it is so in the programs that a process starts; by default it ends the process."""
    assert output_of(use, go_packages) == told
