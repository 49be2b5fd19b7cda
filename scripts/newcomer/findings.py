"""The findings that doctor's Go sources can make."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple


class Finding(NamedTuple):
    """One check in the output of `doctor --json`."""

    check: str
    status: str
    found: str
    mend: str


class Expected(NamedTuple):
    """A call of `add`. An empty status is that of a variable; the texts of `mend` must stand in the finding's."""

    place: str
    status: str
    found: re.Pattern[str]
    mend: tuple[str, ...]

    def fits(self, finding: Finding) -> bool:
        return (
            self.status in ("", finding.status)
            and self.found.fullmatch(finding.found) is not None
            and all(text in finding.mend for text in self.mend)
        )


LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"|`([^`]*)`')


def arguments(text: str) -> list[str]:
    """The arguments of a call, from behind its opening parenthesis."""
    parts, depth, i = [""], 0, 0
    while depth >= 0:
        literal = LITERAL.match(text, i)
        piece = literal[0] if literal else text[i]
        depth += (piece in "([{") - (piece in ")]}")
        if piece == "," and depth == 0:
            parts.append("")
        elif depth >= 0:
            parts[-1] += piece
        i += len(piece)
    return parts


def literals(expression: str) -> list[str]:
    return [(m[1] or m[2] or "").replace('\\"', '"') for m in LITERAL.finditer(expression)]


def expected_findings(folder: Path) -> list[Expected]:
    """Every call of `add` in the sources."""
    found = []
    for path in sorted(folder.glob("*.go")):
        text = path.read_text()
        for call in () if path.name.endswith("_test.go") else re.finditer(r"\be\.add\(", text):
            _, status, mend, message, *_ = arguments(text[call.end() :])
            pattern = re.sub(r"%[a-z]", ".*", re.escape("".join(literals(message))))
            known = {"OK": "ok", "Warning": "warning", "Problem": "problem"}.get(status.strip(), "")
            place = f"{path.name}:{text.count(chr(10), 0, call.start()) + 1}: {message.strip()}"
            found.append(Expected(place, known, re.compile(pattern, re.DOTALL), tuple(filter(None, literals(mend)))))
    return found
