"""Sentences of pages, comments and docstrings, and the doc comments of Go funcs that return something."""

import ast
import re
from collections.abc import Iterator

# The signs that a line of a comment begins with, by the suffix of the file.
COMMENT_SIGNS = {
    ".go": r"//(?!go:|export )",
    **dict.fromkeys((".c", ".cc", ".h"), r"//[/!]?|/\*+|\*(?!/)"),
}
GENERATED = re.compile(r"^// Code generated .* DO NOT EDIT\.$", re.MULTILINE)
# A doc comment's first line, and the name of the func that it belongs to.
GO_FUNC = re.compile(r"^(// .*)\n(?://.*\n)*func (?:\([^)]*\) )?(\w+)(?:\[.*?\])?(?=\()", re.MULTILINE)
LOOSE = re.compile(r"(?:Of (?:an?|the|these|those|each|several|one)|That of|Those (?:of|in)|One that)\b")
C_PREAMBLE = re.compile(r"(?:^//.*\n)+(?=import \"C\")", re.MULTILINE)


def comments(text: str, suffix: str) -> Iterator[str]:
    """Yields each run of lines that are comments, without the comment signs."""
    run: list[str] = []
    for line in [*text.splitlines(), ""]:
        found = re.match(rf"\s*(?:{COMMENT_SIGNS[suffix]}) ?(.*)", line)
        if found:
            run.append(found[1].removesuffix("*/").rstrip())
        elif run:
            yield "\n".join(run)
            run = []


def docstrings(text: str) -> Iterator[str]:
    """Yields the docstrings of a Python module, its classes and functions."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, kinds) and (doc := ast.get_docstring(node)):
            yield doc


def passages(text: str) -> Iterator[str]:
    """Yields paragraphs and items of lists. Code, rows of tables and headings are left out, and end a passage."""
    passage: list[str] = []
    indent = 0
    text = re.sub(r"^ *```.*?^ *```|<!--.*?-->", "\n", text, flags=re.MULTILINE | re.DOTALL)
    for line in [*text.splitlines(), ""]:
        depth = len(line) - len(line.lstrip())
        item = re.match(r"\s*(?:[*+-]|\d+\.) ", line)
        skipped = not line.strip() or line.startswith("\t") or re.search(r"^\s*(?:\||#)|\S {3,}\S|\t", line)
        if (skipped or item or depth != indent) and passage:
            yield " ".join(passage)
            passage = []
        if not skipped:
            passage.append(line.strip())
        indent = item.end() if item else depth


def sentences(text: str) -> Iterator[str]:
    """Yields the sentences of a text. Code in backquotes counts as one word, a link as the words that it shows."""
    for passage in passages(text):
        short = re.sub(r"``?[^`]+``?", "`code`", passage)
        short = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", short)
        yield from re.split(r"(?<=[.!?])[\"')*]*\s+", short)


def sentences_of(text: str, suffix: str) -> list[str]:
    """Returns the sentences of a page, or of the comments of a source."""
    if suffix == ".go" and GENERATED.search(text):
        return []
    if suffix == ".go":
        text = C_PREAMBLE.sub("", text)
    parts = [text] if suffix == ".md" else docstrings(text) if suffix == ".py" else comments(text, suffix)
    return [each for part in parts for each in sentences(part)]


def long_sentences(text: str, suffix: str, most: int = 40) -> list[str]:
    """Returns the sentences of a file that have more words than `most`."""
    return [each for each in sentences_of(text, suffix) if len(each.split()) > most]


def without_a_noun(text: str, suffix: str) -> list[str]:
    """Returns the sentences of a file that begin with what stands for a noun: "Of a", "That of", "One that"."""
    return [each for each in sentences_of(text, suffix) if LOOSE.match(each)]


def returns_something(signature: str) -> bool:
    """Says whether a Go func has results, from its text after the name."""
    depth = 0
    for at, character in enumerate(signature):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return signature[at + 1 :].lstrip(" ")[:1] not in ("{", "\n")
    return False


def is_not_returns(text: str) -> list[str]:
    """Returns the Go funcs that return something, and whose doc comment says that they are it."""
    funcs = [found for found in GO_FUNC.finditer(text) if found[1].startswith(f"// {found[2]} is ")]
    return [found[2] for found in funcs if returns_something(text[found.end() :])]


def is_no_verb(text: str) -> list[str]:
    """Returns the public functions of a Python module whose docstring begins with a noun; a property's is a noun."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_"):
            is_property = any(re.search("property|setter", ast.unparse(each)) for each in node.decorator_list)
            if not is_property and re.match(r"(?:The|An?|Whether|What|How)\b", ast.get_docstring(node) or ""):
                found.append(node.name)
    return found
