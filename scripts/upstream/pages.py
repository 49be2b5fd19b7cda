"""Runs the Python blocks of upstream's documentation on our package under the name `tvm_ffi`, beside the stock package.

Run with the Python of build/venv: `make upstream-pages`. The blocks are those of the pages, of the docstrings and the
example programs in the published source distribution, which is downloaded. The blocks of a page run in one process,
one after another, in one namespace. It begins with the names that the pages import once, and pages.cc is the library
that they load. Each block that runs on stock must run on ours and print the same, but for addresses. FRAMEWORKS=1 (or
--frameworks) brings PyTorch, NumPy and JAX. Arguments choose pages by a part of their name.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

from scripts.tools.commands import progress, run
from scripts.upstream.main import BUILD, prepare
from scripts.upstream.suite import HERE, environment, frameworks, unpack

KINDS = ("stock", "ours")
WORK = BUILD / "pages"
LIMIT = 300  # seconds for a page: one compiles C++
FENCED = re.compile(r"^( *)```(?:python|py)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
DIRECTIVE = re.compile(r"^( *)\.\. code-block:: *(?:python|py)\n((?:(?:\1 +.*)?\n)+)", re.MULTILINE)
#: A source that a page compiles.
OPERATIONS = """#include <tvm/ffi/function.h>

int64_t AddTwo(int64_t x) { return x + 2; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_two, AddTwo);
"""
#: Runs blocks, which come as JSON. Each has a module name of its own, so that classes of one name are several types.
RUNNER = r"""
import contextlib, io, json, re, sys, types, warnings
warnings.simplefilter("ignore")
page = types.ModuleType("page")
names = vars(page)
for line in (
    "import ctypes, pickle",
    "from typing import TYPE_CHECKING, Any, Optional",
    "import tvm_ffi",
    "from tvm_ffi import *",
    "from tvm_ffi.dataclasses import *",
    "from tvm_ffi.core import TypeSchema",
    "import tvm_ffi.cpp",
    "import numpy as np",
    "import torch",
):
    with contextlib.suppress(ImportError):
        exec(line, names)
for number, block in enumerate(json.load(open(sys.argv[1]))):
    names["__name__"] = f"block{number}"
    sys.modules[f"block{number}"] = page
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(block, f"block {number}", "exec"), names)
        found = ["ok", re.sub(r"0x[0-9a-fA-F]+", "0x", out.getvalue())]
    except BaseException as error:
        found = [type(error).__name__, str(error)]
    print(json.dumps([number, *found]), file=sys.__stdout__, flush=True)
"""


def blocks_of(text: str) -> list[str]:
    """Return the Python blocks of a text in reStructuredText or Markdown, in their order."""
    found = [(m.start(), m[2]) for m in FENCED.finditer(text)]
    for m in DIRECTIVE.finditer(text):
        lines = [line for line in m[2].splitlines() if not re.match(r"\s+:[\w-]+:", line)]
        found.append((m.start(), "\n".join(lines) + "\n"))
    return [textwrap.dedent(block) for _, block in sorted(found)]


def pages(source: Path) -> dict[str, list[str]]:
    """Return the blocks by page: of the documentation, of the docstrings of a module, and of an example's programs."""
    found = {}
    for path in sorted([*source.glob("docs/**/*.rst"), *source.glob("docs/**/*.md"), source / "README.md"]):
        found[str(path.relative_to(source))] = blocks_of(path.read_text())
    for ending in ("py", "pxi", "pyx"):
        for path in sorted(source.glob(f"python/tvm_ffi/**/*.{ending}")):
            found[str(path.relative_to(source))] = blocks_of(path.read_text())
    for path in sorted(source.glob("examples/*/**/*.py")):
        text = path.read_text()
        found[str(path.relative_to(source))] = [text + ("\nmain()\n" if "def main()" in text else "")]
    return {name: blocks for name, blocks in found.items() if blocks}


def library(folder: Path, include: str) -> None:
    """Compile pages.cc, once, to the names under which the pages load it."""
    made = WORK / "library.so"
    source = HERE / "pages.cc"
    if not made.is_file() or made.stat().st_mtime < source.stat().st_mtime:
        progress("compiling the library of the pages")
        run("c++", "-std=c++17", "-O1", "-shared", "-fPIC", *include.split(), "-o", made, source)
    for name in ("path/to/library.so", "add_one_cpu.so", "build/add_one_cpu.so", "build/add_one_cuda.so"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(made)
    (folder / "my_ops.cpp").write_text(OPERATIONS)


def outcomes(blocks: list[str], kind: str, more: Path | None) -> list[list[str]]:
    """Return for each block "ok" and what it printed, or the class and text of its error."""
    listed = WORK / "blocks.json"
    load = "import tvm_ffi\ntvm_ffi.load_module('path/to/library.so', keep_module_alive=True)\n"
    listed.write_text(json.dumps([load, *blocks]))
    env = {**environment(kind, BUILD, more), "LD_LIBRARY_PATH": str(WORK)}
    command = [sys.executable, "-c", RUNNER, str(listed)]
    try:
        done = subprocess.run(command, cwd=WORK, env=env, stdout=subprocess.PIPE, text=True, timeout=LIMIT)
        printed = done.stdout
        end = ["ended", f"status {done.returncode}"]
    except subprocess.TimeoutExpired as late:
        printed, end = (late.stdout or b"").decode(), ["ended", "late"]
    made = [json.loads(line)[1:] for line in printed.splitlines() if re.match(r'\[\d+, "', line)]
    if made and made[0][0] != "ok":
        raise SystemExit(f"upstream-pages: {kind} cannot load the library of the pages: {made[0]}")
    made += [end] * (len(blocks) + 1 - len(made))
    return made[1:]


def compared(name: str, blocks: list[str], stock: list[list[str]], ours: list[list[str]]) -> tuple[int, int, list[str]]:
    """Return how many blocks run on stock, how many of these on ours with the same output, and what differs."""
    wanted = [i for i, found in enumerate(stock) if found[0] == "ok"]
    wrong = [i for i in wanted if ours[i] != stock[i]]
    lines = []
    for i in wrong:
        begin = blocks[i].strip().splitlines()[0]
        lines.append(f"{name}, block {i} ({begin}):\n    stock: {stock[i][1][:300]!r}\n    ours:  {ours[i]!r}")
    return len(wanted), len(wanted) - len(wrong), lines


def main() -> int:
    """Run the blocks, and return 1 when one runs on the published package alone."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("pages", nargs="*", help="parts of the names of pages (all)")
    parser.add_argument("--frameworks", action="store_true", help="with PyTorch, NumPy and JAX")
    parser.add_argument("--errors", action="store_true", help="print why blocks do not run on stock")
    arguments = parser.parse_args()
    source = unpack(BUILD)
    more = frameworks(BUILD) if arguments.frameworks else None
    prepare(BUILD)
    WORK.mkdir(parents=True, exist_ok=True)
    library(WORK, run(sys.executable, "-m", "tvm_ffi.config", "--cxxflags").strip())
    totals, wrong = [0, 0, 0], []
    print(f"{'page':46} {'blocks':>6} {'stock':>6} {'ours':>6}")
    for name, blocks in pages(source).items():
        if arguments.pages and not any(part in name for part in arguments.pages):
            continue
        stock, ours = (outcomes(blocks, kind, more) for kind in KINDS)
        on_stock, on_ours, lines = compared(name, blocks, stock, ours)
        wrong += lines
        totals = [a + b for a, b in zip(totals, (len(blocks), on_stock, on_ours))]
        print(f"{name:46} {len(blocks):6} {on_stock:6} {on_ours:6}", flush=True)
        if arguments.errors:
            print(
                "\n".join(f"    {i}: {found[0]}: {found[1][:100]}" for i, found in enumerate(stock) if found[0] != "ok")
            )
    print(f"{'all':46} {totals[0]:6} {totals[1]:6} {totals[2]:6}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
