"""Reads what step.c wrote: instructions by function.

A process of Go runs under no callgrind, so step.c counts its instructions one by one; here each address becomes the
name of the function that it lies in.
"""

from __future__ import annotations

import bisect
import collections
import os
import pathlib
import re
import subprocess

LOAD = re.compile(r"\s+LOAD\s+0x(\w+)\s+0x(\w+)\s+0x\w+\s+0x(\w+)")


class Library:
    """The functions of an ELF file, by the offset of their code in it."""

    def __init__(self, path: str):
        self.name = os.path.basename(path)
        loads = []
        self.at, self.names = [], []
        if not os.path.exists(path):
            return
        for line in run("readelf", "-lW", path):
            if match := LOAD.match(line):
                loads.append(tuple(int(part, 16) for part in match.groups()))
        found = {}
        for dynamic in ([], ["-D"]):
            for line in run("nm", *dynamic, "--defined-only", path):
                address, kind, name = line.split(" ", 2)
                if kind in "tTwWi":
                    found[int(address, 16)] = name.split("@")[0]
        for address, name in sorted(found.items()):
            for offset, virtual, size in loads:
                if virtual <= address < virtual + size:
                    self.at.append(address - virtual + offset)
                    self.names.append(name)

    def function(self, offset: int) -> str:
        """The name of the function at an offset in the file."""
        i = bisect.bisect_right(self.at, offset) - 1
        return f"{self.names[i] if i >= 0 else '?'} ({self.name})"


def run(*command: str) -> list[str]:
    """The lines that a command prints."""
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.splitlines()


def counts(path: pathlib.Path) -> list[collections.Counter]:
    """The instructions by function, for each count in a file of step.c."""
    areas: list[tuple[int, int, int, str]] = []
    libraries: dict[str, Library] = {}
    all_counts: list[collections.Counter] = []
    for line in path.read_text().splitlines():
        first, rest = line.split(" ", 1)
        if first == "map":
            bounds, _, offset, _, _, *name = rest.split(maxsplit=5)
            begin, end = (int(bound, 16) for bound in bounds.split("-"))
            areas.append((begin, end, int(offset, 16), name[0] if name else "?"))
        elif first == "count":
            all_counts.append(collections.Counter())
        else:
            address = int(first, 16)
            for begin, end, offset, name in areas:
                if begin <= address < end:
                    if name not in libraries:
                        libraries[name] = Library(name)
                    all_counts[-1][libraries[name].function(address - begin + offset)] += int(rest)
                    break
            else:
                all_counts[-1]["?"] += int(rest)
    return all_counts
