"""Programs with a limit of time."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

from scripts.tools.commands import ROOT


def lost_its_main_thread(process: int) -> bool:
    """Whether the main thread has ended and others have not: wine ends that thread alone after a stack overflow."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        return state == "Z" and len(os.listdir(f"/proc/{process}/task")) > 1
    except OSError:
        return False


def start(command: list[str], env: dict[str, str], seconds: float) -> subprocess.CompletedProcess[str] | None:
    """Run a command with a line as its input. Return None when it did not end in time."""
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        last = time.monotonic() + seconds
        text: str | None = "\n"
        while True:
            try:
                output, _ = process.communicate(text, timeout=5)
                break
            except subprocess.TimeoutExpired:
                text = None
                lost = lost_its_main_thread(process.pid)
                if not lost and time.monotonic() < last:
                    continue
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
                if not lost:
                    return None
                output += "the main thread ended, and other threads did not\n"
                break
    return subprocess.CompletedProcess(command, process.returncode, output)
