"""Classes declared in Python obey the rules of identity and memory as native ones do, and so do members of enums.

test_families.py, test_attributes_families.py and test_out_of_memory.py have py_class and c_class among their families;
here is what only such classes have: typed fields, classes derived in Python, defaults, and enums.
"""

import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
import weakref

import pytest
import selfsame_ffi
from declared import MEMBERS, Color, Mode, Node, Size, Special, Tagged
from racing import run
from repository import SUPPORT
from selfsame_ffi.dataclasses import py_class

CLASSES = pytest.mark.parametrize("cls", [Node, Special, Tagged])


@pytest.fixture(autouse=True)
def nothing_kept(native):
    """Native code keeps nothing after a test that failed, so that the next test can pass."""
    yield
    native.release()


# Requirement: C1
@CLASSES
def test_fields_and_containers_give_the_object_itself(cls):
    inner = cls(1)
    outer = cls(value=inner, next=inner, items=[inner, [inner]], table={"k": inner})
    assert outer.value is inner and outer.next is inner and outer.next.next is None
    assert outer.items[0] is inner and outer.items[1][0] is inner and outer.table["k"] is inner
    assert outer.items is outer.items and outer.table is outer.table
    outer.next.next = outer
    assert outer.next.next is outer and outer.next.next.next is inner
    outer.next.next = None


# Requirement: C2
@CLASSES
def test_id_stays_when_only_a_field_holds_the_object(cls):
    outer = cls(next=cls("inner"))
    first = id(outer.next)
    for _ in range(5):
        gc.collect()
        noise = [cls() for _ in range(20)]
        assert id(outer.next) == first and type(outer.next) is cls and outer.next.value == "inner"
        assert first not in {id(other) for other in noise}


# Requirement: C3
@CLASSES
def test_calls_and_callbacks_give_the_object_itself(cls, native):
    thing = cls()
    assert native.echo(thing) is thing and native.echo_packed(thing) is thing
    assert native.apply(lambda value: value, thing) is thing
    assert native.apply_on_thread(lambda value: value, thing) is thing


# Requirement: C7
@CLASSES
def test_state_and_class_survive(cls, native):
    deleted = []

    class Mine(cls):
        __slots__ = ("extra",)

        def __del__(self):
            deleted.append(self.extra)

    thing = Mine(1)
    thing.extra, thing.note = "extra", ["note"]
    reference, address = weakref.ref(thing), id(thing)
    native.keep(thing)
    del thing
    for _ in range(3):
        gc.collect()
        again = native.kept(0)
        assert again is reference() and id(again) == address and type(again) is Mine
        assert (again.extra, again.note, again.value) == ("extra", ["note"], 1)
        del again
    native.release()
    gc.collect()
    assert reference() is None and deleted == ["extra"]


# Requirements: C8, C9
@CLASSES
@pytest.mark.parametrize("way", ["value", "next", "items", "table", "attribute", "closure"])
def test_cycles_are_collected(cls, way):
    one, other = cls(), cls()
    for mine, theirs in ((one, other), (other, one)):
        if way in ("value", "next"):
            setattr(mine, way, theirs)
        elif way == "items":
            mine.items.append(theirs)
        elif way == "table":
            mine.table["k"] = theirs
        elif way == "attribute":
            mine.note = theirs
        else:
            mine.value = selfsame_ffi.convert(lambda theirs=theirs: theirs)
    references = [weakref.ref(one), weakref.ref(other)]
    del one, other, mine, theirs
    gc.collect()
    gc.collect()
    assert [reference() for reference in references] == [None, None]


# Requirement: C8
@CLASSES
@pytest.mark.parametrize(
    "arguments", [{"next": 5}, {"items": [1, object], "table": 3}, {"unknown": 1}, {"value": 1, "next": "x"}]
)
def test_refused_arguments_leave_nothing(cls, arguments):
    live = selfsame_ffi.debug.live_objects()
    for _ in range(10):
        with pytest.raises(TypeError):
            cls(**arguments)
    gc.collect()
    assert selfsame_ffi.debug.live_objects() == live


# Requirement: C10
@CLASSES
def test_moved_object_refuses_every_use(cls, native):
    thing = cls(cls())
    native.take_any(thing._move())
    assert thing.__chandle__() == 0
    for use in (lambda: thing.value, lambda: setattr(thing, "value", 1), lambda: native.echo(thing)):
        with pytest.raises(RuntimeError, match="moved|no native object|handle"):
            use()
    assert isinstance(repr(thing), str)


# Requirement: C11
@CLASSES
@pytest.mark.parametrize("way", [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_copies_keep_what_is_shared(cls, way):
    shared = cls("shared")
    top = cls(value=shared, next=shared, items=[shared], table={"self": shared})
    top.items.append(top)
    top.note = shared
    again = way(top)
    assert type(again) is cls and again is not top and again.value is not shared
    assert again.value is again.next is again.items[0] is again.table["self"] is again.note
    assert again.items[1] is again and again.value.value == "shared"
    top.items.clear()
    again.items.clear()


# Requirement: C12
@CLASSES
def test_threads_share_one_object(cls):
    outer = cls(next=cls(0))
    expected, wrong = outer.next, []

    def fetch(number):
        for turn in range(200):
            found = outer.next
            if found is not expected:
                wrong.append(number)
            found.value = turn
            outer.items.append(cls(found).value)

    run(16, fetch)
    assert wrong == [] and len(outer.items) == 16 * 200 and set(map(id, outer.items)) == {id(expected)}


# Requirement: C12
def test_threads_make_and_drop_objects(native):
    def make(_):
        for turn in range(100):
            native.keep(Special(Node(turn), tail=[turn]))
            assert native.echo(Node(turn)).value == turn

    run(16, make)
    dying = threading.Thread(target=native.release)
    dying.start()
    dying.join()


# Requirement: C13
@pytest.mark.parametrize(
    "body",
    [
        "alive = Node(Node())",
        "alive = Node(); alive.next = alive; alive.note = alive",
        "native_keeps(Special(Tagged(1)))",
        "selfsame_ffi.register_global_func('declared.late', lambda: Node(1))",
        "alive = Node.__new__(Node)",
        "alive = [Color.red, Size.small, Mode.read]; native_keeps(Color.blue)",
    ],
)
def test_interpreter_ends(body, native):
    program = (
        "import sys; sys.path.insert(0, sys.argv[2])\nimport selfsame_ffi\nselfsame_ffi.load_extension(sys.argv[1])\n"
        "from declared import *\nfrom declared import Color, Mode, Node, Size, Special, Tagged\n"
        f"native_keeps = selfsame_ffi.get_global_func('sst.keep')\n{body}\n"
    )
    command = [sys.executable, "-X", "faulthandler", "-c", program, str(native.path), str(SUPPORT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    said = [line for line in done.stderr.splitlines() if not line.startswith("[WARNING]")]  # of the test extension
    assert (done.returncode, said) == (0, [])


# Requirement: C14
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_child_works():
    outer = Special(Node(1), tail=Color.red)
    address = id(outer.value)
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            made = Special(outer, tail=Node(2))
            good = id(outer.value) == address and made.value is outer and made.tail.value == 2
            good = good and outer.tail is Color.red and Color.get(1) is Color.blue and Size.large.value == 10
            status = 0 if good and pickle.loads(pickle.dumps(made)).value.tail is Color.red else 2
        finally:
            os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0


# Requirement: C15
@CLASSES
def test_misuse_changes_nothing(cls, native):
    thing = cls("kept")
    native.keep(thing)
    handle = thing.__chandle__()
    for misuse in (
        lambda: thing.__init__("other"),
        lambda: thing.__setstate__({"value": 1}),
        lambda: setattr(thing, "next", 5),
        lambda: setattr(thing, "__class__", int),
        lambda: delattr(thing, "value"),
    ):
        with pytest.raises((TypeError, AttributeError)):
            misuse()
    assert thing.__chandle__() == handle and thing.value == "kept" and thing.next is None
    assert native.kept(0) is thing and type(thing) is cls


# Requirement: C15
def test_a_key_is_declared_once():
    with pytest.raises(ValueError, match="declared.Node"):

        @py_class("declared.Node")
        class Other(selfsame_ffi.Object):
            number: int

    assert Node(1).value == 1 and type(Node()) is Node


# Requirement: C15
def test_a_constructor_that_raises_leaves_no_object(native):
    seen = []

    class Fails(Node):
        __slots__ = ()

        def __init__(self, value):
            seen.append(value)
            super().__init__(value)
            raise KeyError("after the object was made")

    live = selfsame_ffi.debug.live_objects()
    for number in range(5):
        with pytest.raises(KeyError):
            Fails(number)
    gc.collect()
    assert selfsame_ffi.debug.live_objects() == live and seen == list(range(5))


# Requirements: A14, C1
@pytest.mark.parametrize("member", MEMBERS, ids=repr)
def test_a_member_is_one_object_everywhere(member, native):
    cls = type(member)
    assert cls.get(member._int_index) is member
    assert native.echo(member) is member and selfsame_ffi.convert(member) is member
    assert native.apply(lambda value: value, member) is member
    assert native.apply_on_thread(lambda value: value, member) is member
    assert selfsame_ffi.Array([member])[0] is member and Node(member).value is member
    assert selfsame_ffi.Dict({member: 1, "k": member})["k"] is member
    assert any(other is member for other in cls.all_entries())
    for way in (copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))):
        assert way(member) is member and way([member, member])[1] is member


# Requirements: C2, C7, C8
def test_members_stay_after_every_reference_was_dropped(native):
    ids = [id(member) for member in MEMBERS]
    references = [weakref.ref(member) for member in MEMBERS]
    for _ in range(3):
        gc.collect()
        assert [id(m) for cls in (Color, Size, Mode) for m in cls.all_entries()] == ids
    assert [reference() for reference in references] == MEMBERS
    assert [member.code for member in Color.all_entries()] == [1, 2]


# Requirement: C15
def test_a_member_is_not_made_or_changed():
    with pytest.raises(TypeError):
        Color.red.__init__()
    for name in ("code", "_int_index"):
        with pytest.raises(AttributeError):
            setattr(Color.red, name, 5)
    assert Color.red.code == 1 and list(Color.all_entries()) == [Color.red, Color.blue]
