"""No sentence has more than 40 words; a Go func that returns something says so; Python functions say what they do."""

import pytest
from repository import ROOT, tracked_files

from scripts.checks import sentences

LONG = "word " * 41
# A table that is generated, with the texts of the rows as they were written elsewhere.
GENERATED = {"docs/requirements.md"}
SUFFIXES = (".md", ".go", ".c", ".cc", ".h", ".py")


def found_by(check):
    """What a check of sentences finds in each page and source, by file."""
    found = {}
    for name in tracked_files():
        path = ROOT / name
        if path.suffix in SUFFIXES and name not in GENERATED and path.is_file():
            if wrong := check(path.read_text(errors="replace"), path.suffix):
                found[name] = wrong
    return found


def test_no_sentence_has_more_than_forty_words():
    assert found_by(sentences.long_sentences) == {}


def test_sentences_begin_with_what_they_are_about():
    assert found_by(sentences.without_a_noun) == {}


def test_doc_comments_of_funcs_say_what_they_return():
    found = {}
    for name in tracked_files():
        if name.endswith(".go"):
            wrong = sentences.is_not_returns((ROOT / name).read_text())
            if wrong:
                found[name] = wrong
    assert found == {}


def test_docstrings_of_functions_begin_with_a_verb():
    found = {}
    for name in tracked_files():
        if name.startswith("python/src/") and name.endswith(".py") and (ROOT / name).is_file():
            wrong = sentences.is_no_verb((ROOT / name).read_text())
            if wrong:
                found[name] = wrong
    assert found == {}


@pytest.mark.parametrize(
    "text, suffix",
    [
        (f"A page.\n\n{LONG}.\n", ".md"),
        (f"* an item\n* {LONG}.\n", ".md"),
        (f"package p\n\n// F does it. {LONG}.\nfunc F() {{}}\n", ".go"),
        (f"package p\n\n// F does it: {'word ' * 30}\n// {'word ' * 30}.\nfunc F() {{}}\n", ".go"),
        (f"/* {LONG}. */\nint f(void);\n", ".h"),
        (f'"""A module. {LONG}."""\n', ".py"),
        (f'def f():\n    """Does it.\n\n    {LONG}.\n    """\n', ".py"),
    ],
)
def test_a_long_sentence_is_found(text, suffix):
    assert len(sentences.long_sentences(text, suffix)) == 1


@pytest.mark.parametrize(
    "text, suffix",
    [
        (f"```\n{LONG}\n```\n", ".md"),
        (f"| {LONG} | b |\n", ".md"),
        (f"{'word ' * 39}end. {'word ' * 39}end.\n", ".md"),
        (f"package p\n\nvar x = `{LONG}`\n", ".go"),
        (f'x = "{LONG}"\n', ".py"),
    ],
)
def test_code_and_short_sentences_are_left_alone(text, suffix):
    assert sentences.long_sentences(text, suffix) == []


def test_a_func_that_is_what_it_returns_is_found():
    source = (
        "// Sum is the sum.\nfunc Sum(a func(int) int, b int) int { return 0 }\n\n// Set is done.\nfunc Set() {\n}\n"
    )
    method = "// Len is the length.\nfunc (s *S[T]) Len() (n int, err error) { return }\n"
    assert sentences.is_not_returns(source) == ["Sum"]
    assert sentences.is_not_returns(method) == ["Len"]
    assert sentences.is_not_returns("// Sum returns the sum.\nfunc Sum() int { return 0 }\n") == []


def test_a_docstring_that_begins_with_a_noun_is_found():
    size = '    @property\n    def size(self):\n        """The size."""\n'
    source = f'class C:\n{size}\n    def sum(self):\n        """The sum."""\n'
    assert sentences.is_no_verb(source) == ["sum"]
    assert sentences.is_no_verb('def sum():\n    """Return the sum."""\n') == []


@pytest.mark.parametrize(
    "text", ["Of a list it takes the first.", "A list. That of a set differs.", "One that ends is freed."]
)
def test_a_sentence_without_its_noun_is_found(text):
    assert len(sentences.without_a_noun(text, ".md")) == 1
    assert sentences.without_a_noun("The first of a list. One of them ends.", ".md") == []
