"""Texts for ffi.json.Parse: what the standard forbids and parsers accept or refuse in different ways."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Callable

from sample_values import string

from abi import Library, Raised

# Every text of up to this many of these characters: all ways to write a short number well or badly.
NUMBER_CHARACTERS, MOST_CHARACTERS = b"01.e+-", 4

TEXTS = [
    b"-.5e1", b"1e-05", b"0001.5", b"0x1", b"1_0", b"1E5", b"1e400", b"-1e400", b"1e-400", b"1.5.5", b"123abc",
    b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"-9223372036854775809",
    b"18446744073709551615", b"99999999999999999999999999", b"0.1", b"1e22", b"5e-324", b"2.2250738585072011e-308",
    b"NaN", b"nan", b"-NaN", b"Infinity", b"-Infinity", b"+Infinity", b"inf", b"true", b"True", b"tru", b"true1",
    b"null", b"nulll", b"None", b"false ", b"", b"  ", b"\xef\xbb\xbf1", b"/*c*/1", b"1//c", b"#1", b"\x0c1", b"\x0b1",
    b"\xc2\xa01", b"1\0", b"\x001", b"1 1", b"1,", b"[", b"[1", b"[1,", b"[1,]", b"[,1]", b"[1 2]", b"[]]", b"[}",
    b"{", b'{"a"', b'{"a":', b'{"a":1', b'{"a":1,', b'{"a":1,}', b'{"a":1 "b":2}', b"{a:1}", b"{1:2}", b"{,}", b"{}}",
    b'{"a":1,"a":2}', b'{"":0}', b"[01,+1,.5,1.]", b"'a'", b'"a', b'"a\\', b'"\\x41"', b'"\\u00"', b'"\\u12G4"',
    b'"\\u0000"', b'"\\ud800"', b'"\\udc00"', b'"\\ud800\\udc00"', b'"\\ud800\\u0041"', b'"\\ud800x"', b'"\t"',
    b'"\\/"', b'"\x01"', b'"\x7f"', b'"\x00"', b'"\xff"', b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"',
    b'"a"b', b'"a" "b"', b"\n\n [\n1\n2]",
]  # fmt: skip


def every_text(lib: Library) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield a case for each text: the value that it is parsed to, or the error."""
    lengths = range(1, MOST_CHARACTERS + 1)
    short = (bytes(text) for n in lengths for text in itertools.product(NUMBER_CHARACTERS, repeat=n))
    for text in dict.fromkeys(itertools.chain(short, TEXTS)):
        yield f"ffi.json.Parse of {text!r}", lambda text=text: parsed(lib, text)


def parsed(lib: Library, text: bytes) -> str:
    """Return what a text is parsed to."""
    try:
        return lib.describe(lib.call("ffi.json.Parse", string(text)(lib)))
    except Raised as error:
        return f"raises {error}"
