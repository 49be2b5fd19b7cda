"""Writes handbook.md, a reference of characters: a long document with every construct of CommonMark.

Usage: python handbook.py > handbook.md

The first chapters come from handbook_preface.md, the facts from Python's `unicodedata` and `html.entities`.
"""

import html.entities
import sys
import unicodedata
from pathlib import Path

PREFACE = Path(__file__).with_name("handbook_preface.md")
HEAD = "<!-- Written by handbook.py; change that file or handbook_preface.md, not this one. -->"

CHAPTERS = [
    (
        "ASCII marks",
        "The marks of the first typewriters and terminals. Nearly every one of them has a duty in some language.",
        [*range(0x21, 0x30), *range(0x3A, 0x41), *range(0x5B, 0x61), *range(0x7B, 0x7F)],
    ),
    ("ASCII digits", "Ten digits, in order, so that `c - '0'` is a digit's value.", range(0x30, 0x3A)),
    (
        "ASCII letters",
        "Twenty-six letters. Upper and lower case are 32 apart, which is one bit.",
        [*range(0x41, 0x5B), *range(0x61, 0x7B)],
    ),
    ("Latin-1", "What Western Europe added, in the order of the old eight-bit set.", range(0xA1, 0x100)),
    ("Latin Extended", "Letters of Central Europe, Turkey, the Baltic and others.", range(0x100, 0x131)),
    (
        "Greek",
        "The alphabet that mathematics borrows from most.",
        [*range(0x391, 0x3A2), *range(0x3A3, 0x3AA), *range(0x3B1, 0x3CA)],
    ),
    ("Cyrillic", "The basic Russian alphabet.", [*range(0x410, 0x430), *range(0x430, 0x450)]),
    (
        "Punctuation",
        "Dashes, quotes and dots that typewriters did without.",
        [
            0x2010,
            0x2013,
            0x2014,
            0x2018,
            0x2019,
            0x201A,
            0x201C,
            0x201D,
            0x201E,
            0x2020,
            0x2021,
            0x2022,
            0x2026,
            0x2030,
            0x2032,
            0x2033,
            0x2039,
            0x203A,
            0x203D,
            0x2044,
        ],
    ),
    ("Currency", "One sign each for the money of many countries.", range(0x20A0, 0x20B0)),
    ("Arrows", "For text that points.", range(0x2190, 0x21A0)),
    ("Mathematics", "Operators and relations.", range(0x2200, 0x2220)),
]

CATEGORY = {
    "Lu": "an upper-case letter",
    "Ll": "a lower-case letter",
    "Lo": "a letter without case",
    "Lt": "a title-case letter",
    "Lm": "a modifier letter",
    "Nd": "a decimal digit",
    "No": "a number of another kind",
    "Nl": "a letter used as a number",
    "Pc": "a connector",
    "Pd": "a dash",
    "Ps": "an opening bracket",
    "Pe": "a closing bracket",
    "Pi": "an opening quote",
    "Pf": "a closing quote",
    "Po": "a mark",
    "Sm": "a mathematical sign",
    "Sc": "a currency sign",
    "Sk": "a modifier sign",
    "So": "a sign of another kind",
    "Cf": "a format character",
    "Mn": "a combining mark",
    "Zs": "a space",
}

DIRECTION = {
    "L": "runs from left to right",
    "EN": "is a European digit",
    "ES": "separates European numbers",
    "ET": "ends European numbers",
    "CS": "separates numbers",
    "ON": "takes the direction of what stands around it",
    "BN": "has no direction at all",
}

MARKDOWN_DUTY = {
    "!": "before a bracket it makes an image",
    "#": "at the start of a line it makes a heading",
    "&": "it begins an entity",
    "(": "after a bracket it opens a destination",
    ")": "it closes a destination",
    "*": "it makes emphasis, list items and breaks",
    "+": "at the start of a line it makes a list item",
    "-": "it makes list items, breaks and headings",
    ".": "after a number it makes a list item",
    "<": "it opens HTML and automatic links",
    "=": "under a line it makes a heading",
    ">": "at the start of a line it makes a quote",
    "[": "it opens the text of a link",
    "\\": "it keeps the next mark from its duty",
    "]": "it closes the text of a link",
    "_": "it makes emphasis and breaks",
    "`": "it makes code",
    "~": "three of them open a block of code",
    ":": "after a bracket it makes a definition",
    '"': "it encloses a title",
    "'": "it encloses a title",
}


def escaped(char: str) -> str:
    """The character as Markdown text that means just that."""
    return "\\" + char if char.isascii() and not char.isalnum() else char


def span(char: str) -> str:
    """The character as code."""
    return "`` ` ``" if char == "`" else f"`{char}`"


def anchor(code: int) -> str:
    return f"#u{code:04x}"


def name(char: str) -> str:
    return unicodedata.name(char).capitalize()


def entity_names(char: str) -> list:
    """The entities of a character, the shortest first."""
    names = {n.rstrip(";") for n, value in html.entities.html5.items() if value == char}
    return sorted(names, key=lambda n: (len(n), n.swapcase()))


def entry(char: str, before: str, after: str, number: int) -> list:
    """The lines on one character."""
    code = ord(char)
    utf8 = char.encode()
    lines = [f"### {name(char)} {escaped(char)}", ""]
    kind = CATEGORY[unicodedata.category(char)]
    spelled = " ".join(f"`{b:02X}`" for b in utf8)
    lines += [
        f'<a id="u{code:04x}"></a>{span(char)} is **U+{code:04X}**, {kind},',
        f"number {code} in decimal. In UTF-8 it takes {len(utf8)} byte{'s' if len(utf8) > 1 else ''}, {spelled},",
        f"and it {DIRECTION[unicodedata.bidirectional(char)]}.",
        "",
    ]
    facts = []
    if char.upper() != char:
        more = "; *more than one letter*" if len(char.upper()) > 1 else ""
        facts.append(f"Upper case: {' '.join(span(c) for c in char.upper())}{more}")
    if char.lower() != char:
        facts.append(f"Lower case: {' '.join(span(c) for c in char.lower())}")
    if char.isnumeric():
        facts.append(f"Value: {unicodedata.numeric(char):g}")
    if unicodedata.mirrored(char):
        facts.append("It is drawn mirrored in text that runs from right to left")
    if facts:
        bullet = "*-+"[number % 3]
        lines += [f"{bullet} {fact}" for fact in facts] + [""]
    entities = entity_names(char)
    if entities:
        shown = ", ".join(f"`&{n};`" for n in entities[:3])
        lines += [f"In HTML: {shown}, which gives &{entities[0]};. See the [entity] table.", ""]
    parts = unicodedata.decomposition(char).split()
    if parts:
        tag = parts.pop(0) if parts[0].startswith("<") else ""
        pieces = " + ".join(f"`U+{p}`" for p in parts)
        form = f" (a *compatible* form, {escaped(tag[0])}{tag[1:]})" if tag else ""
        lines += [
            f"> Decomposed, it is {pieces}{form}.",
            "> Normalise before you compare, as the [Python guide][python] says.",
            "",
        ]
    if char in MARKDOWN_DUTY:
        lines += ["> In Markdown it has a duty:", f"> {MARKDOWN_DUTY[char]}.", ""]
    if number % 4 == 0:
        lines += ["```python", f'>>> "\\N{{{unicodedata.name(char)}}}".encode()', repr(utf8), "```", ""]
    elif number % 4 == 1 and len(utf8) > 1:
        lines += [
            "~~~ go",
            f"r := '\\u{code:04x}' // {unicodedata.name(char).lower()}",
            f"fmt.Println(utf8.RuneLen(r)) // {len(utf8)}",
            "~~~",
            "",
        ]
    elif number % 4 == 2:
        lines += [f"    U+{code:04X}  ->  {utf8.hex(' ').upper()}", ""]
    neighbours = []
    if before:
        neighbours.append(f'[{name(before)}]({anchor(ord(before))} "the one before")')
    if after:
        neighbours.append(f"[{name(after)}](<{anchor(ord(after))}> 'the one after')")
    if neighbours:
        lines += ["Neighbours: " + ", ".join(neighbours) + ".", ""]
    return lines


def chapter(number: int, title: str, about: str, codes) -> list:
    chars = [chr(c) for c in codes]
    lines = [title, "-" * len(title), "", about, ""]
    lines += [
        f"{number}. {len(chars)} characters, from {span(chars[0])} to {span(chars[-1])}",
        f"{number + 1}. {sum(c.isalpha() for c in chars)} of them letters",
        "",
    ]
    for i, char in enumerate(chars):
        lines += entry(char, chars[i - 1] if i else "", chars[i + 1] if i + 1 < len(chars) else "", i)
        if i % 16 == 15:
            lines += [("***", "---", "_ _ _")[i // 16 % 3], ""]
    return lines


def main() -> None:
    lines = [HEAD, "", PREFACE.read_text(encoding="utf-8")]
    for number, (title, about, codes) in enumerate(CHAPTERS, 1):
        lines += chapter(number, title, about, codes)
    lines += [
        "## The end",
        "",
        "Every character above occurs in this file. If one of them arrived broken,",
        "something between the file and you does not know [UTF-8][utf8].",
    ]
    sys.stdout.buffer.write(("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    main()
