"""Trains the pipeline of examples/predict, serves it from Go and from Python, and compares answers, rates and latency.

Usage: python3 -m scripts.predict [REQUESTS]      (default: 4000, for each row of the table; 0 leaves the table out)

The interpreter that runs this has selfsame-ffi. scikit-learn, FastAPI and uvicorn are installed into build/predict,
once; delete that folder for newer ones. Servers run the libraries of linear algebra with one thread, as several
processes on a machine do.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.tools.commands import ROOT, run
from scripts.tools.environments import packages

WORK = ROOT / "build" / "predict"
PACKAGES = WORK / "packages"
EXAMPLE = ROOT / "examples" / "predict"
MODEL = WORK / "model.joblib"
ENV = {**os.environ, "PYTHONPATH": str(PACKAGES), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
GO: list[str | Path] = [WORK / "predict", "-python", sys.executable, "-path", PACKAGES]
SERVERS: dict[str, list[str | Path]] = {
    "Go with Python in it, gathered": [*GO, MODEL, "127.0.0.1:0"],
    "Go with Python in it, each alone": [*GO, "-batch", "1", MODEL, "127.0.0.1:0"],
    "Go, Python over a pipe, gathered": [*GO, "-pipe", EXAMPLE / "worker.py", MODEL, "127.0.0.1:0"],
    "Go, Python over a pipe, each alone": [*GO, "-pipe", EXAMPLE / "worker.py", "-batch", "1", MODEL, "127.0.0.1:0"],
    "uvicorn and FastAPI": [sys.executable, EXAMPLE / "serve.py", MODEL, "127.0.0.1:0"],
}
PYTHONS_ANSWER = """
import json, sys, joblib, numpy
rows = numpy.array(json.load(open(sys.argv[2])))
model = joblib.load(sys.argv[1])
print(json.dumps([model.predict_proba(rows).tolist(), [model.predict_proba(row[None]).tolist()[0] for row in rows]]))
"""


@contextmanager
def serving(command: list[str | Path]) -> Iterator[tuple[str, int]]:
    """Start a server, and give the address that its first line of output is, and the number of the process."""
    words = [str(part) for part in command]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=ENV) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.terminate()


def asked(address: str, rows: list[list[float]]) -> Any:
    """Return the probabilities that a server answers."""
    body = json.dumps({"rows": rows}).encode()
    request = urllib.request.Request(f"http://{address}/predict", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["probabilities"]


def compare(name: str, address: str, rows: list[list[float]], wanted: Any) -> None:
    """End this program with an error when an answer differs from Python's, for all rows at once or for each alone."""
    together, alone = wanted
    if asked(address, rows) != together or [asked(address, [row])[0] for row in rows[:50]] != alone[:50]:
        sys.exit(f"{name}: the probabilities differ from Python's")


def processor_seconds(process: int) -> float:
    """Return the processor time that a process and its children that run have used."""
    threads = Path(f"/proc/{process}/task").iterdir()
    children = [child for thread in threads for child in (thread / "children").read_text().split()]
    total = 0
    for number in [str(process), *children]:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Do what the module's documentation says."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    packages(PACKAGES, "scikit-learn", "fastapi", "uvicorn")
    print(run(sys.executable, EXAMPLE / "train.py", WORK, env=ENV).strip(), flush=True)
    rows = json.loads((WORK / "rows.json").read_text())
    wanted = json.loads(run(sys.executable, "-c", PYTHONS_ANSWER, MODEL, WORK / "rows.json", env=ENV))
    run("go", "build", "-o", WORK, "./examples/predict", "./examples/predict/load")
    if requests:
        print("| server | connections | requests in a CPU second | requests a second | median ms | 99 % ms |")
        print("|---|---|---|---|---|---|")
    for name, command in SERVERS.items():
        with serving(command) as (address, process):
            compare(name, address, rows, wanted)
            for connections in (1, 32) if requests else ():
                before = processor_seconds(process)
                told = run(WORK / "load", address, WORK / "rows.json", str(connections), str(requests)).split()
                each = requests / (processor_seconds(process) - before)
                print(
                    f"| {name} | {connections} | {each:,.0f} | {float(told[0]):,.0f} | {told[1]} | {told[2]} |",
                    flush=True,
                )
    print(f"the answers of {len(SERVERS)} servers for {len(rows)} rows are equal to Python's")


if __name__ == "__main__":
    main()
