"""Contexts, files, file systems, sets and maps of Go in the Python package that `selfsame-ffi wrap` makes."""

# Requirement: D5

import copy
import datetime
import inspect
import io
import pickle
import signal
import threading

import pytest


def test_a_context_is_a_value(shelf):
    mine = shelf.with_owner("Ada", ctx=shelf.Context())
    assert shelf.owner_of(mine) == "Ada" and shelf.owner_of() == ""
    loan = shelf.lend("Dune", "Emma", ctx=mine)
    assert loan.ctx is mine and loan.owner() == "Ada:Dune+Emma"
    assert shelf.both(mine, first=shelf.with_owner("Bob")) == "Bob Ada"
    assert mine.with_value("n", 3).value("n") == 3 and mine.value("n") is None


def test_a_context_outlives_the_call_that_got_it(shelf):
    shelf.lend("Dune").over()
    ended = shelf.Context()
    loan = shelf.lend("Dune", ctx=shelf.with_owner("Ada", ctx=ended))
    loan.over()
    ended.cancel()
    assert ended.done
    with pytest.raises(RuntimeError, match="context canceled"):
        loan.over()


def test_a_context_ends_calls(shelf):
    loan = shelf.lend("Dune")
    with shelf.Context() as ctx:
        assert ctx.err() is None and ctx.deadline() is None
        threading.Timer(0, ctx.cancel).start()
        with pytest.raises(RuntimeError, match="context canceled"):
            loan.wait(datetime.timedelta(hours=1), ctx=ctx)
    assert ctx.done and "canceled" in str(ctx.err())
    late = shelf.Context(timeout=datetime.timedelta(0), parent=shelf.Context())
    now = datetime.datetime.now(datetime.timezone.utc)
    assert late.deadline() <= now < shelf.Context(timeout=3600).deadline() > shelf.Context(timeout=0.5).deadline()
    with pytest.raises(TypeError, match="argument 'timeout': expected a timedelta or a number of seconds"):
        shelf.Context(timeout="soon")
    with pytest.raises(TimeoutError):
        loan.wait(datetime.timedelta(hours=1), ctx=late)


def test_ctrl_c_ends_the_context_of_a_call(shelf):
    ctx = shelf.Context()
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        shelf.lend("Dune").wait(datetime.timedelta(hours=1), ctx=shelf.with_owner("Ada", ctx=ctx))
    assert ctx.done


def test_what_go_reads_python_reads(shelf):
    scroll = shelf.Scroll("abcdefghij")
    assert (scroll.read(6), scroll.read(), scroll.read(1)) == (b"abcdef", b"ghij", b"")
    assert scroll.read_at(3, 8) == b"ij"
    with pytest.raises(ValueError, match="not negative"):
        scroll.read_at(-1, 0)
    assert shelf.type_of_reader(scroll) == "*shelf.Scroll"


def test_a_python_class_is_read(shelf):
    class Mine(shelf.Source):
        def __init__(self, data):
            super().__init__()
            self.data = io.BytesIO(data)

        def read(self, size=-1):
            return self.data.read(min(size, 2))

        def name(self):
            return "mine"

    assert shelf.read_all(Mine(b"abc")) == "mine: abc"

    class Long(Mine):
        def read(self, size=-1):
            return bytes(size + 1)

    with pytest.raises(ValueError, match="read: expected at most"):
        shelf.read_all(Long(b""))


def test_a_file_system(shelf, tmp_path):
    (tmp_path / "a.txt").write_text("text")
    files = shelf.fs.FS(str(tmp_path))
    assert shelf.upwards(files, "a.txt") == "TEXT"
    with files.open("a.txt") as file:
        assert file.stat().size() == 4 and file.read() == b"text"
    with pytest.raises(FileNotFoundError):
        files.open("b.txt")

    class Mine(shelf.fs.FS):
        def open(self, name):
            if name != "a":
                raise FileNotFoundError(name)
            return io.BytesIO(b"mine")

    assert shelf.upwards(Mine(), "a") == "MINE"
    with pytest.raises(FileNotFoundError):
        shelf.upwards(Mine(), "b")


def test_special_methods_implement_those_of_go(shelf):
    class Mine(shelf.fmt.Stringer):
        def __str__(self):
            return "mine"

    class Other(Mine):
        def string(self):
            return "other"

    assert shelf.named(Mine()) == "<mine>" and shelf.named(Other()) == "<other>"


def test_a_map_of_nothing_is_a_set(shelf):
    assert shelf.tags("a", "b") == {"a", "b"} and shelf.count({"x", "y"}) == 2
    assert list(shelf.ticks(2)) == [None, None]


def test_a_map_with_methods_is_a_mapping(shelf):
    marks = shelf.Marks()
    marks[1] = "good"
    marks[2] = "bad"
    del marks[2]
    assert marks.best() == "good" and 1 in marks and 2 not in marks and len(marks) == 1
    assert dict(marks) == {1: "good"} and list(marks) == [1]
    with pytest.raises(KeyError):
        del marks[2]
    words = shelf.Words("a", "b")
    words[-1] = "c"
    assert words.joined() == "[a c]"
    for made in (copy.copy(words), copy.deepcopy(words), pickle.loads(pickle.dumps(words))):
        made.append("d")
        assert made.joined() == "[a c d]" and words == ["a", "c"]


def test_a_list_is_made_of_its_elements_or_of_one_iterable(shelf):
    for words in (shelf.Words("a", "b"), shelf.Words(["a", "b"]), shelf.Words(c for c in "ab")):
        assert words.joined() == "[a b]"
    assert shelf.Words("ab") == ["ab"] and shelf.Words([]) == shelf.Words() == []
    with pytest.raises(TypeError, match="Words.*int"):
        shelf.Words(["a", 1])
    way = shelf.Way([[1.0, 2.0], shelf.Spot([3.0, 4.0])])
    assert len(way) == 2 and list(way[1]) == [3.0, 4.0] and len(shelf.Way([1.0, 2.0])) == 1
    assert repr(way) == "[Spot([1.0, 2.0]), Spot([3.0, 4.0])]"


def test_an_error_variable_that_is_another_one_is_that_exception(shelf):
    assert shelf.NowhereError is FileNotFoundError and shelf.TooBigError is shelf.FullError
    with pytest.raises(shelf.NowhereError, match="lookup x"):
        shelf.lookup("x")


def test_a_python_class_gets_pointers_that_it_may_set(shelf):
    class Mine(shelf.Visitor):
        def visit(self, value):
            value.value = shelf.Literal(value.value.text() + "!")

        def handle(self, at, size):
            return at + size.breadth * size.depth

    assert shelf.visited(Mine(), "a") == "a! 13"


def test_options_of_a_method_that_python_classes_define(shelf):
    class Mine(shelf.Painter):
        def repaint(self, o):
            return f"{o.colour} {o.coats}"

    options = shelf.PaintOptions("red", 2)
    assert shelf.repainted(Mine(), options) == "red 2"
    assert str(inspect.signature(shelf.Painter.repaint).parameters["o"]) == "o: 'PaintOptions'"


def test_a_field_that_is_a_pointer_to_any_value(shelf):
    rule = shelf.Rule()
    assert rule.constant is None and rule.allows(3)
    rule.constant = shelf.AnyRef(4)
    assert rule.constant.value == 4 and not rule.allows(3) and rule.allows(4)


def test_lists_are_arrays_and_slices_with_methods(shelf):
    assert shelf.Spot([1.0, 2.0]).x() == 1.0
    assert shelf.Way([0.0, 0.0], [1.0, 3.0]).length() == 2
    assert shelf.Ways([[0.0, 0.0], [1.0, 3.0]], [[1.0, 1.0]]).total() == 3
    with pytest.raises(TypeError):
        shelf.Way([0.0])


def test_numbers_of_json_are_numbers(shelf):
    found = [shelf.decoded(text)["n"] for text in ("3", "2.5", "9" * 30)]
    assert found == [3, 2.5, int("9" * 30)] and type(found[0]) is int
