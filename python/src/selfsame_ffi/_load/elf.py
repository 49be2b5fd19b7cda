"""Reads the undefined symbols of a shared library, and whether its file is whole."""

from __future__ import annotations

import mmap
import os
import struct
from typing import Any

_HEADER = struct.Struct("<32xQ14xHH")
_PART = struct.Struct("<IIQQQQQQ")
_LOADED = 1
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_DYNSYM = 11
_WEAK = 2


def undefined_symbols(path: Any) -> set[str]:
    """Names of the undefined symbols of a 64-bit little-endian ELF library, but weak ones; empty for any other file."""
    try:
        # Mapped: a Go library has tens of megabytes, and its symbols lie in some of them.
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _undefined(data)
    except (OSError, struct.error, IndexError, ValueError):
        return set()  # the loader will report that file


def cut_off(path: Any) -> bool:
    """Return whether a 64-bit little-endian ELF file ends before what its header says is loaded; False for others.

    The loader maps such a file nevertheless, and the process ends where it uses what is missing.
    """
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            header = file.read(64)
            if header[:6] != b"\x7fELF\x02\x01" or len(header) < 64:
                return False
            table, length, count = _HEADER.unpack_from(header)
            file.seek(table)
            parts = file.read(length * count)
        for at in range(0, length * count, length):
            kind, _flags, offset, _address, _physical, stored, *_ = _PART.unpack_from(parts, at)
            if kind == _LOADED and offset + stored > size:
                return True
        return False
    except OSError:
        return False  # the loader will report that file
    except (struct.error, ValueError):
        return True  # the list of the parts is cut off itself


def _undefined(data: mmap.mmap) -> set[str]:
    if data[:6] != b"\x7fELF\x02\x01":
        return set()
    (table,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    sections = [_SECTION.unpack_from(data, table + i * size) for i in range(count)]
    names: set[str] = set()
    for _name, kind, _flags, _address, offset, length, link, _info, _align, _entry in sections:
        if kind != _DYNSYM:
            continue
        strings = sections[link][4]
        for at in range(offset, offset + length, _SYMBOL.size):
            name, kind_of_symbol, _other, section, _value, _size = _SYMBOL.unpack_from(data, at)
            if section == 0 and name and kind_of_symbol >> 4 != _WEAK:
                start = strings + name
                end = data.find(b"\0", start)
                if end < 0:
                    raise ValueError("a name without an end")
                names.add(data[start:end].decode("utf-8", "replace"))
    return names
