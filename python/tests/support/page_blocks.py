"""The code blocks of a page in docs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple


class Block(NamedTuple):
    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    """Every code block of a page, in order."""
    return [Block(*found) for found in re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)]
