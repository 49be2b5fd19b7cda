"""The files of upstream's Python suite, and how one of them is run in a process of its own."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TextIO

from scripts.tools.downloads import source_distribution
from scripts.tools.environments import packages

VERSION = "0.1.15.post2"
# The outcome of a test that took too long: it says how busy the machine was, so it is never kept as a result.
TIMEOUT = "timeout"
HERE = Path(__file__).resolve().parent


def unpack(folder: Path) -> Path:
    """The unpacked source distribution, downloaded with pip when it is not there. Nothing of it is built."""
    return source_distribution(folder, "apache-tvm-ffi", VERSION)


def test_files(source: Path) -> list[str]:
    """Every test file, relative to tests/python."""
    tests = source / "tests" / "python"
    return sorted(str(path.relative_to(tests)) for path in tests.rglob("test_*.py"))


def frameworks(folder: Path) -> Path | None:
    """The folder with PyTorch, NumPy, ml_dtypes and JAX, which pip fills once; None where this Python has them."""
    names = ("torch", "numpy", "ml_dtypes", "jax")
    if all(importlib.util.find_spec(name) for name in names):
        return None
    return packages(folder / "frameworks", *names)


def environment(kind: str, scratch: Path, more: Path | None = None) -> dict[str, str]:
    """The environment of a run: `ours` finds the alias and our library, `stock` the installed package.

    `more` is a folder with further packages.
    """
    env = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    paths = [str(HERE)]
    if kind == "ours":
        paths.insert(0, str(scratch / "alias"))
        env["SELFSAME_LIBRARY"] = str(scratch / "lib" / "libtvm_ffi.so")
    if more is not None:
        paths.append(str(more))
    env["PYTHONPATH"] = os.pathsep.join(paths)
    env["TVM_FFI_CACHE_DIR"] = str(scratch / f"cache-{kind}")
    return env


def run_once(command: list[str], folder: Path, env: dict[str, str], limit: float, out: TextIO) -> int | None:
    """The exit status of a process, None when it took longer than `limit` seconds. What it started ends with it."""
    with subprocess.Popen(
        command, cwd=folder, env=env, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
    ) as process:
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def read_record(record: Path, outcomes: dict[str, str]) -> tuple[int, str | None]:
    """Adds the outcomes that a process has written. Returns how many tests it began, and the one that was running."""
    begun, running = 0, None
    for line in record.read_text().splitlines():
        word, test = json.loads(line)
        if word == "start":
            begun, running = begun + 1, test
        else:
            outcomes[test] = word
            running = None if running == test else running
    return begun, running


def run_file(
    source: Path, name: str, kind: str, scratch: Path, limit: float, log: Path, more: Path | None = None
) -> dict[str, str]:
    """Outcome by test id of one file. A test that ends the process is a `crash`; the rest goes on.

    `limit` seconds are for one process. A test that was running when they ended runs again in the next process, as its
    first. If it takes them all there, it is a TIMEOUT. So is the file, under its name, when two processes begin no test
    in their time, and when the last test was not reached.
    """
    outcomes: dict[str, str] = {}
    tests = source / "tests" / "python"
    record, done = scratch / "outcomes.jsonl", scratch / "done.json"
    env = environment(kind, scratch, more)
    env.update(OUTCOMES=str(record), SKIP_DONE=str(done))
    log.parent.mkdir(parents=True, exist_ok=True)
    waits = 0
    with log.open("w", encoding="utf-8") as out:
        for _attempt in range(20):
            record.write_text("")
            done.write_text(json.dumps(sorted(outcomes)))
            command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider"]
            command += ["-p", "record_outcomes", "-rfE", "-c", os.devnull, "--rootdir", str(tests), name]
            code = run_once(command, tests, env, limit, out)
            begun, running = read_record(record, outcomes)
            if code is None:
                if begun == 1 and running is not None:
                    outcomes[running] = TIMEOUT
                waits += begun == 0
                if waits < 2:
                    continue
                outcomes[name] = TIMEOUT
                break
            if 0 <= code <= 5 or running is None:
                break
            outcomes[running] = "crash"
        else:
            outcomes[name] = TIMEOUT
    return outcomes
