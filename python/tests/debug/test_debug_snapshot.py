"""selfsame_ffi.debug.snapshot, compare and tracing."""

# Requirement: G5

import gc
import sys
import threading

import pytest
import selfsame_ffi
from selfsame_ffi import debug

GIL = getattr(sys, "_is_gil_enabled", lambda: True)()


def count(snapshot, key):
    return sum(row.count for row in snapshot.classes if row.type_key == key)


@pytest.fixture
def tracing():
    debug.start_tracing(4)
    yield
    debug.stop_tracing()


def test_difference_has_the_classes_that_grew(native):
    before = debug.snapshot()
    errors = [selfsame_ffi.convert(ValueError("x")) for _ in range(3)]
    native.keep(native.leaf(1))
    grown = debug.compare(before)
    assert (count(grown, "ffi.Error"), count(grown, "sst.Leaf"), grown.difference) == (3, 1, True)
    assert [row.type_key for row in grown.classes if row.count == 0 and not row.bytes] == []
    native.release()
    del errors
    assert count(debug.compare(before), "ffi.Error") == 0 and count(debug.compare(before), "sst.Leaf") == 0


@pytest.mark.skipif(not GIL, reason="a free-threaded interpreter does not measure what natives own")
def test_bytes_include_elements_and_tensor_data(native):
    numpy = pytest.importorskip("numpy")
    before = debug.snapshot()
    array = selfsame_ffi.Array(range(1000))
    tensor = selfsame_ffi.from_dlpack(numpy.zeros(100_000, "uint8"))
    sizes = {row.type_key: row.bytes for row in debug.compare(before).classes}
    assert sizes["ffi.Array"] > 16_000 and sizes["ffi.Tensor"] > 100_000
    del array, tensor


def test_tracing_names_the_line_that_made_an_object(native, tracing):
    before = debug.snapshot()
    kept = [selfsame_ffi.Array([n]) for n in range(5)]  # this line
    traces = [one for one in debug.compare(before).traces if one.type_key == "ffi.Array"]
    assert sum(one.count for one in traces) == 5
    assert f"{__file__}:" in traces[0].python[0] and "test_debug_snapshot" in traces[0].python[0]
    assert traces[0].native
    del kept
    assert not [one for one in debug.compare(before).traces if one.type_key == "ffi.Array"]


def test_tracing_knows_calls_that_release_the_gil(native, tracing):
    make = selfsame_ffi.get_global_func("ffi.List")
    assert make.release_gil
    before = debug.snapshot()
    made = make(1, 2)
    [found] = [one for one in debug.compare(before).traces if one.type_key == "ffi.List"]
    assert "in test_tracing_knows_calls_that_release_the_gil" in found.python[0]
    assert "ffi.List, " in str(found)
    assert any(found.python[0] in one.python for one in debug.snapshot().traces)
    del made


def test_tracing_survives_threads_and_ends(native):
    debug.start_tracing(1)
    assert debug.is_tracing()
    try:
        threads = [threading.Thread(target=lambda: [selfsame_ffi.Array([n]) for n in range(500)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        kept = selfsame_ffi.Array([1])
    finally:
        debug.stop_tracing()
    assert not debug.is_tracing()
    late = selfsame_ffi.Array([2])
    gc.collect()
    assert sum(one.count for one in debug.snapshot().traces if one.type_key == "ffi.Array") == 1
    del kept, late
    assert sum(one.count for one in debug.snapshot().traces if one.type_key == "ffi.Array") == 0


@pytest.mark.parametrize("frames", [0, 65])
def test_number_of_frames_is_checked(frames):
    with pytest.raises(ValueError, match=f"start_tracing: expected 1 to 64 frames, got {frames}"):
        debug.start_tracing(frames)


def test_tables_have_80_columns(native):
    text = str(debug.report()) + "\n" + str(debug.snapshot())
    assert max(map(len, text.splitlines())) <= 80 and "\x1b" not in text


def test_totals_of_many_digits_are_wrapped(native):
    totals = dict.fromkeys(debug.snapshot().totals, 123_456_789_012)
    lines = str(debug.Snapshot((), totals=totals)).splitlines()
    assert max(map(len, lines)) <= 80 and ", ".join(lines).count("123,456,789,012") == len(totals)


def test_notebooks_show_tables(native):
    for shown in (debug.report(), debug.snapshot()):
        assert shown._repr_html_().startswith("<table>") and "ffi.Function" in shown._repr_html_()
