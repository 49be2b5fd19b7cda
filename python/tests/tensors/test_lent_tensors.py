"""Another package's tensor is lent to a call: nothing is made for it unless native code keeps it."""

# Requirements: C3, C8, F3

import ctypes
import gc
import sys
import weakref

import pytest
import selfsame_ffi
from exchange_tables import Counted, Exchange, Function, address, changed_table, class_with
from numpy_releases import exports_read_only_arrays, writes_through_dlpack
from selfsame_ffi import Tensor, core, debug, from_dlpack
from waiting import wait_for_queue

np = pytest.importorskip("numpy")


@pytest.fixture
def array():
    return np.arange(6, dtype="float32").reshape(2, 3)


def live():
    gc.collect()
    return debug.live_objects().get("ffi.Tensor", 0)


def test_call_exports_nothing(native, array):
    counted = Counted()
    other = counted(array)
    assert native.echo(other) is other  # the first call finds the class
    exports, views = counted.exports, counted.views
    before = live()
    for _ in range(100):
        assert native.echo(other) is other
    assert counted.exports == exports and counted.views == views + 100
    assert live() == before


def test_native_code_sees_the_tensor(native, array):
    other = Counted()(array)
    seen = []
    look = selfsame_ffi.convert(lambda *given: seen.append([(t.shape, t.strides, str(t.dtype)) for t in given]))
    look(other)
    for number in (1, 3, 8, 20):
        look(*[other] * number)
        assert seen.pop() == [((2, 3), (3, 1), "float32")] * number


@writes_through_dlpack
def test_native_code_writes_into_the_tensor(native, array):
    write = selfsame_ffi.convert(lambda given: given.numpy().__setitem__((1, 2), 9))
    write(Counted()(array))
    assert array[1, 2] == 9


def test_kept_tensor_owns_the_memory(native, array):
    """The argument may die: what native code has kept stays whole."""
    counted = Counted()
    other = counted(array)
    native.echo(other)
    exports = counted.exports
    references = sys.getrefcount(array)
    native.keep(other)
    assert counted.exports == exports + 1
    del other
    gc.collect()
    kept = native.kept(0)
    assert type(kept) is Tensor and np.shares_memory(kept.numpy(), array) and kept.shape == (2, 3)
    assert native.echo(kept) is kept
    del kept
    native.release_on_thread()
    wait_for_queue()
    gc.collect()
    assert sys.getrefcount(array) < references


def test_kept_tensors_and_spare_ones_are_apart(native, array):
    """A Tensor that somebody keeps is not used for the next argument."""
    cls = Counted()
    arrays = [np.full(4, i, "int32") for i in range(10)]
    native.echo(cls(array))
    for one in arrays:
        native.keep(cls(one))
        native.echo(cls(array))
    assert [native.kept(i).numpy().tolist() for i in range(10)] == [one.tolist() for one in arrays]
    native.release()


def test_weak_reference_is_no_owner(native, array):
    other = Counted()(array)
    native.echo(other)
    before = live()
    native.weak_set(other)
    assert native.weak_get() is None
    native.weak_clear()
    assert live() == before


def test_callback_may_keep_its_tensor(native, array):
    """The wrapper that a callback got is a Tensor afterwards too."""
    other = Counted()(array)
    kept = []
    call = selfsame_ffi.convert(kept.append)
    for _ in range(3):
        call(other)
    first = id(kept[0])
    del other
    gc.collect()
    assert id(kept[0]) == first and len({id(tensor) for tensor in kept}) == 3
    assert all(np.shares_memory(tensor.numpy(), array) for tensor in kept)


def test_extents_that_live_with_the_argument_keep_it(native, array):
    """A package whose export has extents of its own: the kept Tensor keeps the argument for those of the view."""
    counted = Counted()
    extents = (ctypes.c_int64 * 4)(2, 3, 3, 1)

    def elsewhere(view):
        view.shape = ctypes.addressof(extents)
        view.strides = ctypes.addressof(extents) + 16

    counted.change = elsewhere
    other = counted(array)
    native.echo(other)
    references = sys.getrefcount(other)
    native.keep(other)
    assert sys.getrefcount(other) == references + 1 and native.kept(0).shape == (2, 3)
    native.release()
    wait_for_queue()
    assert sys.getrefcount(other) == references


@pytest.mark.parametrize(
    "change",
    [
        lambda view: setattr(view, "strides", None),
        lambda view: setattr(view, "shape", None),
        lambda view: setattr(view, "ndim", -1),
        lambda view: setattr(view, "lanes", 0),
    ],
)
def test_incomplete_view_is_exported_instead(native, array, change):
    counted = Counted()
    counted.change = change
    other = counted(array)
    native.echo(other)
    exports = counted.exports
    assert native.echo(other) is other and counted.exports == exports + 1
    seen = []
    selfsame_ffi.convert(lambda given: seen.append(given.strides))(other)
    assert seen == [(3, 1)]


def test_description_of_the_call_before_is_not_read(native, array):
    """A package whose function returns success and writes nothing."""

    @Function
    def silent(value, out):
        return 0

    other = Counted(view=address(silent))(array)
    seen = []
    look = selfsame_ffi.convert(lambda given: seen.append(given.shape))
    for _ in range(3):
        look(np.ones(7))
        look(other)
    assert seen == [(7,), (2, 3)] * 3


def test_class_without_views_is_exported(native, array):
    counted = Counted(view=None)
    other = counted(array)
    for number in range(1, 4):
        assert native.echo(other) is other and counted.exports == number


def test_error_of_a_view_is_raised(native, array):
    @Function
    def fails(value, out):
        return -1

    other = Counted(view=address(fails))(array)
    with pytest.raises(BufferError, match="did not export"):
        for _ in range(2):
            native.echo(other)
    assert native.echo(3) == 3


def test_error_when_keeping_keeps_the_argument(native, array):
    """An export that fails after the call: the kept Tensor owns the argument itself."""
    counted = Counted()
    other = counted(array)
    native.echo(other)

    @Function
    def fails(value, out):
        return -1

    type(other).table.from_python = address(fails)
    references = sys.getrefcount(other)
    native.keep(other)
    assert sys.getrefcount(other) == references + 1 and native.kept(0).numpy().tolist() == array.tolist()
    native.release()
    wait_for_queue()
    assert sys.getrefcount(other) == references


def test_change_of_the_class_is_seen(native, array):
    """The table of a class is known by its version: an assignment, also to a base, is seen by the next call."""

    class Base(core.DLTensorTestWrapper):
        pass

    class Derived(Base):
        pass

    other = Derived(from_dlpack(array))
    first, second = Counted(), Counted()
    for _ in range(3):
        assert native.echo(other) is other
    for counted, cls in ((first, Base), (second, Derived)):
        cls.__dlpack_c_exchange_api__ = counted.cls.__dlpack_c_exchange_api__
        native.echo(other), native.echo(other)
        assert counted.views + counted.exports == 2
    Derived.__tvm_ffi_object__ = lambda self: from_dlpack(array)
    assert type(native.echo(other)) is Tensor
    del Derived.__tvm_ffi_object__
    del Derived.__dlpack_c_exchange_api__
    native.echo(other)
    assert first.views + first.exports == 3
    Base.__dlpack_c_exchange_api__ = "no table"
    with pytest.raises(TypeError, match="expected a capsule"):
        native.echo(other)


def test_classes_that_come_and_go(native, array):
    """Classes at the address of a dead class are not taken for it."""
    for _ in range(200):
        counted = Counted()
        other = counted(array)
        native.echo(other), native.echo(other)
        assert counted.views + counted.exports == 2
        del counted, other


def test_nested_calls_lend_each_their_own(native, array):
    other = Counted()(array)
    second = Counted()(np.full((1,), 7, "int8"))
    native.echo(other), native.echo(second)

    def outer(given, depth):
        before = given.shape
        if depth:
            again(second if depth % 2 else other, depth - 1)
        assert given.shape == before
        return given

    again = selfsame_ffi.convert(outer)
    assert again(other, 20) is other


def test_table_without_an_export_is_refused(native, array):
    other = class_with(changed_table(from_python=None))(from_dlpack(array))
    for use in (native.echo, from_dlpack, lambda value: selfsame_ffi.Array([value])):
        with pytest.raises(BufferError, match="managed_tensor_from_py_object_no_sync"):
            use(other)


def test_table_without_an_import_is_refused(native, array):
    other = class_with(changed_table(to_python=None))(from_dlpack(array))
    assert native.echo(other) is other
    with pytest.raises(BufferError, match="managed_tensor_to_py_object_no_sync"):
        selfsame_ffi.convert(lambda given: from_dlpack(np.ones(2)))(other)


def test_cycle_of_tables_is_refused(native, array):
    first, second = changed_table(major=2), changed_table(major=3)
    first.previous, second.previous = ctypes.addressof(second), ctypes.addressof(first)
    assert isinstance(first, Exchange)
    with pytest.raises(BufferError, match="expected DLPack version 1, got 2"):
        native.echo(class_with(first)(from_dlpack(array)))


class Exporter:
    """An object with __dlpack__ alone."""

    def __init__(self, array):
        self.array, self.exports = array, 0

    def __dlpack__(self, **_kwargs):
        self.exports += 1
        return self.array.__dlpack__()


@pytest.mark.parametrize("wrap", [lambda array: array, Exporter])
@pytest.mark.parametrize("shape", [(), (0,), (4,), (2, 3), (1, 2, 1, 2, 1, 2), (1, 2, 1, 2, 1, 2, 1), (2,) * 9])
def test_export_is_lent(native, wrap, shape):
    array = np.arange(np.prod(shape), dtype="float64").reshape(shape)
    given = wrap(array)
    want = from_dlpack(array)
    seen = []
    look = selfsame_ffi.convert(lambda *tensors: seen.extend((t.shape, t.strides, t.numpy().tolist()) for t in tensors))
    native.takes_tensor(given)
    before, references = live(), sys.getrefcount(array)
    for number in (1, 2, 9):
        look(*[given] * number)
    assert len(seen) == 12
    for shape_seen, strides, elements in seen:
        assert (shape_seen, elements) == (want.shape, array.tolist())
        assert strides == want.strides or array.size == 0  # strides without elements mean nothing
    gc.collect()
    assert live() == before and sys.getrefcount(array) == references


@pytest.mark.parametrize("wrap", [lambda array: array, Exporter])
def test_kept_export_owns_the_memory(native, wrap, array):
    given = wrap(array)
    native.takes_tensor(given)
    references = sys.getrefcount(array)
    for _ in range(3):
        native.keep(given)
    assert sys.getrefcount(array) == references + 3
    kept = [native.kept(i) for i in range(3)]
    assert len({id(tensor) for tensor in kept}) == 3
    assert all(np.shares_memory(tensor.numpy(), array) and tensor.strides == (3, 1) for tensor in kept)
    del kept
    native.release_on_thread()
    wait_for_queue()
    gc.collect()
    assert sys.getrefcount(array) == references


@exports_read_only_arrays
def test_read_only_array_is_taken(native, array):
    before = native.takes_tensor(array)
    array.flags.writeable = False
    assert native.takes_tensor(array) == before
    assert native.takes_tensor(np.ones(2)) == 1


def test_error_of_the_call_survives_the_end_of_the_export(native, array):
    def fail(_tensor):
        raise LookupError("mine")

    call = selfsame_ffi.convert(fail)
    references = sys.getrefcount(array)
    for _ in range(3):
        with pytest.raises(LookupError, match="mine"):
            call(array)
    gc.collect()
    assert sys.getrefcount(array) == references


def test_cycle_through_a_kept_array_is_collected(native):
    """The collector knows that a kept Tensor owns its array."""

    class Memory(np.ndarray):
        pass

    array = np.zeros(3).view(Memory)
    native.takes_tensor(array)
    box = selfsame_ffi.convert(lambda tensor: selfsame_ffi.List([tensor]))(array)
    array.box = box
    gone = weakref.ref(array)
    del array, box
    wait_for_queue()
    gc.collect()
    gc.collect()
    assert gone() is None


CONTAINERS = {
    "list": lambda value: [value, 3],
    "tuple": lambda value: (value, 3),
    "dict": lambda value: {"a": value},
    "nested": lambda value: {"a": [{"b": (value, value)}]},
}


@pytest.mark.parametrize("wrap", [lambda array: Counted()(array), lambda array: array])
@pytest.mark.parametrize("container", CONTAINERS)
def test_tensors_in_containers_are_lent(native, array, wrap, container):
    given = CONTAINERS[container](wrap(array))
    take = selfsame_ffi.convert(lambda container: None)
    take(given), take(given)
    before, references = live(), sys.getrefcount(array)
    for _ in range(20):
        take(given)
    assert live() == before and sys.getrefcount(array) == references


def test_class_in_a_list_exports_nothing(native, array):
    counted = Counted()
    other = counted(array)
    take = selfsame_ffi.convert(lambda *containers: None)
    take([other])
    exports = counted.exports
    take([other], {"a": other}, (other, [other]))
    assert counted.exports == exports


@pytest.mark.parametrize("wrap", [lambda array: Counted()(array), lambda array: array])
@pytest.mark.parametrize("container", CONTAINERS)
def test_kept_container_owns_its_tensors(native, array, wrap, container):
    given = CONTAINERS[container](wrap(array))
    native.keep(given), native.keep(given)
    del given
    gc.collect()
    element = native.kept(1)
    while not isinstance(element, Tensor):
        element = element[0] if isinstance(element, selfsame_ffi.Array) else next(iter(element.values()))
    assert np.shares_memory(element.numpy(), array) and element.shape == (2, 3)
    native.release()


def test_list_may_lose_its_tensor_during_the_call(native, array):
    """An element that the caller's list loses, and nobody else has, lives until the call has returned."""
    cls = Counted()
    kept, items = [], [cls(array)]
    native.echo(items[0])

    def clear(lent):
        items.clear()
        gc.collect()
        kept.append(lent)

    selfsame_ffi.convert(clear)(items)
    gc.collect()
    assert items == [] and np.shares_memory(kept[0][0].numpy(), array)


def test_refused_container_lends_nothing(native, array):
    given = [Counted()(array), array, "\ud800"]
    native.echo(given[0])
    with pytest.raises(UnicodeEncodeError):
        native.echo(given)
    before, references = live(), sys.getrefcount(array)
    for _ in range(5):
        with pytest.raises(UnicodeEncodeError):
            native.echo(given)
    gc.collect()
    assert live() == before and sys.getrefcount(array) == references
