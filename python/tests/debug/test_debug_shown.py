"""Text from outside in what selfsame_ffi prints and shows in notebooks."""

# Requirement: G5

import selfsame_ffi
from selfsame_ffi import debug
from selfsame_ffi._debug.graph import Edge, Graph, Node
from selfsame_ffi._debug.html import _table
from selfsame_ffi._debug.shown import in_html, shown
from selfsame_ffi._debug.tables import text_table

EVIL = "x\x1b]0;owned\x07\x1b[31m\x9b2J\u202egnp\u2066\r\x00<b>&'\"\ufeff\U000e0041\ud800"


def acts(text):
    return [sign for sign in text if not sign.isprintable() and sign != "\n"]


def test_what_acts_is_shown_by_its_number():
    assert shown("plain grüße 世界 🙂 \\x") == "plain grüße 世界 🙂 \\x"
    assert shown("a\x1b\u202e\U000e0041") == "a\\x1b\\u202e\\U000e0041"
    assert acts(shown(EVIL)) == [] and acts(in_html(EVIL + "\nsecond")) == []
    assert in_html("<a>\n&") == "&lt;a&gt;\n&amp;"


def test_tables_and_graphs_show_it(native):
    row = debug.Row(EVIL, 1, 2, 3, 4, 5, 6)
    report = debug.Report((row,), 1, 2, 3, (debug.Unaccounted(EVIL, "owners", 1, 1),), "generations")
    node = Node(0, EVIL, 1, 1, 1, None, "None", root=True, held_by=[[EVIL, EVIL]])
    graph = Graph([node], [Edge(0, 0, "field", EVIL)])
    for text in (str(report), report._repr_html_(), str(graph), "\n".join(text_table(("a", "b"), [(EVIL, EVIL)]))):
        assert "owned" in text and acts(text) == []
    for text in (report._repr_html_(), _table(EVIL, (EVIL,), [])):
        assert "<b>" not in text and acts(text) == []


def test_values_are_shown_in_notebooks(native):
    text = selfsame_ffi.Array([EVIL.replace("\ud800", "")])._repr_html_()
    assert "owned" in text and "<b>" not in text and acts(text) == []
