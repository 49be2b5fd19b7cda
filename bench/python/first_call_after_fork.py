"""Times the first call of a builtin function in a forked child, on selfsame_ffi and on stock tvm_ffi.

Usage: first_call_after_fork.py

The function turns a small Map into JSON text. On selfsame it brings up a Go runtime in the child. Beside it stands a
bare fork: a child that ends at once, and the parent's wait for it. The packages run in processes of their own, in turn.
The table has medians.
"""

import json
import os
import statistics
import subprocess
import sys
import time
import warnings

ROUNDS, FORKS = 5, 8
PACKAGES = {"selfsame": "selfsame_ffi", "tvm_ffi": "tvm_ffi"}


def measure(package: str) -> dict:
    """Medians in milliseconds: the first call, the second call, and a bare fork."""
    import importlib

    module = importlib.import_module(package)
    warnings.simplefilter("ignore")
    function, value = module.get_global_func("ffi.ToJSONGraphString"), module.convert({"a": [1, 2.5, "text"]})
    function(value, None)
    calls, plain = [], []
    for _ in range(FORKS):
        begin = time.perf_counter()
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
        plain.append(time.perf_counter() - begin)
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            times = [time.perf_counter()]
            for _ in range(2):
                function(value, None)
                times.append(time.perf_counter())
            os.write(writer, json.dumps([times[1] - times[0], times[2] - times[1]]).encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            calls.append(json.load(pipe))
        os.waitpid(pid, 0)
    first, second = (statistics.median(column) * 1e3 for column in zip(*calls))
    return {"first": first, "second": second, "fork": statistics.median(plain) * 1e3}


def main() -> None:
    """Prints the table."""
    from output import console, table

    times: dict = {name: [] for name in PACKAGES}
    for _ in range(ROUNDS):
        for name, package in PACKAGES.items():
            done = subprocess.run([sys.executable, __file__, package], check=True, capture_output=True, text=True)
            times[name].append(json.loads(done.stdout))
    results = table("After fork, in the child (ms; a bare fork beside it)", "", *PACKAGES)
    for key, label in (("first", "first call"), ("second", "second call"), ("fork", "bare fork and wait")):
        row = (f"{statistics.median(one[key] for one in times[name]):.2f}" for name in PACKAGES)
        results.add_row(label, *row)
    console().print(results)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(sys.argv[1])))
    else:
        main()
