"""The Python package that `selfsame-ffi build` makes of the Go package markdown."""

# Requirement: D1

import copy
import gc
import inspect
import traceback
import weakref

import markdown
import pytest
import selfsame_ffi
from markdown_helpers import live, walk


def kinds(node):
    return {type(n).__name__ for n in walk(node)}


# ---- the tree ----


def test_parse_makes_the_tree(doc):
    assert isinstance(doc, markdown.Document)
    heading, paragraph, items, second, code, quote = doc.children
    assert (heading.level, heading.line, heading.text_content()) == (1, 1, "One big heading")
    assert [type(n).__name__ for n in heading.children] == ["Text", "Emphasis", "Text"]
    link = paragraph.children[1]
    assert isinstance(link, markdown.Link)
    assert (link.destination, link.title, link.text_content()) == ("/to", "the title", "link")
    assert isinstance(items, markdown.List)
    assert (items.ordered, items.tight, items.marker, len(items.children)) == (False, True, "-", 2)
    assert (second.level, second.line) == (2, 8)
    assert isinstance(code, markdown.FencedCodeBlock)
    assert (code.language, code.code) == ("go", "x := 1\n")
    assert isinstance(quote, markdown.Blockquote)
    assert quote.text_content() == "quoted"


def test_nodes_inherit_from_node(doc):
    assert isinstance(doc, markdown.Node)
    assert isinstance(doc, selfsame_ffi.Object)
    assert issubclass(markdown.Heading, markdown.Node)
    assert markdown.Heading.__mro__[1] is markdown.Node


def test_every_kind_of_node_occurs_in_the_handbook(handbook_text):
    handbook = markdown.parse(handbook_text)
    classes = {n for n in markdown.__all__ if isinstance(getattr(markdown, n), type)} - {"Node"}
    assert kinds(handbook) == classes


def test_functions_walk_the_tree(doc):
    assert [n.text_content() for n in markdown.headings(doc)] == ["One big heading", "Two"]
    assert [type(n).__name__ for n in markdown.links(doc)] == ["Link", "AutoLink"]
    met = []
    markdown.walk(doc, met.append)
    assert all(a is b for a, b in zip(met, walk(doc)))
    assert len(met) == len(list(walk(doc)))
    met = []
    markdown.walk(doc, lambda n: met.append(n) or isinstance(n, markdown.Document))
    assert met == [doc, *doc.children]
    tally = dict(line.split(": ") for line in markdown.tally(doc))
    assert tally["Heading"] == "2"
    assert sum(int(n) for n in tally.values()) == len(list(walk(doc)))


@pytest.mark.parametrize(
    "text", ["", "\n", "\ufeff", "a" * 100_000, "> " * 300 + "deep", "*" * 1000, "\x00", "é\u0301 \U0001f600"]
)
def test_odd_documents_are_parsed(text):
    doc = markdown.parse(text)
    assert isinstance(doc.text_content(), str)
    assert len(list(walk(doc))) >= 1


def test_fields_can_be_set(doc):
    heading = doc.children[0]
    heading.level = 3
    assert markdown.headings(doc)[0].level == 3
    code = doc.children[4]
    code.code = "y := 2 // a longer text than fits into the cell\n"
    assert code.text_content() == "y := 2 // a longer text than fits into the cell\n"
    with pytest.raises(AttributeError):
        heading.line = 7
    with pytest.raises(TypeError):
        heading.level = "three"
    with pytest.raises(AttributeError):
        del heading.level
    assert heading.level == 3


# ---- identity ----


# Requirement: C3
def test_nodes_have_identity(doc):
    node = doc.children[0]
    assert doc.children[0] is node
    assert markdown.echo(node) is node
    assert markdown.apply(lambda n: n, node) is node
    met = []
    markdown.apply(met.append, node)
    assert met[0] is node
    assert markdown.headings(doc)[0] is node
    assert markdown.heading(doc, 0) is node
    assert markdown.echo is selfsame_ffi.get_global_func("markdown.echo")


# Requirement: C7
def test_state_outlives_the_wrapper(doc):
    doc.children[0].note = ["seen"]
    reference = weakref.ref(doc.children[0])
    identity = id(doc.children[0])
    gc.collect()
    assert reference() is doc.children[0]
    assert doc.children[0].note == ["seen"]
    assert id(doc.children[0]) == identity
    assert copy.copy(doc.children[0].__dict__) == {"note": ["seen"]}


def test_subtree_outlives_the_document(doc):
    node = doc.children[5]
    del doc
    gc.collect()
    markdown.collect()
    assert node.text_content() == "quoted"


# ---- errors ----


# Requirement: D6
def test_go_error_becomes_an_exception(doc):
    for index in (2, -1, 10**9):
        with pytest.raises(IndexError, match=f"heading {index} of a document with 2 headings"):
            markdown.heading(doc, index)


def frames(error):
    return [f"{f.filename}:{f.name}" for f in traceback.extract_tb(error.__traceback__)]


# Requirement: D6
def test_go_stack_is_in_the_traceback(doc):
    with pytest.raises(IndexError) as caught:
        markdown.heading(doc, 2)
    assert any("functions.go" in f and "HeadingAt" in f for f in frames(caught.value))


# Requirement: D6
def test_go_panic_becomes_an_exception(doc):
    with pytest.raises(RuntimeError, match="nil map") as caught:
        markdown.buggy_tally(doc)
    assert any("functions.go" in f and "count" in f for f in frames(caught.value))
    assert markdown.tally(doc)  # the process is still usable


# Requirement: D6
def test_python_exception_passes_through_go(doc):
    class Unusual(Exception):
        pass

    raised = Unusual("with a reason")

    def callback(_node):
        raise raised

    assert markdown.explain(callback, doc) == "the callback failed with a Unusual: with a reason"
    assert markdown.explain(lambda n: n, doc) == "the callback was content"
    with pytest.raises(Unusual) as caught:
        markdown.apply(callback, doc)
    assert caught.value is raised
    with pytest.raises(Unusual) as caught:
        markdown.walk(doc, callback)
    assert caught.value is raised


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda doc: markdown.parse(), ["parse", "source", "missing"]),
        (lambda doc: markdown.parse("a", "b"), ["parse", "2"]),
        (lambda doc: markdown.parse(1), ["parse", "int"]),
        (lambda doc: markdown.parse(b"bytes"), ["parse", "ytes"]),
        (lambda doc: markdown.parse(None), ["parse", "None"]),
        (lambda doc: markdown.echo("text"), ["echo"]),
        (lambda doc: markdown.heading(doc.children[0], 0), ["heading", "markdown.Document", "markdown.Heading"]),
        (lambda doc: markdown.heading(doc, "one"), ["heading"]),
        (lambda doc: markdown.apply(doc, doc), ["apply", "callback", "callable", "markdown.Document"]),
        (lambda doc: markdown.Node.kind("text"), []),
    ],
)
def test_wrong_arguments_are_refused(doc, call, words):
    with pytest.raises(TypeError) as caught:
        call(doc)
    for word in words:
        assert word in str(caught.value)


def test_class_without_a_constructor_is_refused():
    with pytest.raises(TypeError):
        markdown.Heading(1)


# ---- docs and types ----


def test_docs_and_types_reach_python():
    assert "CommonMark" in markdown.__doc__
    assert "parse(source: str) -> Document" in markdown.__doc__
    assert markdown.Heading.__doc__.startswith("Heading is a title")
    assert "everything in it" in markdown.Node.text_content.__doc__
    assert markdown.Heading.__annotations__ == {"level": "int"}
    source = inspect.getsource(markdown)
    assert "def parse(source: str) -> Document:" in source
    assert "def children(self) -> _ffi.Array[Node]:" in source


# ---- nothing leaks ----


# Requirement: C8
def test_nothing_leaks(handbook_text):
    def use():
        doc = markdown.parse(handbook_text)
        for node in walk(doc):
            node.note = 1
            markdown.echo(node)
            assert markdown.apply(lambda n: n, node) is node
        markdown.headings(doc)
        for bad in (lambda: markdown.heading(doc, -1), lambda: markdown.buggy_tally(doc), lambda: markdown.echo(1)):
            with pytest.raises(Exception):  # noqa: B017, PT011
                bad()

        def failing(node):
            raise ValueError(node)

        markdown.explain(failing, doc)
        with pytest.raises(ValueError):  # noqa: PT011
            markdown.apply(failing, doc)

    use()  # makes the objects that are made once and kept
    before = live()
    use()
    assert live() == before
