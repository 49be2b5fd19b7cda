"""The changelog and its fragments: each change that users notice brings a file changes/TOPIC.KIND.md.

    changelog.py --check            every fragment and every section is well-formed
    changelog.py --notes [VERSION]  prints the notes of a release: its section, or what the fragments make
    changelog.py --release DATE     writes the section of this version from the fragments and removes them

KIND is one of: breaking, deprecated, added, changed, fixed, security. A fragment is one paragraph or list item in
Markdown for users. `make api-diff` wants a breaking one that names, in backquotes, each name that it finds broken.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from scripts.tools.commands import ROOT, Failed

KINDS = {
    "breaking": "Breaking changes",
    "deprecated": "Deprecated",
    "added": "New",
    "changed": "Changed",
    "fixed": "Fixed",
    "security": "Security",
}
SECTION = re.compile(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)$", re.MULTILINE)


def version(root: Path = ROOT) -> str:
    """The version in the C header."""
    return re.findall(r'VERSION "(.+)"', (root / "abi/include/selfsame/version.h").read_text())[0]


def fragments(root: Path = ROOT) -> dict[str, list[str]]:
    """The texts of the fragments by kind, in the order of their names. Failed for one that is not well-formed."""
    found: dict[str, list[str]] = {}
    for path in sorted((root / "changes").iterdir()):
        if path.name == "README.md":
            continue
        parts = path.name.split(".")
        if len(parts) != 3 or parts[1] not in KINDS or parts[2] != "md":
            raise Failed(f"changes/{path.name}: expected TOPIC.KIND.md, with KIND one of {', '.join(KINDS)}")
        text = path.read_text().strip()
        if not text or "\n\n" in text or text.startswith(("#", "*", "-")):
            raise Failed(f"changes/{path.name}: expected one paragraph, without a bullet or heading")
        found.setdefault(parts[1], []).append(text)
    return found


def notes_of(texts: dict[str, list[str]]) -> str:
    """The notes that fragments make."""
    parts = []
    for kind, title in KINDS.items():
        if texts.get(kind):
            items = "\n".join("* " + text.replace("\n", "\n  ") for text in texts[kind])
            parts.append(f"### {title}\n\n{items}\n")
    return "\n".join(parts)


def sections(text: str) -> dict[str, str]:
    """The body of each release in the changelog, newest first. Failed when one stands twice or out of order."""
    heads = list(SECTION.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    found = {head[1]: text[head.end() : end].strip() for head, end in zip(heads, ends)}
    order = [tuple(map(int, name.partition("-")[0].split("."))) for name in found]
    if len(found) != len(heads) or order != sorted(order, reverse=True):
        raise Failed("CHANGELOG.md: the releases must stand once each, the newest first")
    return found


def notes(wanted: str, root: Path = ROOT) -> str:
    """The notes of a release: its section in CHANGELOG.md; for a version without one, what the fragments make."""
    written = sections((root / "CHANGELOG.md").read_text())
    if wanted in written:
        return written[wanted] + "\n"
    text = notes_of(fragments(root))
    if not text:
        raise Failed(f"CHANGELOG.md has no section {wanted}, and changes/ has no fragment")
    return text


def release(date: str, root: Path = ROOT) -> None:
    """Write the section of this version and remove the fragments."""
    page = root / "CHANGELOG.md"
    text, name = page.read_text(), version(root)
    if name in sections(text):
        raise Failed(f"CHANGELOG.md has a section {name} already")
    body = notes_of(fragments(root))
    if not body or not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        raise Failed("--release: expected fragments in changes/ and a date such as 2026-12-01")
    first = SECTION.search(text)
    at = first.start() if first else len(text)
    page.write_text(f"{text[:at].rstrip()}\n\n## {name} ({date})\n\n{body}" + (f"\n{text[at:]}" if first else ""))
    for path in (root / "changes").iterdir():
        if path.name != "README.md":
            path.unlink()


def main(arguments: list[str]) -> None:
    if arguments == ["--check"]:
        fragments()
        sections((ROOT / "CHANGELOG.md").read_text())
    elif arguments[:1] == ["--notes"] and len(arguments) <= 2:
        print(notes((arguments[1:] or [version()])[0]), end="")
    elif arguments[:1] == ["--release"] and len(arguments) == 2:
        release(arguments[1])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
