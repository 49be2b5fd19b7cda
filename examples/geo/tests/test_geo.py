"""The README's example as a test, on the package that `selfsame-ffi build examples/geo` makes."""

# Requirement: D1

import gc
import pathlib

import pytest

geo = pytest.importorskip("geo", reason="run `make test-examples`, which builds the package")


def test_readme_example_works():
    p, q = geo.Point(3.0, 4.0), geo.Point(0.0, 0.0)
    assert p.norm() == 5.0
    p.next = q
    assert p.next is q
    assert geo.nearest([p, q]) is q


def test_the_object_stays_the_same_when_only_go_holds_it():
    class Noted(geo.Point):
        """A subclass without __slots__ takes attributes, a Point takes none."""

    p = geo.Point(x=1, y=2)
    with pytest.raises(AttributeError):
        p.note = "here"
    p.next = Noted(0, 0)
    p.next.note = "home"
    gc.collect()
    assert type(p.next) is Noted and p.next.note == "home"
    p.next = None
    assert p.next is None


def test_errors_come_with_kind_and_go_frame():
    with pytest.raises(ValueError, match="nearest of no points") as caught:
        geo.nearest([])
    frames = [pathlib.Path(entry.frame.code.raw.co_filename).name for entry in caught.traceback]
    assert frames == ["test_geo.py", "geo.go"]
    with pytest.raises(TypeError):
        geo.Point("one", 2)
    with pytest.raises(TypeError):
        geo.Point(1)


def test_docs_reach_python():
    assert geo.Point.norm.__doc__ == "Distance from the origin."
    assert "metres" in geo.Point.x.__doc__


def test_fields_are_typed():
    p = geo.Point(1, 2.5)
    assert (p.x, p.y, p.next) == (1.0, 2.5, None)
    p.x = -1
    assert p.x == -1.0
    with pytest.raises(TypeError):
        p.next = 3
    p.next = p
    assert p.next is p
    p.next = None  # a point that is its own next would never be freed
    assert p.next is None


@pytest.mark.parametrize("arguments", [(), (1,), (1, 2, 3), ("1", 2), (None, 2)])
def test_wrong_arguments_are_refused(arguments):
    for _ in range(2):
        with pytest.raises(TypeError):
            geo.Point(*arguments)
    with pytest.raises(TypeError):
        geo.nearest(*arguments)
