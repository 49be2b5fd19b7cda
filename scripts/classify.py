"""Compiles a network with Apache TVM from PyPI, runs it from Go, and compares it with Python.

Usage: python3 -m scripts.classify [REQUESTS]      (default: 2000, for each row of the table; 0 leaves the table out)

TVM and NumPy are installed into build/classify, once (a download of 100 MB); delete that folder for newer ones. The
tests of the Go package tvm run with the network of examples/classify and an RPC server of Python. Then the server of
examples/classify names digits, and each number of its answers is compared with Python's. The table has requests a
second of the servers in Go and in Python, with as many connections as workers, and their processor time, which other
programs on the machine change less.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.tools.commands import ROOT, run
from scripts.tools.environments import packages

WORK = ROOT / "build" / "classify"
PACKAGES = WORK / "packages"
MODEL = WORK / "model"
EXAMPLE = ROOT / "examples" / "classify"
LIBRARY = PACKAGES / "tvm" / "lib" / "libtvm_runtime.so"
# TVM 0.27 ends with a segmentation fault in some calls on the stock runtime 0.1.15, so that it gets the release before.
WANTED = ["apache-tvm", "apache-tvm-ffi<0.1.15", "numpy", "psutil", "cloudpickle"]
WITH_TVM = {**os.environ, "PYTHONPATH": str(PACKAGES)}
# The server is a process of its own, which ends only when it is told to.
RPC_SERVER = """
import signal, sys
from tvm import rpc
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
server = rpc.Server("127.0.0.1")
try:
    print(f"127.0.0.1:{server.port}", flush=True)
    sys.stdin.read()
finally:
    server.terminate()
"""


@contextmanager
def serving(*command: str | Path) -> Iterator[tuple[str, int]]:
    """Start a server, and give the address that its first line of output is, and the number of the process."""
    words = [str(part) for part in command]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=WITH_TVM) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.terminate()


def mapped_files(process: int) -> set[str]:
    """Return the files that a process has mapped."""
    lines = Path(f"/proc/{process}/maps").read_text().splitlines()
    return {line[line.index("/") :] for line in lines if "/" in line}


def answered(address: str, path: str, body: bytes | None = None) -> Any:
    """Return the JSON of an answer."""
    with urllib.request.urlopen(f"http://{address}{path}", body, timeout=60) as answer:
        return json.load(answer)


def compare(server: Path) -> None:
    """End this program with an error when an answer differs from Python's, or Python is in the server's process."""
    pictures = (MODEL / "pictures.bin").read_bytes()
    wanted = array("f", (MODEL / "probabilities.bin").read_bytes())
    with serving(server, LIBRARY, MODEL / "model.so", "localhost:0", "2") as (address, process):
        answer = answered(address, "/classify", pictures)
        costs = answered(address, "/profile")
        mapped = mapped_files(process)
    got = array("f", [number for each in answer["probabilities"] for number in each])
    if got != wanted:
        differ = sum(a != b for a, b in zip(got, wanted))
        sys.exit(f"{differ} of {len(wanted)} numbers differ, or {len(got)} came")
    # The runtime holds the name libtvm_ffi.so with a library in memory, which has no symbols.
    unwanted = ("/libtvm_ffi.so", "/libtvm_compiler.so")
    foreign = [name for name in mapped if "python" in Path(name).name or name.endswith(unwanted)]
    if foreign or str(LIBRARY) not in mapped:
        sys.exit(f"the server's process has mapped {foreign or mapped}")
    print(f"{len(got)} probabilities are equal in Go and in Python; there is no Python in the server's process")
    for cost in costs[:3]:
        print(f"  {cost['Symbol']}: {cost['Calls']} calls, {cost['Total'] / 1000:.0f} us")


def processor_seconds(process: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def table(server: Path, load: Path, requests: int) -> None:
    """Print requests a second, for one picture in each, and how much processor time of the server one takes."""
    print("| workers | requests a second: Go | Python | Go / Python | processor time: Python / Go |")
    print("|---|---|---|---|---|")
    for workers in range(1, 9):
        rates, seconds = [], []
        for command in (
            (server, LIBRARY, MODEL / "model.so", "127.0.0.1:0", str(workers)),
            (sys.executable, EXAMPLE / "serve.py", MODEL / "model.so", "127.0.0.1:0", str(workers)),
        ):
            with serving(*command) as (address, process):
                start = processor_seconds(process)
                rates.append(float(run(load, address, MODEL / "pictures.bin", str(workers), str(requests))))
                seconds.append(processor_seconds(process) - start)
        ratios = f"{rates[0] / rates[1]:.1f} | {seconds[1] / seconds[0]:.1f}"
        print(f"| {workers} | {rates[0]:,.0f} | {rates[1]:,.0f} | {ratios} |", flush=True)


def main() -> None:
    """Do what the module's documentation says."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    packages(PACKAGES, *WANTED)
    MODEL.mkdir(parents=True, exist_ok=True)
    print(run(sys.executable, EXAMPLE / "model.py", MODEL, env=WITH_TVM).strip(), flush=True)
    with serving(sys.executable, "-c", RPC_SERVER) as (address, _):
        env = {"SELFSAME_TVM_RUNTIME": str(LIBRARY), "SELFSAME_TVM_MODEL": str(MODEL), "SELFSAME_TVM_RPC": address}
        print(run("go", "test", "-count=1", "./tvm", env={**os.environ, **env}).strip(), flush=True)
    run("go", "build", "-o", WORK, "./examples/classify", "./examples/classify/load")
    compare(WORK / "classify")
    if requests:
        table(WORK / "classify", WORK / "load", requests)


if __name__ == "__main__":
    main()
