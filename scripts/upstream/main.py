"""Runs upstream's own Python suite on our package under the name `tvm_ffi`, beside the stock package.

Run with the Python of build/venv, in which both packages are installed: `make upstream-python`. FILES (or arguments)
chooses test files, and FRAMEWORKS=1 (or --frameworks) brings PyTorch, NumPy, ml_dtypes and JAX, without which upstream
skips the tests that need them. Stock's outcomes are kept in build/upstream, unless a test took too long. Every test
that stock passes must pass, but those in exceptions.txt, which must not.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import sys
import time
from pathlib import Path

from scripts.tools.commands import ROOT
from scripts.upstream import exceptions
from scripts.upstream.suite import TIMEOUT, VERSION, frameworks, run_file, test_files, unpack

BUILD = ROOT / "build" / "upstream"
PASSED = ("passed", "xpassed")
# The package that the tests import: it takes itself out of sys.modules, and the import gives what is put there instead.
ALIAS = """import sys

import selfsame_ffi

del sys.modules[__name__]
selfsame_ffi.install_as_tvm_ffi()
# Stock's extension module is linked to the test library, so the tests expect its functions from the start.
from selfsame_ffi import libinfo

libinfo.load_lib_ctypes("apache-tvm-ffi", "tvm_ffi_testing", "RTLD_GLOBAL")
"""


def prepare(scratch: Path) -> None:
    """The package `tvm_ffi` that is ours, and stock's test library beside our runtime under the name it needs."""
    spec = importlib.util.find_spec("tvm_ffi")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("upstream-python: apache-tvm-ffi is not installed in this environment: run `make python`")
    stock = Path(spec.submodule_search_locations[0])
    shutil.rmtree(scratch / "alias", ignore_errors=True)
    shutil.rmtree(scratch / "lib", ignore_errors=True)
    (scratch / "alias" / "tvm_ffi").mkdir(parents=True)
    (scratch / "alias" / "tvm_ffi" / "__init__.py").write_text(ALIAS)
    (scratch / "lib").mkdir()
    shutil.copy2(ROOT / "build" / "lib" / "libselfsame.so", scratch / "lib" / "libtvm_ffi.so")
    shutil.copy2(stock / "lib" / "libtvm_ffi_testing.so", scratch / "lib" / "libtvm_ffi_testing.so")


def outcomes_of(source: Path, name: str, kind: str, limit: float, more: Path | None) -> dict[str, str]:
    return run_file(source, name, kind, BUILD, limit, BUILD / "logs" / f"{kind}-{Path(name).stem}.log", more)


def stock_outcomes(source: Path, name: str, limit: float, folder: Path, more: Path | None) -> dict[str, str]:
    """The kept outcomes of stock, or those of a run now, which are kept when no test took too long."""
    kept = folder / (name.replace("/", "_") + ".json")
    if kept.is_file():
        return json.loads(kept.read_text())
    outcomes = outcomes_of(source, name, "stock", limit, more)
    if TIMEOUT not in outcomes.values():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(outcomes, indent=0, sort_keys=True))
    return outcomes


def judge(
    listed: dict[str, str], name: str, stock: dict[str, str], ours: dict[str, str]
) -> tuple[set[str], set[str], list[str]]:
    """The tests of a file that stock passes, those that both pass, and the faults in the run."""
    late = [{test for test, word in side.items() if word == TIMEOUT} for side in (stock, ours)]
    found = [f"{test}: took too long on {who}" for who, tests in zip(("stock", "ours"), late) for test in sorted(tests)]
    wanted = {test for test, word in stock.items() if word in PASSED}
    passed = {test for test, word in ours.items() if word in PASSED} & wanted
    skipped = {test for test, word in stock.items() if word == "skipped"}  # they need a framework
    return wanted, passed, found + exceptions.complaints(listed, name, wanted, passed, late[0] | late[1] | skipped)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="*", help="parts of the names of test files (all)")
    parser.add_argument("--limit", type=float, default=600, help="seconds for one file")
    parser.add_argument("--frameworks", action="store_true", help="with PyTorch, NumPy, ml_dtypes and JAX")
    arguments = parser.parse_args()
    source = unpack(BUILD)
    more = frameworks(BUILD) if arguments.frameworks else None
    kept = BUILD / (f"kept-{VERSION}" + ("-frameworks" if arguments.frameworks else ""))
    prepare(BUILD)
    listed = exceptions.read(exceptions.LIST.read_text())
    wrong: list[str] = []
    chosen = [n for n in test_files(source) if not arguments.files or any(f in n for f in arguments.files)]
    totals = [0, 0]
    print(f"{'file':46} {'stock':>6} {'ours':>6}")
    for name in chosen:
        start = time.monotonic()
        stock = stock_outcomes(source, name, arguments.limit, kept, more)
        ours = outcomes_of(source, name, "ours", arguments.limit, more)
        wanted, passed, found = judge(listed, name, stock, ours)
        wrong += found
        totals[0] += len(wanted)
        totals[1] += len(passed)
        mark = f"  {len(found)} unexpected" if found else ""
        print(f"{name:46} {len(wanted):6} {len(passed):6}  {time.monotonic() - start:5.0f} s{mark}", flush=True)
    print(f"{'all':46} {totals[0]:6} {totals[1]:6}")
    if wrong:
        print("\n".join(wrong))
        print(f"upstream-python: {len(wrong)} unexpected results; logs: {BUILD / 'logs'}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
