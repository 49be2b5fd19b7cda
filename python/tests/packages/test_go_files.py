"""Files between Go and Python: io.Reader and io.Writer, and what has their methods."""

# Requirement: D10

import array
import io
import re

import pytest


def test_files_in_both_directions(go, tmp_path):
    text = b"selfsame " * 20_000
    out = io.BytesIO()
    assert go.upper(io.BytesIO(text), out) == len(text)
    assert out.getvalue() == text.upper()
    path = tmp_path / "file"
    path.write_bytes(b"in a file")
    with path.open("rb") as source, (tmp_path / "out").open("wb", buffering=0) as target:
        assert go.upper(source, target) == 9
    assert (tmp_path / "out").read_bytes() == b"IN A FILE"
    assert go.upper(b"bytes", io.BytesIO()) == 5
    opened = go.open("one\ntwo\n")
    assert opened.readline() == b"one\n"
    assert opened.read() == b"two\n"
    assert io.TextIOWrapper(go.open("é"), encoding="utf-8").read() == "é"


def test_files_that_fail(go):
    class Refusing(io.BytesIO):
        def read(self, size=-1):
            raise raised

    raised = OSError("unreadable")
    with pytest.raises(OSError, match="unreadable") as caught:
        go.upper(Refusing(), io.BytesIO())
    assert caught.value is raised
    with pytest.raises(TypeError, match="StringIO, a text file; open it in binary mode"):
        go.upper(io.StringIO("x"), io.BytesIO())
    with pytest.raises(TypeError, match="object, which has no write"):
        go.upper(b"", object())
    broken = go.broken()
    with pytest.raises(EOFError, match="unexpected EOF"):
        broken.read(1)
    with pytest.raises(RuntimeError, match="closed pipe"):
        broken.write(b"x")
    before = go.closed()
    broken.close()
    broken.close()
    assert go.closed() == before + 1


def file_that(**methods):
    return type("File", (), {name: staticmethod(method) for name, method in methods.items()})()


@pytest.mark.parametrize("data", [3, True, "text", 1.5, [1, 2], (), {}, range(3), object()])
def test_read_returns_bytes_and_nothing_else(go, data):
    message = rf"read: expected bytes from [\w.]*File, got {re.escape(type(data).__name__)}"
    with pytest.raises(TypeError, match=message):
        go.upper(file_that(read=lambda size: data), io.BytesIO())


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview, lambda data: array.array("B", data)])
def test_read_returns_any_bytes(go, make):
    parts, out = [b"ab", b"cd", b""], io.BytesIO()
    assert go.upper(file_that(read=lambda size: make(parts.pop(0))), out) == 4
    assert out.getvalue() == b"ABCD"


def test_read_of_more_than_was_asked_for(go):
    with pytest.raises(ValueError, match=r"read: expected at most \d+ bytes from [\w.]*File, got 10000000"):
        go.upper(file_that(read=lambda size: bytes(10_000_000)), io.BytesIO())


class Slow(io.RawIOBase):
    """A raw file that takes three bytes at a time, up to `room`, and is not ready then."""

    def __init__(self, room):
        self.room, self.taken = room, b""

    def write(self, data):
        part = bytes(data[: min(3, self.room - len(self.taken))])
        self.taken += part
        return len(part) or None


def test_files_that_are_not_ready_cut_nothing_off(go):
    parts = [b"ab", None, b"cd", b""]
    with pytest.raises(BlockingIOError, match=r"read: [\w.]*File is not ready"):
        go.upper(file_that(read=lambda size: parts.pop(0)), io.BytesIO())
    whole, full = Slow(10), Slow(7)
    assert go.upper(b"0123456789", whole) == 10
    assert whole.taken == b"0123456789"
    with pytest.raises(BlockingIOError, match=r"write: [\w.]*Slow is not ready") as caught:
        go.upper(b"0123456789", full)
    assert (full.taken, caught.value.characters_written) == (b"0123456", 7)


@pytest.mark.parametrize("count", [True, 1.0, "4", b"", [], object()])
def test_write_returns_a_number_and_nothing_else(go, count):
    message = rf"write: expected the number of bytes written from [\w.]*File, got {type(count).__name__}"
    with pytest.raises(TypeError, match=message):
        go.upper(b"data", file_that(write=lambda data: count))


@pytest.mark.parametrize("count", [-1, 5, 2**70])
def test_write_returns_a_number_of_the_bytes_it_got(go, count):
    with pytest.raises(ValueError, match=rf"write: expected a number from 0 to 4 from [\w.]*File, got {count}"):
        go.upper(b"data", file_that(write=lambda data: count))


def test_write_that_takes_nothing_or_returns_nothing(go):
    with pytest.raises(RuntimeError, match="short write"):
        go.upper(b"data", file_that(write=lambda data: 0))
    assert go.upper(b"data", file_that(write=lambda data: None)) == 4


@pytest.mark.parametrize("data", [3, True, "text", None, [1]])
def test_go_files_are_written_bytes_and_nothing_else(go, data):
    with go.broken() as file, pytest.raises(TypeError):
        file.write(data)


def test_exception_of_a_callback_without_an_error_result(go):
    assert list(go.each_of([1, 2], lambda v: v * 10)) == [10, 20]
    raised = LookupError("in the callback")

    def visit(value):
        raise raised

    with pytest.raises(LookupError) as caught:
        go.each_of([1], visit)
    assert caught.value is raised
