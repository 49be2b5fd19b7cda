"""f(x) is x, and the arguments of callbacks are the caller's own objects."""

# Requirement: C3

import weakref

import selfsame_ffi


def test_object_through_cpp_is_itself(native):
    leaf = native.Leaf(1)
    assert native.echo(leaf) is leaf
    assert native.echo_packed(leaf) is leaf


def test_array_and_function_through_cpp_are_themselves(native):
    array = selfsame_ffi.Array([1, 2])
    assert native.echo(array) is array
    function = selfsame_ffi.convert(lambda: None)
    assert native.echo(function) is function
    assert native.echo(native.echo) is native.echo


def test_error_through_cpp_is_itself(native):
    error = selfsame_ffi.Error("ValueError", "text")
    assert native.echo(error) is error


# Requirement: A10
def test_opaque_value_is_itself(native):
    class Thing:
        pass

    thing = Thing()
    ref = weakref.ref(thing)
    assert native.echo(thing) is thing
    native.keep(thing)
    assert native.kept(0) is thing
    del thing
    assert ref() is native.kept(0)
    native.release()
    assert ref() is None


def test_callback_arguments_are_the_callers(native):
    leaves = [native.Leaf(i) for i in range(8)]
    seen = []
    native.apply8(selfsame_ffi.convert(lambda *args: seen.extend(args)), selfsame_ffi.Array(leaves))
    assert len(seen) == 8
    assert all(mine is theirs for mine, theirs in zip(leaves, seen))


def test_callback_result_is_the_callers(native):
    leaf = native.Leaf(1)
    assert native.apply(lambda value: value, leaf) is leaf


def test_callback_on_a_native_thread_gets_the_callers_object(native):
    leaf = native.Leaf(1)
    seen = []

    def callback(value):
        seen.append(value)
        return value

    assert native.apply_on_thread(callback, leaf) is leaf
    assert seen[0] is leaf


def test_object_kept_by_native_code_is_itself(native):
    leaf = native.Leaf(1)
    native.keep(leaf)
    assert native.kept(0) is leaf
    native.release()


def test_sub_class_comes_back_as_itself(native):
    leaf = native.sub_leaf(3, "a label")
    assert type(leaf) is native.SubLeaf
    assert isinstance(leaf, native.Leaf)
    assert native.echo(leaf) is leaf
    assert (leaf.value, leaf.label) == (3, "a label")
