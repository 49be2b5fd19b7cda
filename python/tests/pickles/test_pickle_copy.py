"""pickle, copy and deepcopy keep shared references, identity and cycles in one dump, also to another process."""

# Requirement: C11

import copy
import gc
import os
import pickle
import subprocess
import sys

import pytest
import selfsame_ffi
from repository import SUPPORT
from round_trips import PROTOCOLS, pickled
from values import class_from_native

# ---- objects with fields ----


def test_fields_are_copied(native, again):
    plain = native.Plain()
    plain.i, plain.f, plain.b, plain.any = 2**62, 0.1, True, "text and more"
    made = again(plain)
    assert type(made) is native.Plain and made is not plain
    assert (made.i, made.f, made.b, made.any, made.x) == (2**62, 0.1, True, "text and more", None)
    assert native.owners(made) == 1


VALUES = [None, True, False, 0, -1, 2**63 - 1, -(2**63), 0.5, float("inf"), b"", b"\xff" * 9]
VALUES += ["", "short", "a long é text\0 with more"]


def test_values_keep_their_type(native, again):
    for value in VALUES:
        plain = native.Plain()
        plain.any = value
        made = again(plain)
        assert made.any == value and type(made.any) is class_from_native(value)


def test_every_protocol_keeps_cycles(native):
    for protocol in PROTOCOLS:
        plain = native.Plain()
        plain.x, plain.any = plain, selfsame_ffi.Array([plain])
        made = pickled(plain, protocol)
        assert made.x is made and made.any[0] is made
        for cycle in (plain, made):
            cycle.x = cycle.any = None


def test_read_only_fields_are_copied(native, again):
    inner = native.Plain()
    inner.i = 4
    frozen = native.frozen(7, inner)
    made = again(frozen)
    assert (made.value, made.x.i) == (7, 4) and made.items[1] is made.x
    with pytest.raises(AttributeError, match="read-only"):
        made.value = 1


def test_field_with_the_name_of_a_base_field_is_copied(native, again):
    made = again(native.frozen_sub(5, "its own"))
    field = vars(native.Frozen)["value"]
    assert made.value == "its own" and field.__get__(made, None) == 5


def test_shared_references_stay_shared(native, again):
    shared, outer = native.Plain(), native.Plain()
    outer.x = shared
    outer.any = selfsame_ffi.Array([shared, shared, [shared]])
    made, beside, container = again([outer, shared, selfsame_ffi.Array([outer, shared])])
    assert made.x is beside  # owned by a native object and by the list
    assert made.any[0] is beside and made.any[1] is beside and made.any[2][0] is beside
    assert container[0] is made and container[1] is beside
    assert beside is not shared


def test_one_object_twice_stays_one_object(native, again):
    plain = native.Plain()
    first, second = again((plain, plain))
    assert first is second and first is not plain
    array = selfsame_ffi.Array([plain])
    first, second = again([array, array])
    assert first is second


def test_cycle_through_fields_is_kept(native, again):
    one, two = native.Plain(), native.Plain()
    one.x, two.x, one.i, two.any = two, one, 1, one
    made = again(one)
    assert made.x.x is made and made.x.any is made and made.i == 1 and made is not one
    itself = native.Plain()
    itself.x = itself
    copied = again(itself)
    assert copied.x is copied and copied is not itself
    for cycle in (one, itself, made, copied):
        cycle.x = None


def test_cycle_through_an_array_is_kept(native, again):
    plain = native.Plain()
    plain.any = selfsame_ffi.Array([plain, 1])
    array = plain.any
    made = again(plain)
    assert made.any[0] is made and made.any[1] == 1
    outer = again(array)  # a dump that begins with the immutable object
    assert outer[0].any is outer and outer is not array
    for cycle in (plain, made, outer[0]):
        cycle.any = None


def test_cycle_through_python_objects_is_kept(native, again, classes):
    opened = classes.Tagged()
    box = [opened]
    opened.box = box
    made = again(opened)
    assert made.box[0] is made and made is not opened
    del opened.box, made.box


def test_arrays_are_copied(native, again):
    array = selfsame_ffi.Array([1, "text", None, 2.5, [1, [2]], native.Plain()])
    made = again(array)
    assert type(made) is selfsame_ffi.Array and list(made)[:4] == [1, "text", None, 2.5]
    assert made[4] == array[4] and type(made[5]) is native.Plain
    assert list(again(selfsame_ffi.Array([]))) == []


def test_containers_are_copied(native, again):
    plain = native.Plain()
    whole = selfsame_ffi.List([1, "text", plain])
    whole.append(selfsame_ffi.Map({"key": plain, 2: [plain]}))
    whole.append(selfsame_ffi.Dict({"key": whole[3], plain: 1}))
    made = again(whole)
    assert [type(part) for part in made[2:]] == [native.Plain, selfsame_ffi.Map, selfsame_ffi.Dict]
    assert list(made[:2]) == [1, "text"] and made is not whole
    assert made[2] is not plain and made[3]["key"] is made[2] and made[3][2][0] is made[2]
    assert made[4]["key"] is made[3] and made[4][made[2]] == 1 and len(made[4]) == 2
    assert (
        list(again(selfsame_ffi.List())) == []
        and dict(again(selfsame_ffi.Dict())) == {}
        and dict(again(selfsame_ffi.Map())) == {}
    )
    assert list(again(selfsame_ffi.Dict({k: str(k) for k in range(50)}))) == list(range(50))


def test_cycles_through_containers_are_kept(native, again):
    plain, around, table = native.Plain(), selfsame_ffi.List(), selfsame_ffi.Dict()
    around.append(around)
    around.append(selfsame_ffi.Map({"list": around, "table": table}))
    table["list"], table[plain], plain.any = around, plain, table
    for start in (lambda one: one, lambda one: one[1], lambda one: one[1]["table"]):
        made = again(start(around))
        whole = {
            selfsame_ffi.List: lambda m: m,
            selfsame_ffi.Map: lambda m: m["list"],
            selfsame_ffi.Dict: lambda m: m["list"],
        }[type(made)](made)
        assert start(whole) is made and whole[0] is whole and whole[1]["list"] is whole and whole is not around
        inner = whole[1]["table"]
        assert inner["list"] is whole
        key = next(key for key in inner if key != "list")
        assert inner[key] is key and key.any is inner and key is not plain
        whole.clear()
        inner.clear()
        key.any = None
    around.clear()
    table.clear()
    plain.any = None


def test_containers_share_objects_with_python(native, again):
    plain = native.Plain()
    inner = selfsame_ffi.List([plain])
    outside = [plain, inner, {"key": inner, "map": selfsame_ffi.Map({"p": plain})}]
    plain.any = inner
    made = again(outside)
    assert made[0].any is made[1] and made[1][0] is made[0]
    assert made[2]["key"] is made[1] and made[2]["map"]["p"] is made[0]
    inner.clear()
    made[1].clear()


def test_containers_with_state_are_copied(native, again, classes):
    for made_from in (classes.Rows([1]), classes.Table({"a": 1}), classes.Fixed({"a": 1})):
        made_from.note = [made_from]
        made = again(made_from)
        assert type(made) is type(made_from) and made == made_from and made.note[0] is made
        shallow = copy.copy(made_from)
        assert type(shallow) is type(made_from) and shallow is not made_from and shallow.note is made_from.note
        del made_from.note, made.note, shallow.note


def test_deep_copies_of_values_in_containers_are_independent():
    made = selfsame_ffi.List([1, "a text that is long", selfsame_ffi.Map({"k": (b"x", None)}), [2.5, [True]]])
    copied = copy.deepcopy(made)
    assert str(copied) == str(made) and copied is not made and copied[2] is not made[2]
    copied.append(3)
    assert len(made) == 4 and copy.deepcopy(selfsame_ffi.Dict({1: [2]})) == {1: [2]}


def test_deep_copies_keep_what_containers_of_values_share():
    inner = selfsame_ffi.List([1])
    for holds in (1, 0):
        first, second, twice = selfsame_ffi.Array([inner]), selfsame_ffi.Array([inner]), selfsame_ffi.Array([inner] * 2)
        if not holds:
            del inner
        a, b, c = copy.deepcopy((first, second, twice))
        assert a[0] is b[0] is c[0] is c[1] and a[0] is not first[0] and a[0] == [1]


def test_deep_copies_keep_subclasses_and_state_inside_containers(classes):
    class Lean(selfsame_ffi.List):
        __slots__ = ()

    tagged = classes.Rows([1])
    tagged.tag = 3
    made = selfsame_ffi.Array([tagged, Lean([2])])
    del tagged
    copied = copy.deepcopy(made)
    assert copied[0].tag == 3 and type(copied[0]) is classes.Rows and copied[0] is not made[0]
    assert list(copied[1]) == [2] and type(copied[1]) is type(made[1])


def test_shallow_copies_of_containers_share_their_items(native):
    child = selfsame_ffi.List([1])
    whole, table = selfsame_ffi.List([child]), selfsame_ffi.Dict({"k": child})
    for original in (whole, table):
        made = copy.copy(original)
        assert made is not original and made == original
    assert copy.copy(whole)[0] is child and copy.copy(table)["k"] is child
    fixed = selfsame_ffi.Map({"k": child})
    assert copy.copy(fixed) is fixed and copy.deepcopy(fixed)["k"] is not child


def test_shapes_dtypes_and_devices_are_copied(native, again):
    plain = native.Plain()
    plain.any = selfsame_ffi.Shape((2, 3))
    shape, kind, device, made = again(
        [selfsame_ffi.Shape((2, 3)), selfsame_ffi.dtype("int8x4"), selfsame_ffi.device("cpu"), plain]
    )
    assert type(shape) is selfsame_ffi.Shape and shape == (2, 3)
    assert type(kind) is selfsame_ffi.dtype and kind == "int8x4" and device == selfsame_ffi.device("cpu")
    assert type(made.any) is selfsame_ffi.Shape and made.any == (2, 3)
    made = again(
        selfsame_ffi.Array([selfsame_ffi.Shape(()), selfsame_ffi.dtype("bool"), selfsame_ffi.device("cpu", 1)])
    )
    assert [type(part) for part in made] == [selfsame_ffi.Shape, selfsame_ffi.dtype, selfsame_ffi.Device]
    for protocol in PROTOCOLS:
        assert pickled(shape, protocol) == shape
    assert copy.copy(shape) is shape and copy.deepcopy(shape) is shape


def test_tensors_are_copied(native, again):
    np = pytest.importorskip("numpy")
    cube = np.arange(24, dtype="int16").reshape(2, 3, 4)
    arrays = [cube, cube.T, cube[:, ::2, 1:3], cube[::-1], np.zeros((0, 3)), np.array(2.5), np.zeros(3, bool)]
    for array in arrays:
        tensor = selfsame_ffi.from_dlpack(array)
        plain = native.Plain()
        plain.x = tensor
        made, owner = again([tensor, plain])
        assert type(made) is selfsame_ffi.Tensor and owner.x is made and made is not tensor
        assert made.dtype == tensor.dtype and made.shape == tensor.shape and made.is_contiguous()
        back = np.from_dlpack(made)
        assert (back == array).all() and not np.shares_memory(back, array)
        assert made.data_ptr() % 64 == 0
        del back


def test_shallow_copy_of_a_tensor_shares_its_memory():
    np = pytest.importorskip("numpy")
    array = np.arange(6)
    tensor = selfsame_ffi.from_dlpack(array)
    made = copy.copy(tensor)
    assert made is not tensor and made.data_ptr() == tensor.data_ptr()
    del tensor, array
    gc.collect()
    assert list(np.from_dlpack(made)) == list(range(6))


def test_tensor_bytes_that_do_not_fit_are_refused():
    core = selfsame_ffi._core
    for data_type, shape, data, match in (
        ((0, 8, 1), (3,), b"xx", "do not fill"),
        ((0, 8, 1), (-1,), b"", "do not fill"),
        ((0, 8, 1), (2**62, 8), b"", "do not fill"),
        ((0, 0, 1), (1,), b"", "do not fill"),
        ((0, 256, 1), (1,), b"x" * 32, "no such"),
        ((0, 8, 1), (1,) * 65, b"x", "no such"),
        ((0, 8, 1), (2**64,), b"x", "too large|too big"),
    ):
        with pytest.raises((ValueError, OverflowError), match=match):
            core.tensor_from_bytes(data_type, shape, data)
        if data:
            with pytest.raises((ValueError, OverflowError), match=match):
                core.tensor_over(data_type, shape, bytearray(data))
    for make in (core.tensor_from_bytes, core.tensor_over):
        with pytest.raises(TypeError):
            make((0, 8, 1), (3,), "text")


def test_opaque_values_are_copied(native, again):
    value = [1]
    kept = selfsame_ffi.opaque(value)
    plain = native.Plain()
    plain.x = kept
    made, made_value, owner = again([kept, value, plain])
    assert type(made) is selfsame_ffi.OpaquePyObject and made.pyobject() is made_value and made_value == [1]
    assert owner.x is made_value  # native code returns the value, not the wrapper
    holder = selfsame_ffi.Array([kept, selfsame_ffi.opaque({"a": value})])
    made, made_value = again([holder, value])
    assert made[0] is made_value and made[1]["a"] is made_value and type(made[1]) is dict
    around = [1]
    around.append(selfsame_ffi.opaque(around))
    made = again(around)
    assert made[1].pyobject() is made and made is not around
    del around[1], made[1]


def test_modules_are_refused(native):
    module = selfsame_ffi.load_module(str(native.path), keep_module_alive=False)
    for use in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"ffi\.Module"):
            use(module)


# ---- another process ----

READER = """
import pickle, sys
sys.path.insert(0, sys.argv[2])
import selfsame_ffi
selfsame_ffi.load_extension(sys.argv[1])
objects = pickle.load(sys.stdin.buffer)
outer, shared, tagged, error, echo, array = objects
assert outer.x is shared and outer.any[0] is shared and shared.x is outer and outer.i == 5
assert type(tagged).__name__ == "Tagged" and tagged.note is shared and tagged.tag == "t" and tagged.a == 1
assert type(error) is ValueError and error.__tvm_ffi_error__.kind == "ValueError"
assert "inner.cc" in error.__tvm_ffi_error__.backtrace
assert echo(shared) is shared and echo is selfsame_ffi.get_global_func("sst.echo")
assert list(array) == [1, "two", None]
pickle.dump(objects, sys.stdout.buffer, 2)
"""


def test_objects_travel_to_another_process_and_back(native, classes):
    outer, shared, tagged = native.Plain(), native.Plain(), classes.Tagged()
    outer.x, outer.any, outer.i, shared.x = shared, selfsame_ffi.Array([shared]), 5, outer
    tagged.a, tagged.note, tagged.tag = 1, shared, "t"
    with pytest.raises(ValueError) as info:
        native.throw_with_frames()
    objects = [outer, shared, tagged, info.value, native.echo, selfsame_ffi.Array([1, "two", None])]
    result = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", READER, str(native.path), str(SUPPORT)],
        input=pickle.dumps(objects),
        capture_output=True,
        timeout=1800,
        env=dict(os.environ),
    )
    assert result.returncode == 0, result.stderr.decode()[-3000:]
    back = pickle.loads(result.stdout)
    assert back[0].x is back[1] and back[1].x is back[0] and back[2].note is back[1]
    assert type(back[2]) is classes.Tagged and back[4] is native.echo
    shared.x = back[1].x = None
    info = None


def test_an_object_that_no_field_describes_is_not_copied_deeply(native):
    """Its copy constructor may share its state: of a matcher's copy, a token ended the original."""
    picky = native.Picky(1)
    assert type(copy.copy(picky)) is type(picky)
    for value in (picky, [picky], {"a": (picky,)}):
        with pytest.raises(TypeError, match=r"^sst\.Picky: objects cannot be copied deeply: no field tells"):
            copy.deepcopy(value)


class NamedArray(selfsame_ffi.Array):
    """An Array with attributes."""


def test_arrays_are_pickled_the_same_each_time():
    """The first one of a class asks Python how, later ones do not."""
    inner = selfsame_ffi.Array([1, "two", 3.0, None, b"four", selfsame_ffi.Array([])])
    whole = selfsame_ffi.Array([inner, inner, {"key": inner}])
    first = pickle.dumps(whole)
    assert pickle.dumps(whole) == first and pickle.dumps(selfsame_ffi.Array([])) == pickle.dumps(selfsame_ffi.Array([]))
    again = pickle.loads(first)
    assert again == whole and again[0] is again[1] and again[2]["key"] is again[0]
    named = NamedArray([1, 2])
    named.about = [1]
    read = pickle.loads(pickle.dumps([selfsame_ffi.Array([1, 2]), named]))
    assert (type(read[0]), type(read[1]), read[1].about) == (selfsame_ffi.Array, NamedArray, [1])
    assert read[0] == read[1] == [1, 2]
    with pytest.raises(RuntimeError):
        pickle.dumps(selfsame_ffi.Array.__new__(selfsame_ffi.Array))
    assert pickle.dumps(whole) == first
