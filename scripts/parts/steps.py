"""Steps of trying the project on a system that it was not written on: commands, packages, processes, the table."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Steps:
    """What is done for one system, whose name begins each line that is printed."""

    system: str

    def run(self, *command: str, env: dict[str, str] | None = None, folder: Path = ROOT) -> str:
        """Return the output of a command in a folder; the program ends with it when the command fails."""
        done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            said = f"{' '.join(command)[:200]} ended with status {done.returncode}:\n{done.stdout[-4000:]}"
            sys.exit(f"{self.system}: {said}")
        return done.stdout

    def progress(self, text: str) -> None:
        """Tell the user what is done now."""
        print(f"{self.system}: {text}", flush=True)

    def install(self, packages: list[str]) -> None:
        """Install packages of Debian's, or say which are missing."""
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            sys.exit(f"{self.system}: install {', '.join(packages)} (names of Debian's packages)")
        self.progress(f"installing {', '.join(packages)}")
        self.run("apt-get", "update", "-qq")
        self.run("apt-get", "install", "-qq", "-y", "--no-install-recommends", *packages)

    def fetch(self, folder: Path, requirements: Path, platform: str) -> bool:
        """Get the packages that the tests need into a folder. Return whether they were not there."""
        wanted, stamp = requirements.read_text(), folder / ".requirements"
        if stamp.is_file() and stamp.read_text() == wanted:
            return False
        self.progress(f"fetching the packages of the tests for {self.system}")
        shutil.rmtree(folder, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile"]
        options = ["--only-binary", ":all:", "--platform", platform, "--python-version", "3.13"]
        self.run(*pip, *options, "-r", str(requirements), "--target", str(folder))
        return True

    def fetched(self, folder: Path, requirements: Path) -> None:
        """Note that a folder has the packages."""
        (folder / ".requirements").write_text(requirements.read_text())


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
