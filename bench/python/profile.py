"""Counts the instructions of operations by function with callgrind, and writes a short text for each to bench/profiles.

Usage: profile.py PEER FOLDER_OF_THE_BUILT_EXTENSIONS [PART_OF_A_NAME...]     PEER: one of ops.py, or "go"

A profile does not depend on the load of the machine. Its figures are instructions per operation, those of an empty loop
left out; a locked instruction counts as one, though it takes as long as twenty. The operations of "go" run under step.c
instead, as callgrind cannot run a Go runtime: their figures leave out what other threads do, such as Go's collector.
"""

from __future__ import annotations

import collections
import gc
import importlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from timeit import Timer

import stepping

HERE = pathlib.Path(__file__).parent
PROFILES = HERE.parent / "profiles"
RUNS = 2_000
SHOWN = 16
STEPPED = 60e-6  # seconds that the runs of an operation take which step.c counts, at full speed
WARMED = 0.05  # seconds that it runs before that
NOT_STEPPED = ("1 MB", "1,000,000", "iter.Seq")  # an instruction for each byte; work of other threads
LEAST = 0.8  # instructions per operation that a function must have to be shown


def operations(peer: str, folder: str) -> dict:
    """The operations that ops.py times, by name: a timer and how many operations a run of it does."""
    sys.path.insert(0, folder)
    import ops

    return (ops.of_ffi if peer in ("selfsame", "tvm_ffi") else ops.of_ext)(peer, folder)


def go_operations(folder: str) -> dict:
    """The operations that go_functions.py times, by name and peer."""
    sys.path.insert(0, folder)
    import go_functions

    gocalls, package = importlib.import_module("gocalls"), importlib.import_module("selfsame_ffi")
    pyo3 = go_functions.built(lambda: importlib.import_module("pyo3_ext"))
    get = package.get_global_func
    floor = importlib.import_module("floor_ext")
    return {**go_functions.calls(get, pyo3, None, floor, 100), **go_functions.objects(gocalls, get, pyo3)}


def fragment_memory() -> list[object]:
    """Return blocks of every size that leave CPython's pools half full.

    The first and the last block of a pool cost more than the others, and which operation meets them would depend on the
    environment of the process.
    """
    blocks: list[object] = [bytes(size) for size in range(0, 480, 8) for _ in range(1_000)]
    blocks += range(1_000_000, 1_010_000)  # ints are smaller than any bytes
    del blocks[::2]
    return blocks


def count(peer: str, folder: str, parts: list[str]) -> None:
    """Runs under callgrind: one dump for an empty loop, and one for each operation, whose name it prints."""
    chosen = {
        name: operation
        for name, operation in operations(peer, folder).items()
        if not parts or any(part in name for part in parts)
    }
    import callgrind_ext

    fragments = fragment_memory()
    for name, operation in {"": None, **chosen}.items():
        per_run = 1 if operation is None else operation.per_run
        held = getattr(operation, "hold", None) and operation.hold()
        timer = Timer("pass") if operation is None else operation.timer
        runs = max(1, min(RUNS, 20_000 // per_run))
        timer.timeit(min(runs, 200))
        callgrind_ext.begin()
        timer.timeit(runs)
        callgrind_ext.end()
        del held
        print(f"{runs * per_run}\t{name}", flush=True)
    del fragments


def by_function(dump: pathlib.Path) -> collections.Counter:
    """The instructions of each function in a dump, without those of the functions that it calls."""
    names: dict[str, str] = {}
    counts: collections.Counter = collections.Counter()
    function, objects, skip = "", {}, False
    where = ""
    for line in dump.read_text(errors="replace").splitlines():
        match = re.match(r"(fn|ob)=\((\d+)\)(?: (.*))?", line)
        if match:
            kind, number, text = match.groups()
            known = names if kind == "fn" else objects
            if text is not None:
                known[number] = text
            if kind == "ob":
                where = os.path.basename(known[number])
            else:
                function = known[number] if not re.match(r"0x|\?", known[number]) else f"{known[number]} in {where}"
        elif match := re.match(r"(cfn|cob)=\((\d+)\) (.*)", line):
            (names if match.group(1) == "cfn" else objects)[match.group(2)] = match.group(3)
        elif line.startswith("calls="):
            skip = True  # the next line has the cost of the callee
        elif line[:1] in "0123456789+-*" and line:
            if skip:
                skip = False
            elif len(columns := line.split()) > 1:
                counts[re.sub(r"'\d+$", "", function)] += int(columns[-1])
    return counts


def write(peer: str, name: str, text: str) -> None:
    """Writes and prints the profile of an operation."""
    file = re.sub(r"[^a-z0-9]+", "-", f"{peer} {name}".lower()).strip("-")
    (PROFILES / f"{file}.txt").write_text(text)
    print(text)


def step(operation) -> None:
    """Runs under step.c: a count of an empty loop, and one of an operation. Prints its runs."""
    import callgrind_ext

    once = min(operation.timer.timeit(1) for _ in range(20))
    runs = max(1, min(50, int(STEPPED / once)))
    operation.timer.timeit(max(runs, min(RUNS, int(WARMED / once))))  # a field is plain after some reads
    for timer in (Timer("pass"), operation.timer):
        gc.collect()
        callgrind_ext.begin()
        timer.timeit(runs)
        callgrind_ext.end()
    print(runs * operation.per_run)


def count_steps(folder: str, *script: str) -> list[tuple[float, list[tuple[float, str]]]]:
    """Instructions of each operation that a script passes to step(), altogether and by function."""
    with tempfile.TemporaryDirectory() as scratch:
        output = pathlib.Path(scratch) / "counts"
        command = [f"{folder}/step", output, sys.executable, *script]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        counted = stepping.counts(output)
    made = []
    for empty, counts, line in zip(counted[::2], counted[1::2], done.stdout.splitlines(), strict=True):
        counts.subtract(empty)
        number = int(line)
        made.append((counts.total() / number, [(count / number, name) for name, count in counts.most_common()]))
    return made


def profile_go(folder: str, parts: list[str]) -> None:
    """Counts the operations of go_functions.py, and the same in Rust, each in a process of its own."""
    for name, peers in go_operations(folder).items():
        if (parts and not any(part in name for part in parts)) or any(word in name for word in NOT_STEPPED):
            continue
        ((total, functions),) = count_steps(folder, __file__, "--stepping", "selfsame", folder, name)
        text = f"{name} (go): {total:.0f} instructions"
        for peer, where in (("pyo3", "in PyO3"), ("floor", "floor")):
            if peer in peers:
                ((theirs, _),) = count_steps(folder, __file__, "--stepping", peer, folder, name)
                text += f", {where} {theirs:.0f}"
        least = max(LEAST, total / 200)
        shown = [f"{count:9.1f}  {function[:100]}" for count, function in functions[:SHOWN] if count >= least]
        write("go", name, text + "\n" + "\n".join(shown) + "\n")


def main() -> None:
    """Runs itself under callgrind or step.c, and writes the profiles."""
    if sys.argv[1] == "--counting":
        count(sys.argv[2], sys.argv[3], sys.argv[4:])
        return
    if sys.argv[1] == "--stepping":
        peer, folder, name = sys.argv[2:]
        step(go_operations(folder)[name][peer])
        return
    peer, folder, parts = sys.argv[1], sys.argv[2], sys.argv[3:]
    PROFILES.mkdir(exist_ok=True)
    if peer == "go":
        profile_go(folder, parts)
        return
    with tempfile.TemporaryDirectory() as scratch:
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--quiet"]
        command += [f"--callgrind-out-file={scratch}/out", sys.executable, __file__, "--counting", peer, folder, *parts]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        lines = [line.split("\t") for line in done.stdout.splitlines()]
        dumps = [pathlib.Path(scratch) / f"out.{i + 1}" for i in range(len(lines))]
        empty: collections.Counter = collections.Counter()
        for dump, (number, name) in zip(dumps, lines):
            functions = by_function(dump)
            per = {function: cost / int(number) for function, cost in functions.items()}
            if not name:
                empty = collections.Counter(per)
                continue
            rest = sorted(((cost - empty[function], function) for function, cost in per.items()), reverse=True)
            text = f"{name} ({peer}): {sum(cost for cost, _ in rest):.0f} instructions\n"
            text += "".join(f"{cost:9.1f}  {function[:100]}\n" for cost, function in rest[:SHOWN] if cost >= LEAST)
            write(peer, name, text)


if __name__ == "__main__":
    main()
