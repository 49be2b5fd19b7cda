"""Attributes of Functions: they live as long as the native function."""

# Requirement: C7, C8, C9

import gc
import pickle
import threading
import weakref

import pytest
import selfsame_ffi
from selfsame_ffi import Array, Function, convert


class Thing:
    pass


def tie(function):
    return selfsame_ffi._core.tie(function)


def test_function_is_lean_until_it_has_attributes(native):
    function = convert(lambda: 1)
    assert not tie(function)["stateful"]
    with pytest.raises(AttributeError):
        _ = function.name
    assert not tie(function)["stateful"]
    function.__name__ = "one"
    assert tie(function)["stateful"] and function.__name__ == "one" and function() == 1
    function.__doc__ = "Gives one."
    assert function.__doc__ == "Gives one." and vars(function) == {"__name__": "one", "__doc__": "Gives one."}
    del function.__doc__
    assert function.__doc__ == Function.__doc__
    with pytest.raises(AttributeError):
        del function.name
    function.release_gil = False
    assert "release_gil" not in vars(function)


@pytest.mark.parametrize("give", ["setattr", "dict", "replace"])
def test_attributes_outlive_the_wrapper(native, give):
    node = native.Node(None)
    node.any = convert(lambda: 1)
    if give == "setattr":
        node.any.thing = Thing()
    elif give == "dict":
        vars(node.any)["thing"] = Thing()
    else:
        node.any.__dict__ = {"thing": Thing()}
    dead = weakref.ref(node.any.thing)
    gc.collect()
    assert dead() is not None and node.any.thing is dead() and node.any is node.any
    assert native.echo(node.any).thing is dead()
    node.any = None
    gc.collect()
    assert dead() is None


def test_attributes_of_a_dropped_function_go_at_once(native):
    function = convert(lambda: 1)
    function.thing = Thing()
    dead = weakref.ref(function.thing)
    native.echo(function)
    del function
    assert dead() is None


@pytest.mark.parametrize("argument", [1, "text", [1, 2], Array([1]), {"a": 1}], ids=lambda x: type(x).__name__)
@pytest.mark.parametrize("fails", [False, True], ids=["returns", "raises"])
@pytest.mark.parametrize("last", [False, True], ids=["kept", "dropped"])
def test_the_other_owner_of_a_function_goes_while_it_runs(native, argument, fails, last):
    """The call owns the function, whose wrapper takes it over at the end, with the attributes."""
    node = native.Node(None)

    def body(value):
        assert value is not None and tie(function_or_gone[0])["stateful"]
        if last:
            function_or_gone.clear()
        node.any = None
        gc.collect()
        if fails:
            raise KeyError("gone")
        return 5

    node.any = convert(body)
    node.any.thing = Thing()
    dead = weakref.ref(node.any.thing)
    dead_function = weakref.ref(body)
    function_or_gone = [node.any]
    if fails:
        with pytest.raises(KeyError, match="gone"):
            function_or_gone[0](argument)
    else:
        assert function_or_gone[0](argument) == 5
    if not last:
        assert function_or_gone[0].thing is dead() and tie(function_or_gone[0])["strong"] == 1
        function_or_gone.clear()
    del body
    assert dead() is None and dead_function() is None


def test_a_function_with_attributes_counts_once_during_a_call(native):
    node = native.Node(None)
    function = node.any = convert(lambda *values: tie(function)["strong"])
    function.thing = Thing()
    before = tie(function)
    assert before["strong"] == 2  # of the field and of Python
    assert function(1) == function([1]) == function() == 2
    assert tie(function) == before


def test_attributes_of_global_functions_stay():
    name = "test_function_attributes.global"
    selfsame_ffi.register_global_func(name, lambda: 2)
    try:
        selfsame_ffi.get_global_func(name).mark = "mark"
        gc.collect()
        assert selfsame_ffi.get_global_func(name).mark == "mark"
        assert pickle.loads(pickle.dumps(selfsame_ffi.get_global_func(name))).mark == "mark"
    finally:
        selfsame_ffi.remove_global_func(name)


def test_cycles_through_attributes_are_collected(native):
    dead = []
    for shape in ("itself", "closure", "container", "native"):
        thing = Thing()
        dead.append(weakref.ref(thing))
        function = convert(lambda thing=thing: thing)
        function.thing = thing
        thing.function = function
        if shape == "itself":
            function.me = function
        elif shape == "container":
            function.items = Array([function])
        elif shape == "native":
            function.node = native.Node(None)
            function.node.any = function
        del function, thing
    gc.collect()
    gc.collect()
    assert [reference() for reference in dead] == [None] * len(dead)


def test_collected_while_lean_then_given_attributes(native):
    """The collector calls finalizers of lean Functions in garbage; what survives keeps what it is given later."""
    node = native.Node(None)
    node.any = convert(lambda: 1)
    for _ in range(3):
        holder = Thing()
        holder.me, holder.function = holder, node.any
        del holder
        gc.collect()
    node.any.mark = 1
    gc.collect()
    assert node.any.mark == 1


def test_subclasses_keep_their_attributes(native):
    class Named(Function):
        def __init__(self, name):
            self.name = name

        __call__ = Function.__call__

    class Slim(Function):
        __slots__ = ()

    node = native.Node(None)
    made = Named("named")
    made.__move_handle_from__(convert(lambda x: x))
    assert made(3) == 3 and made.name == "named"
    slim = Slim.__new__(Slim)
    slim.__move_handle_from__(convert(lambda x: x))
    slim.mark = 1
    for function, attribute, value in ((made, "name", "named"), (slim, "mark", 1)):
        cls, node.any = type(function), function
        del function
        gc.collect()
        assert type(node.any) is cls and getattr(node.any, attribute) == value and node.any(4) == 4
        node.any = None


def test_threads_set_attributes_of_one_function(native):
    node = native.Node(None)
    node.any = convert(lambda: 1)
    start = threading.Barrier(8)

    def run(number):
        start.wait()
        for _ in range(200):
            setattr(node.any, f"mark{number}", number)
            assert getattr(node.any, f"mark{number}") == number

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(vars(node.any)) == 8
