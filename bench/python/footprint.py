"""The address space, resident memory and threads of a process that imports a package, and uses it once.

Each row is a process of its own. "selfsame_ffi, Go" also imports the Go package geo (make build/demo/.built) and calls
it.

Usage: footprint.py [--json]
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).resolve().parents[2] / "build" / "demo"
USE_SELFSAME = "import selfsame_ffi as f; f.get_global_func('ffi.ReprPrint')(f.convert([1]))"
USE_GO = (
    f"import sys; sys.path.insert(0, {str(DEMO)!r}); import geo; p = geo.Point(3.0, 4.0); p.norm(); geo.nearest([p, p])"
)
USE_STOCK = "import tvm_ffi as f; f.get_global_func('ffi.ReprPrint')(f.convert([1]))"

ROWS = {
    "python": ("", ""),
    "numpy": ("import numpy", ""),
    "tvm_ffi": ("import tvm_ffi", USE_STOCK),
    "selfsame_ffi": ("import selfsame_ffi", USE_SELFSAME),
    "selfsame_ffi, Go": ("import selfsame_ffi", USE_GO),
}

# Kilobytes, and the number of threads, after the import and after the first use. Pss counts a page that n processes
# share as an n-th.
REPORT = """
import json, time
def figures():
    fields = dict(line.split(":", 1) for line in open("/proc/self/status"))
    pss = [line.split()[1] for line in open("/proc/self/smaps_rollup") if line.startswith("Pss:")]
    numbers = {name: int(fields[name].split()[0]) for name in ("VmPeak", "VmSize", "VmRSS", "Threads")}
    return {**numbers, "Pss": int(pss[0])}
exec(%r)
imported = figures()
exec(%r)
time.sleep(0.2)
print(json.dumps([imported, figures()]))
"""


def measure(import_: str, use: str) -> list[dict[str, int]]:
    """Figures of a process after an import and after a first use."""
    command = [sys.executable, "-c", REPORT % (import_, use)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    found = {}
    for name, (import_, use) in ROWS.items():
        try:
            found[name] = measure(import_, use)
        except subprocess.CalledProcessError as error:
            print(f"left out: {name}: {error.stderr.strip().splitlines()[-1]}", file=sys.stderr)
    if "--json" in sys.argv:
        print(json.dumps(found))
        return
    print(f"{'':18}{'':14}{'peak':>9}{'mapped':>9}{'resident':>10}{'PSS':>8}  threads")
    for name, rows in found.items():
        for when, row in zip(("imported", "used once"), rows):
            sizes = [row[field] / 1024 for field in ("VmPeak", "VmSize", "VmRSS", "Pss")]
            print(f"{name:18}{when:14}" + "{:7.0f} M{:7.0f} M{:8.1f} M{:6.1f} M".format(*sizes) + f"{row['Threads']:9}")
            name = ""
    print("numpy is part of what tvm_ffi imports, where it is installed")


if __name__ == "__main__":
    main()
