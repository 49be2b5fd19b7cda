"""C11: pickle, copy and deepcopy keep shared references and identity inside one dump, cycles and state too."""

import copy
import gc
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import selfsame

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


def pickled(value, protocol=pickle.HIGHEST_PROTOCOL):
    return pickle.loads(pickle.dumps(value, protocol))


def by_python_pickle(value):
    """Through the pickler and unpickler written in Python."""
    return pickle._loads(pickle._dumps(value, 4))


ROUND_TRIPS = {f"pickle {p}": (lambda value, p=p: pickled(value, p)) for p in (0, 2, pickle.HIGHEST_PROTOCOL)}
ROUND_TRIPS["pickle in Python"] = by_python_pickle
ROUND_TRIPS["deepcopy"] = copy.deepcopy


@pytest.fixture(params=ROUND_TRIPS)
def again(request):
    """A deep round trip: by pickle protocols old and new, by the pickler in Python, and by deepcopy."""
    return ROUND_TRIPS[request.param]


@pytest.fixture(scope="module")
def classes(native):
    import pickled_classes

    return pickled_classes


# ---- objects with fields ----


def test_fields(native, again):
    plain = native.Plain()
    plain.i, plain.f, plain.b, plain.any = 2**62, 0.1, True, "text and more"
    made = again(plain)
    assert type(made) is native.Plain and made is not plain
    assert (made.i, made.f, made.b, made.any, made.x) == (2**62, 0.1, True, "text and more", None)
    assert native.use_count(made) == 1


VALUES = [None, True, False, 0, -1, 2**63 - 1, -(2**63), 0.5, float("inf"), b"", b"\xff" * 9]
VALUES += ["", "short", "a long é text\0 with more"]


def test_values(native, again):
    for value in VALUES:
        plain = native.Plain()
        plain.any = value
        made = again(plain)
        assert made.any == value and type(made.any) is type(value)


def test_every_protocol(native):
    for protocol in PROTOCOLS:
        plain = native.Plain()
        plain.x, plain.any = plain, selfsame.Array([plain])
        made = pickled(plain, protocol)
        assert made.x is made and made.any[0] is made
        for cycle in (plain, made):
            cycle.x = cycle.any = None


def test_read_only_fields(native, again):
    inner = native.Plain()
    inner.i = 4
    frozen = native.frozen(7, inner)
    made = again(frozen)
    assert (made.value, made.x.i) == (7, 4) and made.items[1] is made.x
    with pytest.raises(AttributeError, match="read-only"):
        made.value = 1


def test_field_named_as_in_the_base(native, again):
    made = again(native.frozen_sub(5, "its own"))
    field = vars(native.Frozen)["value"]
    assert made.value == "its own" and field.__get__(made, None) == 5


def test_shared_references(native, again):
    shared, outer = native.Plain(), native.Plain()
    outer.x = shared
    outer.any = selfsame.Array([shared, shared, [shared]])
    made, beside, container = again([outer, shared, selfsame.Array([outer, shared])])
    assert made.x is beside  # inside a native and beside it
    assert made.any[0] is beside and made.any[1] is beside and made.any[2][0] is beside
    assert container[0] is made and container[1] is beside
    assert beside is not shared


def test_one_object_twice(native, again):
    plain = native.Plain()
    first, second = again((plain, plain))
    assert first is second and first is not plain
    array = selfsame.Array([plain])
    first, second = again([array, array])
    assert first is second


def test_cycle_through_fields(native, again):
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


def test_cycle_through_an_array(native, again):
    plain = native.Plain()
    plain.any = selfsame.Array([plain, 1])
    array = plain.any
    made = again(plain)
    assert made.any[0] is made and made.any[1] == 1
    outer = again(array)  # entered from the immutable side
    assert outer[0].any is outer and outer is not array
    for cycle in (plain, made, outer[0]):
        cycle.any = None


def test_cycle_through_python(native, again, classes):
    opened = classes.Tagged()
    box = [opened]
    opened.box = box
    made = again(opened)
    assert made.box[0] is made and made is not opened
    del opened.box, made.box


def test_arrays(native, again):
    array = selfsame.Array([1, "text", None, 2.5, [1, [2]], native.Plain()])
    made = again(array)
    assert type(made) is selfsame.Array and list(made)[:4] == [1, "text", None, 2.5]
    assert made[4] == array[4] and type(made[5]) is native.Plain
    assert list(again(selfsame.Array([]))) == []


def test_containers(native, again):
    plain = native.Plain()
    whole = selfsame.List([1, "text", plain])
    whole.append(selfsame.Map({"key": plain, 2: [plain]}))
    whole.append(selfsame.Dict({"key": whole[3], plain: 1}))
    made = again(whole)
    assert [type(part) for part in made[2:]] == [native.Plain, selfsame.Map, selfsame.Dict]
    assert list(made[:2]) == [1, "text"] and made is not whole
    assert made[2] is not plain and made[3]["key"] is made[2] and made[3][2][0] is made[2]
    assert made[4]["key"] is made[3] and made[4][made[2]] == 1 and len(made[4]) == 2
    assert (
        list(again(selfsame.List())) == [] and dict(again(selfsame.Dict())) == {} and dict(again(selfsame.Map())) == {}
    )
    assert list(again(selfsame.Dict({k: str(k) for k in range(50)}))) == list(range(50))


def test_cycles_through_containers(native, again):
    plain, around, table = native.Plain(), selfsame.List(), selfsame.Dict()
    around.append(around)
    around.append(selfsame.Map({"list": around, "table": table}))
    table["list"], table[plain], plain.any = around, plain, table
    for start in (lambda one: one, lambda one: one[1], lambda one: one[1]["table"]):
        made = again(start(around))
        whole = {selfsame.List: lambda m: m, selfsame.Map: lambda m: m["list"], selfsame.Dict: lambda m: m["list"]}[
            type(made)
        ](made)
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


def test_containers_between_python_and_native(native, again):
    plain = native.Plain()
    inner = selfsame.List([plain])
    outside = [plain, inner, {"key": inner, "map": selfsame.Map({"p": plain})}]
    plain.any = inner
    made = again(outside)
    assert made[0].any is made[1] and made[1][0] is made[0]
    assert made[2]["key"] is made[1] and made[2]["map"]["p"] is made[0]
    inner.clear()
    made[1].clear()


def test_containers_with_state(native, again, classes):
    for made_from in (classes.Rows([1]), classes.Table({"a": 1}), classes.Fixed({"a": 1})):
        made_from.note = [made_from]
        made = again(made_from)
        assert type(made) is type(made_from) and made == made_from and made.note[0] is made
        shallow = copy.copy(made_from)
        assert type(shallow) is type(made_from) and shallow is not made_from and shallow.note is made_from.note
        del made_from.note, made.note, shallow.note


def test_shallow_copies_of_containers(native):
    child = selfsame.List([1])
    whole, table = selfsame.List([child]), selfsame.Dict({"k": child})
    for original in (whole, table):
        made = copy.copy(original)
        assert made is not original and made == original
    assert copy.copy(whole)[0] is child and copy.copy(table)["k"] is child
    fixed = selfsame.Map({"k": child})
    assert copy.copy(fixed) is fixed and copy.deepcopy(fixed)["k"] is not child


def test_shapes_types_and_devices(native, again):
    plain = native.Plain()
    plain.any = selfsame.Shape((2, 3))
    shape, kind, device, made = again([selfsame.Shape((2, 3)), selfsame.dtype("int8x4"), selfsame.device("cpu"), plain])
    assert type(shape) is selfsame.Shape and shape == (2, 3)
    assert type(kind) is selfsame.dtype and kind == "int8x4" and device == selfsame.device("cpu")
    assert type(made.any) is selfsame.Shape and made.any == (2, 3)
    made = again(selfsame.Array([selfsame.Shape(()), selfsame.dtype("bool"), selfsame.device("cpu", 1)]))
    assert [type(part) for part in made] == [selfsame.Shape, selfsame.dtype, selfsame.Device]
    for protocol in PROTOCOLS:
        assert pickled(shape, protocol) == shape
    assert copy.copy(shape) is shape and copy.deepcopy(shape) is shape


def test_tensors(native, again):
    np = pytest.importorskip("numpy")
    cube = np.arange(24, dtype="int16").reshape(2, 3, 4)
    arrays = [cube, cube.T, cube[:, ::2, 1:3], cube[::-1], np.zeros((0, 3)), np.array(2.5), np.zeros(3, bool)]
    for array in arrays:
        tensor = selfsame.from_dlpack(array)
        plain = native.Plain()
        plain.x = tensor
        made, owner = again([tensor, plain])
        assert type(made) is selfsame.Tensor and owner.x is made and made is not tensor
        assert made.dtype == tensor.dtype and made.shape == tensor.shape and made.is_contiguous()
        back = np.from_dlpack(made)
        assert (back == array).all() and not np.shares_memory(back, array)
        assert made.data_ptr() % 64 == 0
        del back


def test_shallow_copy_of_a_tensor():
    np = pytest.importorskip("numpy")
    array = np.arange(6)
    tensor = selfsame.from_dlpack(array)
    made = copy.copy(tensor)
    assert made is not tensor and made.data_ptr() == tensor.data_ptr()
    del tensor, array
    gc.collect()
    assert list(np.from_dlpack(made)) == list(range(6))


def test_tensor_that_does_not_fit():
    core = selfsame._core
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


def test_opaque_values(native, again):
    value = [1]
    kept = selfsame.opaque(value)
    plain = native.Plain()
    plain.x = kept
    made, payload, owner = again([kept, value, plain])
    assert type(made) is selfsame.OpaquePyObject and made.pyobject() is payload and payload == [1]
    assert owner.x is payload  # native code hands the value itself back
    holder = selfsame.Array([kept, selfsame.opaque({"a": value})])
    made, payload = again([holder, value])
    assert made[0] is payload and made[1]["a"] is payload and type(made[1]) is dict
    around = [1]
    around.append(selfsame.opaque(around))
    made = again(around)
    assert made[1].pyobject() is made and made is not around
    del around[1], made[1]


def test_modules_are_refused(native):
    module = selfsame.load_module(str(native.path), keep_module_alive=False)
    for use in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"ffi\.Module"):
            use(module)


# ---- Python state ----


def test_state(native, again, classes):
    tagged = classes.Tagged()
    tagged.a, tagged.tag, tagged.note, tagged.itself = 1, ["tag"], {"k": tagged}, tagged
    tagged.extra = tagged.tag
    tagged.set_hidden("deep")
    made = again(tagged)
    assert type(made) is classes.Tagged and made.a == 1
    assert made.tag == ["tag"] and made.extra is made.tag and made.tag is not tagged.tag
    assert made.note["k"] is made and made.itself is made and made.hidden() == "deep"
    for one in (tagged, made):
        del one.note, one.itself


def test_state_of_an_object_inside_natives(native, again, classes):
    tagged = classes.Tagged()
    tagged.note = "kept"
    outer = native.Plain()
    outer.x = tagged
    made = again(outer)
    assert type(made.x) is classes.Tagged and made.x.note == "kept"


def test_class_without_state(native, again, classes):
    lean = classes.Lean()
    lean.i = 3
    made = again(lean)
    assert type(made) is classes.Lean and made.i == 3


def test_own_getstate(native, again, classes):
    opened = classes.OwnState()
    opened.kept, opened.dropped = [1], 2
    made = again(opened)
    assert made.kept == [1] and made.restored and not hasattr(made, "dropped")


def test_own_reduce(native, again, classes):
    own = classes.OwnReduce(5)
    own.note = "x"
    one, two = again([own, own])
    assert one is two and type(one) is classes.OwnReduce and one.value == 5 and one.note == "x"


def test_container_with_state(native, again, classes):
    row = classes.Row([1, 2])
    row.note = [row]
    made = again(row)
    assert type(made) is classes.Row and list(made) == [1, 2] and made.note[0] is made
    shallow = copy.copy(row)
    assert type(shallow) is classes.Row and shallow is not row and shallow.note is row.note
    del row.note, made.note, shallow.note


def test_class_with_a_form_of_its_own(native):
    value = native.AsJson(21)
    assert pickled(value).value == 21
    assert copy.copy(value).value == 21


# ---- shallow copies ----


def test_copy(native):
    child = native.Plain()
    plain = native.Plain()
    plain.x, plain.i = child, 3
    made = copy.copy(plain)
    assert type(made) is native.Plain and made is not plain
    assert made.x is child and made.i == 3
    made.i = 4
    assert plain.i == 3


def test_copy_without_a_constructor_without_arguments(native):
    leaf, other = native.Leaf(1), native.Leaf(2)
    assert copy.copy(leaf).value == 1 and copy.copy(leaf) is not leaf
    node = native.Node(leaf)
    node.any, node.items = leaf, [leaf, other]
    made = copy.deepcopy(node)
    assert made.x is made.fixed is made.any is made.items[0] and made.x is not leaf
    assert made.x.value == 1 and made.items[1].value == 2 and made.items[1] is not other


def test_copy_with_state(native, classes):
    tagged = classes.Tagged()
    tagged.a, tagged.note, tagged.tag = 1, [], ["t"]
    made = copy.copy(tagged)
    assert type(made) is classes.Tagged and made.a == 1
    assert made.note is tagged.note and made.tag is tagged.tag


def test_copy_of_an_immutable(native):
    array = selfsame.Array([1, [2]])
    assert copy.copy(array) is array
    assert copy.deepcopy(array) is not array


def test_deepcopy_memo(native):
    plain, array = native.Plain(), selfsame.Array([1])
    memo = {}
    first = copy.deepcopy(plain, memo)
    assert copy.deepcopy(plain, memo) is first
    assert copy.deepcopy([plain], memo)[0] is first
    given = native.Plain()
    plain.x, plain.any = given, array
    memo = {id(given): given}  # "do not copy this one"
    assert copy.deepcopy(plain, memo).x is given


def test_replace(native):
    frozen = native.frozen(1, None)
    made = frozen.__replace__(value=2)
    assert (made.value, frozen.value) == (2, 1) and type(made) is native.Frozen
    with pytest.raises(TypeError, match="nothing"):
        frozen.__replace__(nothing=1)
    if hasattr(copy, "replace"):
        assert copy.replace(frozen, value=3).value == 3


# ---- errors ----


def test_error_values(native, again):
    frames = '  File "f.cc", line 3, in g\n'
    error = selfsame.Error("ValueError", "text", frames, selfsame.Error("KeyError", "cause"))
    made, cause = again([error, error.cause])
    assert (made.kind, made.message, made.backtrace) == ("ValueError", "text", frames)
    assert made.cause is cause and cause.kind == "KeyError" and made is not error


def test_exceptions_of_native_code(native, again):
    with pytest.raises(ValueError) as info:
        native.throw_with_frames()
    made = again(info.value)
    assert type(made) is ValueError and made.args == info.value.args
    told = made.__tvm_ffi_error__
    assert (told.kind, told.message) == ("ValueError", "with frames")
    assert told.backtrace == info.value.__tvm_ffi_error__.backtrace and "inner.cc" in told.backtrace
    with pytest.raises(RuntimeError) as info:
        native.throw("NeverHeardOf", "strange")
    assert again(info.value).__tvm_ffi_error__.kind == "NeverHeardOf"
    info = None


def test_cause_of_an_exception(native, again):
    with pytest.raises(ValueError) as info:
        native.throw_with_cause()
    made = again(info.value)
    assert made.__tvm_ffi_error__.cause.kind == "KeyError"


def test_exceptions_of_python_through_native_code(native, again):
    def fails(_):
        raise LookupError("from Python", 3)

    with pytest.raises(LookupError) as info:
        native.apply(fails, 1)
    made = again(info.value)
    assert type(made) is LookupError and made.args == ("from Python", 3)
    value = native.catch_value(lambda: fails(1))
    told = again(value)
    assert told.kind == "LookupError" and told.backtrace == value.backtrace and ", in fails\n" in told.backtrace
    assert type(told.py_error()) is LookupError
    info = value = None
    gc.collect()


# ---- functions ----


def test_global_functions(native):
    for protocol in PROTOCOLS:
        assert pickled(native.echo, protocol) is native.echo
        assert pickled([native.echo, native.leaf], protocol) == [native.echo, native.leaf]
    plain = native.Plain()
    plain.any = native.echo
    assert pickled(plain).any is native.echo
    data = pickle.dumps(selfsame.register_global_func("sst.py.gone", lambda: None))
    selfsame.remove_global_func("sst.py.gone")
    with pytest.raises(ValueError, match=r"sst\.py\.gone"):
        pickle.loads(data)


def test_closures_are_refused(native):
    closure = selfsame.convert(lambda: 1)
    plain = native.Plain()
    plain.any = closure
    for value in (closure, [closure], plain):
        with pytest.raises(TypeError, match="global name"):
            pickle.dumps(value)
    assert copy.copy(closure) is closure and copy.deepcopy(closure) is closure
    assert copy.deepcopy(plain).any is closure


def test_bound_methods(native):
    opened = native.Open()
    opened.a = 5
    assert pickled(opened.plus)(3) == 8
    with pytest.raises(TypeError, match="sst.Leaf"):
        pickle.dumps(native.Leaf(1).add)


# ---- what cannot be ----


def test_refused(native):
    for value, match in (
        (native.Leaf(1), r"sst\.Leaf .*without arguments"),
        (native.Picky(1), r"sst\.Picky"),
        (native.Node(None), r"sst\.Node"),
    ):
        with pytest.raises(TypeError, match=match):
            pickle.dumps(value)
    with pytest.raises(TypeError, match="copy"):
        copy.deepcopy(native.static_object)
    with pytest.raises(TypeError, match="copy"):
        copy.copy(native.static_object)


def test_no_native(native):
    raw = native.Plain.__new__(native.Plain)
    for use in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(RuntimeError, match="not initialised"):
            use(raw)


def test_state_of_a_live_object_is_not_replaced(native):
    plain = native.Plain()
    plain.i = 1
    for state in ({}, {"i": 2}, (None, {}), None):
        with pytest.raises(TypeError, match="__setstate__"):
            plain.__setstate__(state)
    assert plain.i == 1


def test_pickles_that_do_not_fit(native):
    plain = native.Plain()
    data = pickle.dumps(plain, 2)
    for broken, match in (
        (data.replace(b"sst.Plain", b"sst.Plaim"), "no native type has the key 'sst.Plaim'"),
        (data.replace(b"sst.Plain", b"sst.Picky"), "constructor"),
        (data.replace(b"anyq", b"anxq"), "field 'anx'"),
    ):
        assert broken != data
        with pytest.raises((ValueError, TypeError), match=match):
            pickle.loads(broken)
    broken = data.replace(b"X\x01\x00\x00\x00iq", b"X\x01\x00\x00\x00fq")
    pickle.loads(broken)
    for cut in range(len(data)):
        with pytest.raises(Exception):  # noqa: B017
            pickle.loads(data[:cut])


def test_failure_in_the_middle(native, classes):
    class Unfit:
        def __reduce__(self):
            raise LookupError("not this one")

        def __deepcopy__(self, memo):
            raise LookupError("not this one")

    opened = classes.Tagged()
    opened.a, opened.note = native.Plain(), Unfit()
    for use in (pickle.dumps, copy.deepcopy):
        with pytest.raises(LookupError):
            use([opened, opened.a])
    assert native.use_count(opened) == 1


def test_too_deep(native):
    first = plain = native.Plain()
    for _ in range(20000):
        plain.x = native.Plain()
        plain = plain.x
    del plain
    for use in (pickle.dumps, copy.deepcopy):
        with pytest.raises(RecursionError):
            use(first)
    while first is not None:
        first = first.x


# ---- another process ----

READER = """
import pickle, sys
sys.path.insert(0, sys.argv[2])
import selfsame
selfsame.load_extension(sys.argv[1])
objects = pickle.load(sys.stdin.buffer)
outer, shared, tagged, error, echo, array = objects
assert outer.x is shared and outer.any[0] is shared and shared.x is outer and outer.i == 5
assert type(tagged).__name__ == "Tagged" and tagged.note is shared and tagged.tag == "t" and tagged.a == 1
assert type(error) is ValueError and error.__tvm_ffi_error__.kind == "ValueError"
assert "inner.cc" in error.__tvm_ffi_error__.backtrace
assert echo(shared) is shared and echo is selfsame.get_global_func("sst.echo")
assert list(array) == [1, "two", None]
pickle.dump(objects, sys.stdout.buffer, 2)
"""


def test_another_process(native, classes):
    outer, shared, tagged = native.Plain(), native.Plain(), classes.Tagged()
    outer.x, outer.any, outer.i, shared.x = shared, selfsame.Array([shared]), 5, outer
    tagged.a, tagged.note, tagged.tag = 1, shared, "t"
    with pytest.raises(ValueError) as info:
        native.throw_with_frames()
    objects = [outer, shared, tagged, info.value, native.echo, selfsame.Array([1, "two", None])]
    result = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", READER, str(native.path), str(Path(__file__).parent)],
        input=pickle.dumps(objects),
        capture_output=True,
        timeout=600,
        env=dict(os.environ),
    )
    assert result.returncode == 0, result.stderr.decode()[-3000:]
    back = pickle.loads(result.stdout)
    assert back[0].x is back[1] and back[1].x is back[0] and back[2].note is back[1]
    assert type(back[2]) is classes.Tagged and back[4] is native.echo
    shared.x = back[1].x = None
    info = None
