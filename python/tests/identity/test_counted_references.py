"""Native code counts a wrapper from the moment on in which Python refers to it again, however that came about."""

# Requirement: C16

import gc
import operator
import weakref

import pytest
import selfsame_ffi

NATIVE = 1  # the count of an object that native code keeps and Python has dropped


@pytest.fixture
def kept(native):
    """Keeps an object that Python has dropped, of a given class. Returns its address."""

    def keep(cls):
        obj = cls()
        native.keep(obj)
        native.echo(obj)
        return id(obj)

    yield keep
    native.release()


@pytest.fixture
def noted(native):
    """A class whose objects have an attribute."""

    class Noted(native.Plain):
        __slots__ = ("__dict__", "__weakref__")

    return Noted


def the_one(objects, address):
    return next(obj for obj in objects if id(obj) == address)


@pytest.mark.parametrize("generation", [None, 0])
def test_object_from_gc_get_objects_counts_at_once(native, kept, noted, generation):
    address = kept(noted)
    assert native.kept_use_count() == NATIVE
    found = the_one(gc.get_objects(generation=generation), address)
    assert native.kept_use_count() == NATIVE + 1
    del found
    assert native.kept_use_count() == NATIVE


def test_object_from_gc_get_referrers_counts_at_once(native, noted):
    obj = noted()
    obj.note = note = [1]
    native.keep(obj)
    address = id(obj)
    del obj
    assert native.kept_use_count() == NATIVE
    owners = gc.get_referrers(note)
    if type(owners[0]) is dict:  # its __dict__, where that is an object of the collector's
        owners = gc.get_referrers(owners[0])
    found = the_one(owners, address)
    assert native.kept_use_count() == NATIVE + 1
    del owners, found
    assert native.kept_use_count() == NATIVE
    native.release()


def test_object_from_gc_get_referents_counts_at_once(native, kept, noted):
    address = kept(noted)
    owner = selfsame_ffi.List([native.kept(0)])
    native.release()
    held = selfsame_ffi.debug.counters()["held"]
    found = [one for one in gc.get_referents(owner) if id(one) == address]
    assert len(found) == 1
    assert selfsame_ffi.debug.counters()["held"] == held - 1


# ---- proxies ----

BINARY = (
    "add sub mul truediv floordiv mod lshift rshift and_ xor or_ matmul pow iadd isub imul itruediv ifloordiv "
    "imod ilshift irshift iand ixor ior imatmul ipow lt le eq ne gt ge getitem contains"
).split()
UNARY = "neg pos abs invert index".split()
OTHERS = {
    "a method": lambda proxy: proxy.method(),
    "an attribute": lambda proxy: proxy.computed,
    "set": lambda proxy: setattr(proxy, "computed", 1),
    "call": lambda proxy: proxy(),
    "int": int,
    "float": float,
    "bool": bool,
    "len": len,
    "str": str,
    "iter": iter,
    "next": next,
    "divmod": lambda proxy: divmod(proxy, 1),
    "reflected": lambda proxy: [1] + proxy,
    "set item": lambda proxy: operator.setitem(proxy, 1, 2),
    "delete item": lambda proxy: operator.delitem(proxy, 1),
}
OPERATIONS = {
    **{name: lambda proxy, name=name: getattr(operator, name)(proxy, 1) for name in BINARY},
    **{name: getattr(operator, name) for name in UNARY},
    **OTHERS,
}
SPECIAL = (
    "neg pos abs invert index int float bool len str iter next add radd sub mul truediv floordiv mod divmod pow lshift "
    "rshift and xor or matmul iadd isub imul itruediv ifloordiv imod ilshift irshift iand ixor ior imatmul ipow lt le "
    "eq ne gt ge getitem setitem delitem contains call hash"
).split()


@pytest.fixture
def counting(native, noted):
    """A class each of whose special methods reads the count, and uses nothing of the object."""
    results = {"int": 1, "float": 1.0, "bool": True, "len": 1, "str": "", "index": 1, "contains": True, "hash": 1}
    seen = []

    def special(name):
        def method(self, *args):
            seen.append(native.kept_use_count())
            return iter(()) if name == "iter" else results.get(name)

        return method

    def method(self, *_):
        seen.append(native.kept_use_count())

    members = {f"__{name}__": special(name) for name in SPECIAL}
    members["__name__"] = members["computed"] = property(method, method)
    return type("Counting", (noted,), {**members, "method": method, "seen": seen})


@pytest.mark.parametrize("name", OPERATIONS)
def test_operation_on_a_proxy_of_a_dropped_object_counts(native, counting, name):
    obj = counting()
    native.keep(obj)
    proxy = weakref.proxy(obj)
    del obj
    assert native.kept_use_count() == NATIVE
    OPERATIONS[name](proxy)
    assert counting.seen == [NATIVE + 1]
    assert native.kept_use_count() == NATIVE
    native.release()


@pytest.mark.parametrize("use", [bytes, reversed])
def test_method_of_a_proxy_of_a_dropped_object_counts(native, noted, use):
    seen = []

    class Sequence(noted):  # not callable: only its proxies have methods of their own
        def __bytes__(self):
            seen.append(native.kept_use_count())
            return b""

        def __reversed__(self):
            seen.append(native.kept_use_count())

    obj = Sequence()
    native.keep(obj)
    proxy = weakref.proxy(obj)
    del obj
    use(proxy)
    assert seen == [NATIVE + 1]
    assert native.kept_use_count() == NATIVE
    native.release()


class Reference(weakref.ref):
    pass


class ReferenceThatAsks(weakref.ref):
    def __eq__(self, other):
        return super().__eq__(other)

    def __hash__(self):
        return super().__hash__()

    def __repr__(self):
        return super().__repr__()


@pytest.mark.parametrize("of_class", [weakref.ref, Reference, ReferenceThatAsks])
@pytest.mark.parametrize(
    "use",
    [hash, repr, lambda ref: ref == weakref.ref(operator), lambda ref: weakref.ref(operator) != ref],
    ids=["hash", "repr", "equal", "reflected"],
)
def test_what_a_weak_reference_passes_a_dropped_object_to_counts(native, counting, of_class, use):
    obj = counting()
    native.keep(obj)
    reference = of_class(obj)
    del obj
    assert native.kept_use_count() == NATIVE
    use(reference)
    assert counting.seen[:1] == [NATIVE + 1]
    assert native.kept_use_count() == NATIVE
    native.release()


def test_weak_references_of_other_objects_are_as_before():
    class Other:
        pass

    one, other = Other(), Other()
    reference = weakref.ref(one)
    assert reference == weakref.ref(one) != weakref.ref(other) and hash(reference) == hash(one)
    assert "Other" in repr(reference) and reference != one
    del one
    assert "dead" in repr(reference) and hash(reference)
    with pytest.raises(TypeError):
        hash(weakref.ref(Other()))


def test_bound_method_of_a_proxy_counts(native, counting):
    obj = counting()
    native.keep(obj)
    proxy = weakref.proxy(obj)
    del obj
    method = proxy.method
    assert native.kept_use_count() == NATIVE + 1
    del method
    assert native.kept_use_count() == NATIVE
    native.release()
    with pytest.raises(ReferenceError):
        proxy.method  # noqa: B018


def test_proxies_of_other_objects_are_as_before():
    class Other(list):
        pass

    other = Other([1, 2])
    proxy = weakref.proxy(other)
    assert proxy + [3] == [1, 2, 3] and len(proxy) == 2 and proxy[0] == 1 and 2 in proxy and list(proxy) == [1, 2]
    assert type(proxy) is weakref.ProxyType and str(proxy) == "[1, 2]" and proxy == [1, 2]
    with pytest.raises(TypeError):
        proxy - 1
    with pytest.raises(AttributeError):
        proxy.missing  # noqa: B018
    del other
    with pytest.raises(ReferenceError):
        len(proxy)


# ---- moves and further fetches ----


def test_moved_argument_of_a_kept_object_counts_once(native, kept, noted):
    kept(noted)
    counted = native.apply(lambda value: native.kept_use_count(), native.kept(0)._move())
    assert counted == NATIVE + 2  # the callback's argument, and the reference that its caller got
    assert native.kept_use_count() == NATIVE


@pytest.mark.parametrize(
    "make", [lambda native: selfsame_ffi.Shape((1, 2)), lambda native: native.make_error("KeyError", "no")]
)
def test_each_fetch_of_an_object_that_lives_counts(native, make):
    obj = make(native)
    native.keep(obj)
    first = native.kept_use_count()
    others = [native.kept(0), native.kept(0)]
    assert native.kept_use_count() == first + 2
    assert all(other is obj for other in others)
    native.release()
