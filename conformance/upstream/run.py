"""Runs upstream's own C++ and Python tests on this project's library and on the stock one.

They come from the source distribution of the newest published apache-tvm-ffi. Failures are compared with known.txt: one
that is not listed, a listed test that passes, and a test that is skipped on this library only fail the run.

Usage: python3 -m conformance.upstream.run LIBRARY FOLDER [cpp] [python]
(FOLDER: where downloads and results go; default: both suites)
"""

# Requirements: E1, E3

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from conformance.upstream import fetch, known, suites


def main() -> int:
    if len(sys.argv) < 3 or not set(sys.argv[3:]) <= {"cpp", "python"}:
        raise SystemExit(f"usage: {sys.argv[0]} LIBRARY FOLDER [cpp] [python]")
    library, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    wanted = sys.argv[3:] or ["cpp", "python"]
    folder.mkdir(parents=True, exist_ok=True)
    release = fetch.newest_release(Path(sys.executable))
    source, python = fetch.sources(folder, release), fetch.environment(folder, release)
    packages = {"stock": fetch.package(folder, python, None), "ours": fetch.package(folder, python, library)}
    program = suites.build_cpp(folder, source, packages["stock"]) if "cpp" in wanted else None
    entries = known.read(known.LIST.read_text())
    wrong, skipped = [], {}
    print(f"apache-tvm-ffi {release}{'':12} passed  failed  skipped", flush=True)
    for suite in wanted:
        for name, package in packages.items():
            results = suites.run_cpp(program, package) if program and suite == "cpp" else {}
            if suite == "python":
                results = suites.run_python(folder, source, python, package)
            counts = Counter(results.values())
            row = f"{counts['passed']:9}{counts['failed']:8}{counts['skipped']:9}"
            print(f"  {suite:8}{'selfsame' if name == 'ours' else name:20}{row}", flush=True)
            wrong += [f"{suite} on {name}: {text}" for text in known.complaints(entries, name, suite, results)]
            skipped[name] = {test for test, result in results.items() if result == "skipped"}
        wrong += [f"{suite}: {test}: skipped here only" for test in sorted(skipped["ours"] - skipped["stock"])]
    for entry in entries:
        print(f"  known: {entry.library} {entry.suite} {entry.test}: {entry.reason}")
    print("\n".join(wrong) or "every other test passes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
