"""Reads the undefined symbols of a shared library."""

from __future__ import annotations

import struct
from typing import Any

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_DYNSYM = 11
_WEAK = 2


def undefined_symbols(path: Any) -> set[str]:
    """Names of the undefined symbols of a 64-bit little-endian ELF library, but weak ones; empty for any other file."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        return _undefined(data)
    except (OSError, struct.error, IndexError, ValueError):
        return set()  # the loader will report that file


def _undefined(data: bytes) -> set[str]:
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
                names.add(data[start : data.index(b"\0", start)].decode("utf-8", "replace"))
    return names
