"""Sources and documents do not use the phrases that docs/glossary.md lists under "Words not used"."""

import re

import pytest
from repository import ROOT, source_files

SUFFIXES = {".c", ".cc", ".go", ".h", ".md", ".py", ".pyi", ".rs", ".sh"}
# Only phrases that have no other meaning in a source file.
PHRASES = [
    "anew",
    "be it that",
    "by then",
    "for good",
    "goes on in",
    "hang together",
    "hangs together",
    "in between",
    "interpreter lock",
    "meanwhile",
    "one behind the other",
    "whoever",
]
# The page that lists the phrases, this list, and text that is not the project's own.
ALLOWED = {
    "docs/glossary.md",
    "scripts/checks/test_words.py",
    "examples/markdown/testdata/handbook.md",
    "examples/markdown/testdata/handbook_preface.md",
}


def own_texts() -> dict[str, str]:
    """Text of each file by its path; a comment of several lines is one line without its comment signs."""
    texts = {}
    for path in source_files(*SUFFIXES):
        where = path.relative_to(ROOT).as_posix()
        if where not in ALLOWED:
            texts[where] = re.sub(r"\s*\n\s*(?:///?|//!|#|\*)?\s*", " ", path.read_text(encoding="utf-8"))
    return texts


@pytest.fixture(scope="module")
def texts():
    return own_texts()


@pytest.mark.parametrize("phrase", PHRASES)
def test_phrase_is_not_used(texts, phrase):
    pattern = re.compile(rf"\b{phrase}\b", re.IGNORECASE)
    found = {where: len(pattern.findall(text)) for where, text in texts.items() if pattern.search(text)}
    assert found == {}
