"""Packs the inputs of a fuzzer into one file: a line of hexadecimal digits per input, sorted by length.

Usage: corpus.py pack DIRECTORY... FILE      writes the inputs in the directories, libFuzzer's or Go's, into the file
       corpus.py unpack FILE DIRECTORY       writes each input in the file into a file of its own, for libFuzzer

`pack` leaves out inputs longer than LIMIT bytes, because every test run reads the whole corpus.
"""

from __future__ import annotations

import ast
import hashlib
import pathlib
import re
import sys

LIMIT = 160
GO_VALUE = re.compile(rb'^(?:\[\]byte|string)\((".*")\)$', re.DOTALL)


def read(path: pathlib.Path) -> bytes:
    """The bytes of an input. Go's files have a head line and then a literal."""
    data = path.read_bytes()
    head, _, rest = data.partition(b"\n")
    if head != b"go test fuzz v1":
        return data
    match = GO_VALUE.match(rest.strip())
    if match is None:
        raise ValueError(f"{path}: expected one []byte or string, got {rest!r}")
    return go_literal(match.group(1).decode())


def go_literal(text: str) -> bytes:
    """The bytes of a Go literal: its escapes are those of Python's bytes literals, and \\u and \\U for UTF-8."""

    def spelt_out(match: re.Match[str]) -> str:
        escape = match.group(0)
        if escape[1] in "uU":
            return "".join(f"\\x{b:02x}" for b in chr(int(escape[2:], 16)).encode())
        return escape

    escaped = re.sub(r"\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\.", spelt_out, text)
    plain = "".join(c if ord(c) < 128 else "".join(f"\\x{b:02x}" for b in c.encode()) for c in escaped)
    value = ast.literal_eval("b" + plain)
    assert isinstance(value, bytes)
    return value


def pack(directories: list[pathlib.Path], file: pathlib.Path) -> None:
    inputs = {read(p) for d in directories for p in d.iterdir() if p.is_file()}
    kept = sorted((i for i in inputs if 0 < len(i) <= LIMIT), key=lambda i: (len(i), i))
    file.write_text("".join(i.hex() + "\n" for i in kept))
    print(f"{file}: {len(kept)} of {len(inputs)} inputs")


def unpack(file: pathlib.Path, directory: pathlib.Path) -> None:
    if not file.exists():
        return
    for line in file.read_text().split():
        data = bytes.fromhex(line)
        (directory / hashlib.sha1(data).hexdigest()).write_bytes(data)


def main(args: list[str]) -> int:
    paths = [pathlib.Path(a) for a in args[1:]]
    if args[:1] == ["pack"] and len(paths) >= 2:
        pack(paths[:-1], paths[-1])
    elif args[:1] == ["unpack"] and len(paths) == 2:
        unpack(*paths)
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
