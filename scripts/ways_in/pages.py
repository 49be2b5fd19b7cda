"""The commands of a page's shell blocks."""

from __future__ import annotations

import re

from scripts.tools.commands import ROOT


def shell_blocks(page: str) -> list[list[str]]:
    """The lines of each block of commands, without comments."""
    blocks = re.findall(r"^```(?:sh|console)\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    return [[re.sub(r"\s+#.*", "", line) for line in block.splitlines()] for block in blocks]


def block_with(page: str, command: str) -> list[str]:
    """The lines of the first block of the page that has the line `command`."""
    for block in shell_blocks(page):
        if command in block:
            return block
    raise AssertionError(f"{page} has no block with the command {command}")
