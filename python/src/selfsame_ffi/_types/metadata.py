"""Reads the JSON texts that describe native functions and members."""

from __future__ import annotations

import functools
import json
from typing import Any


def parsed(text: str) -> Any:
    """Return the value of a JSON text, which the caller must not change. Raises ValueError for another text."""
    return _parsed(text if type(text) is str else str(text))  # the cache keeps no native String alive


@functools.lru_cache(maxsize=256)  # of the members of a class, which several parts of an import ask about
def _parsed(text: str) -> Any:
    return json.loads(text)
