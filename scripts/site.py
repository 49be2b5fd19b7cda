"""Stages the pages of the documentation site in build/site-pages, for mkdocs: `make docs`.

Copies docs/, README.md and RATIONALE.md, with links to other files of the repository turned into links to its host, and
writes the reference of Go (go doc), C (the public headers), Python (mkdocstrings) and the command line (its commands).
A link to a file that does not exist ends it with 1; mkdocs finds links to missing pages and headings.

Usage: python3 -m scripts.site
"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
import sys
from pathlib import Path

from scripts.tools.commands import GO, ROOT, VERSION, run

PAGES = ROOT / "build" / "site-pages"
HOST = "https://github.com/selfsame-ffi/selfsame/blob/main/"
# A link, or code in a line, which has no links. The text of a link may contain code.
LINK = re.compile(r"(!?\[(?:[^\]\n`]|`[^`\n]*`)*\])\(([^()\s]+)\)|`[^`\n]+`")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADERS = ("c_api.h", "selfsame.h", "tie.h", "version.h")
MODULES = ("", "container", "dataclasses", "debug", "error", "module", "registry", "serialization", "structural", "cpp")
# What a page begins with that the search shows before longer ones with the same words.
FOUND_FIRST = "---\nsearch:\n  boost: 4\n---\n\n"

dead: list[str] = []


def target_of(page: str, link: str) -> str:
    """The link of a staged page for a link in ``page``, a path in the repository."""
    if re.match(r"[a-z]+:", link) or link.startswith("#"):
        return link
    path, mark, anchor = link.partition("#")
    where = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    if not (ROOT / where).exists():
        dead.append(f"{page}: {link}")
        return link
    if where == "README.md":
        where = "docs/index.md"
    if where.startswith("docs/") or where in ("RATIONALE.md", "CHANGELOG.md"):
        staged_as = re.sub(r"\.ipynb$", ".md", where.removeprefix("docs/"))
        folder = posixpath.dirname(page.removeprefix("docs/"))
        return posixpath.relpath(staged_as, folder or ".") + mark + anchor
    return HOST + where + mark + anchor


def link_of(page: str, found: re.Match[str]) -> str:
    """A link of ``page`` as its staged page has it. One whose words are the name of a page gets that page's title."""
    words, path = found[1], posixpath.normpath(posixpath.join(posixpath.dirname(page), found[2].partition("#")[0]))
    if words == f"[{posixpath.basename(path)}]" and path.endswith(".md") and (ROOT / path).is_file():
        words = f"[{(ROOT / path).read_text().partition('# ')[2].partition(chr(10))[0]}]"
    return f"{words}({target_of(page, found[2])})"


def staged(page: str, text: str | None = None) -> str:
    """The text of a page, or one that stands in its place, with its links changed, outside code."""
    text = (ROOT / page).read_text() if text is None else text
    out, at = [], 0
    for code in [*CODE.finditer(text), None]:
        end = len(text) if code is None else code.start()
        out.append(LINK.sub(lambda found: link_of(page, found) if found[1] else found[0], text[at:end]))
        if code is not None:
            out.append(code[0])
            at = code.end()
    return "".join(out)


def notebook(path: Path) -> str:
    """A notebook as the text of a page: its cells, and under each what it printed."""
    parts = []
    for cell in json.loads(path.read_text())["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
            continue
        parts.append(f"```python\n{text}\n```")
        outputs = [output.get("text") or output["data"]["text/plain"] for output in cell["outputs"]]
        if outputs:
            parts.append("```text\n" + "".join("".join(output) for output in outputs).rstrip("\n") + "\n```")
    return "\n\n".join(parts) + "\n"


def go_reference() -> str:
    listed = run(GO, "doc", "-all", ".")
    names = sorted(set(re.findall(r"^(?:func|type) (?:\([^)]*\) )?([A-Z]\w*)", listed, re.MULTILINE)))
    head = (
        f"# Go: package selfsame\n\nWhat `go doc -all github.com/selfsame-ffi/selfsame` prints, {len(names)} names.\n\n"
    )
    return f"{head}```go\n{listed}\n```\n\n## Package selfsame/tvm\n\n```go\n{run(GO, 'doc', '-all', './tvm')}\n```\n"


def c_reference() -> str:
    parts = ["# C: the public headers\n\nFunctions, types and constants, with their rules of ownership.\n"]
    for name in HEADERS:
        text = (ROOT / "abi/include/selfsame" / name).read_text()
        parts.append(f"## selfsame/{name}\n\n```c\n{text}\n```\n")
    return "\n".join(parts)


def python_reference() -> dict[str, str]:
    """The pages of the Python package by their names: one of its own names, and one of each public module."""
    pages = {}
    for module in MODULES:
        name = f"selfsame_ffi.{module}".rstrip(".")
        title = f"module {name}" if module else f"package {name}"
        pages[f"python-{module}".rstrip("-")] = f"# Python: {title}\n\n::: {name}\n"
    return pages


def main() -> None:
    shutil.rmtree(PAGES, ignore_errors=True)
    (PAGES / "reference").mkdir(parents=True)
    for path in sorted((ROOT / "docs").iterdir()):
        if path.suffix == ".md":
            head = FOUND_FIRST if path.name == "faq.md" else ""
            (PAGES / path.name).write_text(head + staged(f"docs/{path.name}"))
        elif path.is_dir():
            shutil.copytree(path, PAGES / path.name)
        else:
            shutil.copy2(path, PAGES / path.name)
    for path in sorted((ROOT / "docs/notebooks").glob("*.ipynb")):
        (PAGES / "notebooks" / path.name).unlink()
        page = staged(f"docs/notebooks/{path.name}", notebook(path))
        (PAGES / "notebooks" / f"{path.stem}.md").write_text(page)
    (PAGES / "index.md").write_text(f"{staged('README.md')}\nThese pages are of version {VERSION}.\n")
    for name in ("RATIONALE.md", "CHANGELOG.md"):
        (PAGES / name).write_text(staged(name))
    (PAGES / "reference" / "go.md").write_text(go_reference())
    (PAGES / "reference" / "c.md").write_text(c_reference())
    for name, text in python_reference().items():
        (PAGES / "reference" / f"{name}.md").write_text(text)
    run(GO, "run", "-tags", "docs", "./cmd/selfsame-ffi", "reference", ROOT / "build" / "man")
    shutil.copy2(ROOT / "build" / "man" / "command-line.md", PAGES / "reference" / "command-line.md")
    if dead:
        sys.exit("site.py: links to nothing:\n" + "\n".join(dead))


if __name__ == "__main__":
    main()
