"""Whether two builds of a wheel, in two folders, are the same bytes; the names of the files that differ."""

from __future__ import annotations

import zipfile
from pathlib import Path


def differences(first: Path, second: Path) -> list[str]:
    """The files that one of two wheels lacks or has with another content or mode, or "order and times" for the rest."""
    with zipfile.ZipFile(first) as a, zipfile.ZipFile(second) as b:
        left, right = ({i.filename: i for i in archive.infolist()} for archive in (a, b))
        found = sorted(left.keys() ^ right.keys())
        for name in sorted(left.keys() & right.keys()):
            if a.read(name) != b.read(name) or left[name].external_attr != right[name].external_attr:
                found.append(name)
    if not found and first.read_bytes() != second.read_bytes():
        found.append("order and times")
    return found
