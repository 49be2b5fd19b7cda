"""Arrays of bytes in Go, such as [4]byte, are bytes of that length in Python."""

# Requirement: D10

import array

import origins
import pytest
import type_checker

np = pytest.importorskip("numpy")


@pytest.mark.parametrize(
    "make", [bytes, bytearray, memoryview, lambda b: array.array("B", b), lambda b: np.frombuffer(b, "uint8")]
)
def test_a_buffer_of_the_length_is_taken(go, make):
    result = go.digest(make(b"abcd"))
    assert result == b"abcd" and type(result) is bytes
    for wrong in (b"", b"abc", b"abcde", b"a" * 100):
        with pytest.raises(TypeError, match=r"signatures\.digest: argument 'value': expected bytes of length 4, got "):
            go.digest(make(wrong))


def test_the_error_says_which_length_was_given(go):
    with pytest.raises(TypeError, match="expected bytes of length 4, got bytes of length 3"):
        go.digest(b"abc")
    with pytest.raises(TypeError, match="expected bytes of length 4, got str"):
        go.digest("abcd")
    with pytest.raises(TypeError, match="expected bytes of length 4, got None"):
        go.digest(None)


def test_numbers_are_taken_as_before(go):
    assert go.digest([1, 2, 3, 4]) == go.digest((1, 2, 3, 4)) == b"\1\2\3\4"
    with pytest.raises(TypeError, match="list of length 3"):
        go.digest([1, 2, 3])
    with pytest.raises((TypeError, OverflowError)):
        go.digest([1, 2, 3, 256])


def test_a_part_of_memory_is_taken(go):
    data = memoryview(bytearray(b"a-b-c-d-"))
    assert go.digest(data[::2]) == b"abcd" and go.digest(data[:4]) == b"a-b-"


def test_they_are_bytes_in_lists_dicts_and_records(go):
    assert go.digests([b"abcd", bytearray(b"efgh")]) == {"61626364": b"abcd", "65666768": b"efgh"}
    assert go.digests(np.array([[97, 98, 99, 100]], "uint8")) == {"61626364": b"abcd"}
    with pytest.raises(TypeError, match="expected bytes of length 4|of length 2"):
        go.digests([b"abcd", b"ef"])
    stamp = go.stamped(go.Stamp(b"abcd", 1))
    assert (stamp.digest, stamp.count) == (b"abcd", 2) and stamp == go.Stamp(b"abcd", 2)
    with pytest.raises(TypeError, match=r"Stamp\.digest: expected bytes of length 4, got bytes of length 1"):
        go.stamped(go.Stamp(b"a", 1))


def test_type_checkers_know_them(tmp_path):
    (tmp_path / "use.py").write_text(
        "import signatures\n\n\n"
        'digest: bytes = signatures.digest(b"abcd")\n'
        'signatures.digest(bytearray(b"abcd"))\n'
        'stamp: bytes = signatures.Stamp(b"abcd", 1).digest\n'
        'signatures.digest("abcd")\n'
    )
    said = type_checker.complaints(tmp_path, "use.py", modules=origins.go())
    assert said.count("error:") == 1 and "use.py:7:" in said
