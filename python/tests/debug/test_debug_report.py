"""selfsame_ffi.debug: live objects, held wrappers and kept blocks by class, and the tie of one object."""

# Requirements: C8, G5

import gc

import pytest
import selfsame_ffi


def test_report_has_a_row_for_each_class(native):
    before = selfsame_ffi.debug.report()
    leaves = [native.leaf(i) for i in range(5)]
    grown = (selfsame_ffi.debug.report() - before)["sst.Leaf"]
    assert (grown.active, grown.held, grown.kept_blocks) == (5, 0, 0)
    for leaf in leaves:
        native.keep(leaf)
    del leaf, leaves
    gc.collect()
    grown = (selfsame_ffi.debug.report() - before)["sst.Leaf"]
    assert (grown.active, grown.held, grown.kept_blocks) == (0, 0, 5)
    counters = selfsame_ffi.debug.counters()
    assert sum(row.kept_bytes for row in selfsame_ffi.debug.report().rows) == counters["kept_bytes"]
    native.release()
    assert (selfsame_ffi.debug.report() - before)["sst.Leaf"].kept_blocks == 0


def test_held_wrappers_have_their_column(native):
    before = selfsame_ffi.debug.report()
    rich = native.rich(1)
    native.keep(rich)
    grown = (selfsame_ffi.debug.report() - before)["sst.Rich"]
    assert (grown.active, grown.held) == (1, 0)
    del rich
    grown = (selfsame_ffi.debug.report() - before)["sst.Rich"]
    assert (grown.active, grown.held) == (0, 1)
    native.release()


def test_report_counts_natives(native):
    before = selfsame_ffi.debug.report()
    errors = [selfsame_ffi.convert(ValueError("x")) for _ in range(3)]
    grown = (selfsame_ffi.debug.report() - before)["ffi.Error"]
    assert grown.natives == 3
    del errors


def test_subclass_counts_under_its_registered_base(native):
    class Mine(native.Leaf):
        __slots__ = ()

    before = selfsame_ffi.debug.report()
    mine = Mine(1)
    assert (selfsame_ffi.debug.report() - before)["sst.Leaf"].active == 1
    del mine


# Requirement: C9
def test_report_names_natives_with_unknown_owners(native):
    plain = native.Plain()
    before = selfsame_ffi.debug.report()
    native.keep(plain)
    native.keep(plain)
    grown = selfsame_ffi.debug.report() - before
    [group] = [group for group in grown.unaccounted if group.type_key == "sst.Plain"]
    assert (group.natives, group.owners) == (1, 2)
    assert "1 of sst.Plain cannot be collected in a cycle: 2 references belong to" in str(grown)
    native.release()
    native.weak_set(plain)
    grown = selfsame_ffi.debug.report() - before
    assert [(g.natives, g.owners) for g in grown.unaccounted if g.type_key == "sst.Plain"] == [(1, 0)]
    native.weak_clear()
    assert not [g for g in (selfsame_ffi.debug.report() - before).unaccounted if g.type_key == "sst.Plain"]


def test_report_prints_a_table(native):
    keep = native.rich(2)
    text = str(selfsame_ffi.debug.report())
    lines = text.splitlines()
    assert lines[0].split() == ["class", "natives", "bytes", "active", "held", "kept", "kept", "bytes"]
    assert any(line.startswith("sst.Rich ") for line in lines)
    assert "tie records" in lines[-1]
    del keep


def test_tie_tells_record_and_address(native):
    leaf = native.leaf(1)
    told = selfsame_ffi.debug.tie(leaf)
    assert told["record"] > 0 and told["address"] > 0 and told["go_handle"] == 0
    again = selfsame_ffi.debug.tie(native.echo(leaf))  # the result of a fetch has a share
    assert {**again, "shares": 0} == told and again["shares"] == 1


@pytest.mark.parametrize("thing", [1, None, object()])
def test_tie_refuses_other_values(native, thing):
    with pytest.raises(TypeError, match="tie: expected a selfsame object"):
        selfsame_ffi.debug.tie(thing)
