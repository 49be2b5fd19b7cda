"""Operators, special methods, properties and pickles of Go classes."""

# Requirement: D11

import copy
import operator
import pickle
import subprocess
import sys

import numpy as np
import pytest
import selfsame_ffi
import type_checker

pytestmark = pytest.mark.usefixtures("collected")


def test_equality_reaches_python(goclasses):
    a, b, c = goclasses.Version(1, 2), goclasses.Version(1, 2), goclasses.Version(1, 3)
    assert a == b and not a != b and a != c and a is not b
    assert hash(a) == hash(b) == 1002 and {a, b, c} == {a, c} and {a: "x"}[b] == "x" and [c, a].index(b) == 1
    for other in (None, 1, "1.2", object(), goclasses.Bag()):
        assert a != other and not a == other and a.__eq__(other) is NotImplemented


def test_foreign_operands_get_their_turn(goclasses):
    class Always:
        def __eq__(self, other):
            return True

        def __gt__(self, other):
            return True

        def __radd__(self, other):
            return "added"

    version = goclasses.Version(1)
    assert version == Always() and version < Always() and version + Always() == "added"


def test_order_reaches_python(goclasses):
    low, middle, high = goclasses.Version(1, 2), goclasses.Version(1, 3), goclasses.Version(2)
    assert low < middle < high and high > low and low <= low and low >= low and not low < low and not low > low
    assert sorted([high, low, middle]) == [low, middle, high] and max(low, high) is high
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        with pytest.raises(TypeError, match="not supported between instances of 'Version' and 'int'"):
            compare(low, 3)


def test_classes_of_python_inherit_operators(goclasses):
    class Named(goclasses.Version):
        pass

    a, b = Named(1, 2), goclasses.Version(1, 2)
    assert a == b and b == a and hash(a) == hash(b) and a < goclasses.Version(2)

    class Own(goclasses.Version):
        def __eq__(self, other):
            return NotImplemented

        __hash__ = None

    assert Own(1) != Own(1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(Own(1))


def test_arithmetic(goclasses):
    later = goclasses.Version(1, 2) + 3
    assert later == goclasses.Version(1, 5)
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+: 'Version' and 'str'"):
        goclasses.Version(1) + "3"


def test_properties(goclasses):
    version = goclasses.Version(0, 9)
    assert version.text == "0.9" and version.stable is False
    version.text = "3.4"
    assert version.minor == 4 and version.stable is True
    with pytest.raises(ValueError, match="invalid syntax"):
        version.text = "three"
    with pytest.raises(AttributeError):
        version.stable = True
    assert not hasattr(version, "set_text") and goclasses.Version.text.__doc__ == "As text."


def test_sequence_protocol(goclasses):
    row = goclasses.Row(["a", "b", "c", "d"])
    assert len(row) == 4 and bool(row) and row[0] == "a" and row[-1] == "d"
    assert row[1:3] == ["b", "c"] and row[::-1] == ["d", "c", "b", "a"] and row[9:] == []
    assert list(row) == ["a", "b", "c", "d"] and [*reversed(row)] == ["d", "c", "b", "a"]
    assert "c" in row and "x" not in row and 3 not in row
    for index in (4, -5):
        with pytest.raises(IndexError):
            row[index]
    first, *rest = row
    assert first == "a" and len(rest) == 3


def test_special_methods_follow_the_data_model_as_a_set(goclasses):
    cells, twin, other = goclasses.Cells([1, 2, 3]), goclasses.Cells([1, 2, 3]), goclasses.Cells([1])
    assert cells == twin and not cells != twin and cells != other and not cells == other
    assert cells != 1 and cells != "x" and cells is not None
    with pytest.raises(TypeError, match="unhashable type"):
        hash(cells)
    with pytest.raises(TypeError, match="unhashable type"):
        {cells: 1}.clear()
    assert 2 in cells and 9 not in cells
    for value in (None, "2", 2.5, [2], object(), 300, -1, 2**70):
        assert value not in cells
    with pytest.raises(ValueError, match="a failure of the func itself"):
        255 in cells  # noqa: B015
    cells[-1] = 30
    cells[0] = 10
    assert list(cells) == [10, 2, 30] and cells[-3] == 10
    for index in (-99, -4, 3, 99):
        for use in (cells.__getitem__, lambda i: cells.__setitem__(i, 0)):
            with pytest.raises(IndexError, match=f"no item {index}$"):
                use(index)


def test_context_manager(goclasses):
    with goclasses.Row([]) as row:
        assert isinstance(row, goclasses.Row) and not row.closed
    assert row.closed
    with pytest.raises(KeyError):
        with goclasses.Row([]) as row:
            raise KeyError
    assert row.closed


def test_fresh_process_imports_the_package_of_a_pickle(goclasses, go_packages, tmp_path):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        (tmp_path / str(protocol)).write_bytes(
            pickle.dumps([goclasses.Version(1, 2), goclasses.Version(1, 3)], protocol)
        )
    program = (
        "import pathlib, pickle, sys; sys.path.insert(0, sys.argv[1])\n"
        "for path in pathlib.Path(sys.argv[2]).iterdir():\n"
        "    low, high = pickle.loads(path.read_bytes())\n"
        "    assert 'goclasses' in sys.modules and low < high and low.text == '1.2', path\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, go_packages, tmp_path], capture_output=True, text=True, timeout=1800
    )
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    "name, given, named, message",
    [
        ("Version", (), {}, "argument 'major': missing"),
        ("Version", ("1",), {}, "argument 'major': expected int, got str"),
        ("Version", (1,), {"third": 2}, "got an unexpected keyword argument 'third'; it takes 'major' and 'minor'"),
        ("Version", (1,), {"major": 2}, "argument 'major': got multiple values"),
        ("Bag", ("\ud800",), {}, "argument 'name': expected a str without lone surrogates"),
        ("Bag", (), {"name": "\ud800"}, "argument 'name': expected a str without lone surrogates"),
        ("Row", (), {"words": []}, "got an unexpected keyword argument 'words'; it takes 'items'"),
        ("Row", (["a"],), {"items": []}, "argument 'items': got multiple values"),
        ("Row", (["a", "\ud800"],), {}, "argument 'items': item 1: expected a str without lone surrogates"),
    ],
)
def test_errors_of_a_constructor_name_the_class(goclasses, name, given, named, message):
    with pytest.raises((TypeError, ValueError)) as raised:
        getattr(goclasses, name)(*given, **named)
    assert str(raised.value).endswith(f"goclasses.{name}: {message}")


SAMPLE = """
import goclasses
a = goclasses.Version(1, 2)
row = goclasses.Row(["x"])
n: int = len(row)
item: str = row[0]
part: list[str] = row[0:1]
later: goclasses.Version = a + 3
found: bool = "x" in row
text: str = a.text
a.text = "1.2"
words: list[str] = [word for word in row]
smaller: bool = a < later
table: dict[goclasses.Version, int] = {a: 1}
with row as inside:
    closed: bool = inside.closed
"""


def test_type_checker_accepts_working_code(go_packages, tmp_path):
    (tmp_path / "sample.py").write_text(SAMPLE)
    assert type_checker.complaints(tmp_path, "sample.py", modules=go_packages) == ""


WIDE = [0, 1, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1]


@pytest.mark.parametrize("value", WIDE)
def test_fields_of_uint64_hold_their_whole_range(goclasses, value):
    wide = goclasses.Wide(u=value, p=value)
    assert (wide.u, wide.p) == (value, value)
    wide.u, wide.p = 1, 2
    wide.u = wide.p = value
    assert (wide.u, wide.p) == (value, value)
    assert repr(wide) == f"goclasses.Wide(u={value}, p={value})"
    for way in (copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made)), through_json):
        twin = way(wide)
        assert (twin.u, twin.p) == (value, value)
    wide.u = np.uint64(value)
    assert wide.u == value


def through_json(value):
    return selfsame_ffi.serialization.from_json_graph_str(selfsame_ffi.serialization.to_json_graph_str(value))


def test_fields_of_uint64_that_go_sets_and_their_defaults(goclasses):
    wide = goclasses.Wide(p=0)
    assert wide.u == 2**64 - 1
    wide.fill()
    assert (wide.u, wide.p) == (2**64 - 1, 2**64 - 1)


@pytest.mark.parametrize("value", [-1, -(2**63), -(2**63) - 1, 2**64, 2**64 + 1, -(2**64), 2**127, 10**100])
def test_fields_of_uint64_refuse_what_they_cannot_hold(goclasses, value):
    wide = goclasses.Wide(u=7, p=7)
    for call in (
        lambda: setattr(wide, "u", value),
        lambda: setattr(wide, "p", value),
        lambda: goclasses.Wide(u=value, p=0),
    ):
        with pytest.raises(OverflowError, match=r"does not fit in uint64.*goclasses.Wide"):
            call()
    assert (wide.u, wide.p) == (7, 7)
