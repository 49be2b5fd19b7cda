"""An Error that became an exception and goes back into native code is the same Error."""

# Requirement: A6

import copy
import gc
import pickle
import traceback
import weakref

import pytest
import selfsame_ffi
from racing import run


def raiser(error):
    def callback(*args):
        raise error

    return callback


def caught(native, *raised, kind="NeverHeardOf"):
    """The exception of an Error that C++ throws."""
    with pytest.raises(RuntimeError) as info:
        native.throw(kind, *(raised or ("strange",)))
    return info.value


def names(text):
    return [line.rpartition(", in ")[2] for line in text.splitlines() if line.startswith("  File ")]


def test_exception_converts_to_its_error(native):
    error = caught(native)
    same = selfsame_ffi.convert(error)
    assert same is error.__tvm_ffi_error__ and same.same_as(error.__tvm_ffi_error__)
    assert native.echo(error) is same and selfsame_ffi.convert([error])[0] is same
    assert (same.kind, same.message) == ("NeverHeardOf", "strange")
    error = same = None


def test_error_raised_again_is_the_same(native):
    error = caught(native)
    own = error.__tvm_ffi_error__
    value = native.catch_value(raiser(error))
    assert value is own and (value.kind, value.message) == ("NeverHeardOf", "strange")
    assert native.catch(raiser(error)) == "NeverHeardOf|strange"
    with pytest.raises(RuntimeError) as info:
        native.apply(raiser(error), 1)
    assert info.value is error and error.__tvm_ffi_error__ is own
    info = error = value = own = None


def test_backtrace_grows_by_the_frames_in_python(native):
    def inner(_):
        native.throw_with_frames()

    def middle(value):
        native.apply(inner, value)

    def outer():
        native.apply(middle, 1)

    value = native.catch_value(outer)
    assert names(value.backtrace) == ["inner", "outer", "inner", "middle", "outer"]
    with pytest.raises(ValueError) as info:
        native.apply(middle, 1)
    frames = [frame.name for frame in traceback.extract_tb(info.value.__traceback__)]
    assert frames[-4:] == ["middle", "inner", "outer", "inner"]
    assert names(info.value.__tvm_ffi_error__.backtrace) == ["inner", "outer", "inner", "middle"]
    info = value = None
    gc.collect()


def test_text_that_is_no_frame_stays_in_the_backtrace(native):
    error = selfsame_ffi.Error("Kind", "m", 'a note\n  File "f.cc", line 3, in g\nanother note')
    value = native.catch_value(raiser(error.py_error()))
    assert value is error
    lines = value.backtrace.splitlines()
    assert lines[:3] == ["a note", '  File "f.cc", line 3, in g', "another note"]
    assert names(value.backtrace) == ["g", "callback"]
    value = error = None
    gc.collect()


def test_same_exception_without_frames_leaves_the_backtrace(native):
    error = selfsame_ffi.Error("Kind", "m", '  File "f.cc", line 3, in g\n')
    exception = error.py_error()
    for _ in range(3):
        assert selfsame_ffi.convert(exception) is error
    assert error.backtrace == '  File "f.cc", line 3, in g\n'


def test_wrapped_error_stays_the_cause(native):
    error = caught(native)

    def wraps():
        try:
            raise error
        except RuntimeError as cause:
            raise KeyError("around") from cause

    value = native.catch_value(wraps)
    assert (value.kind, value.cause.kind) == ("KeyError", "NeverHeardOf")
    assert value.cause is error.__tvm_ffi_error__
    exception = value.py_error()
    assert exception.__cause__ is error
    value = exception = error = None
    gc.collect()


def test_new_cause_is_the_exceptions_own(native):
    error = caught(native)
    first = KeyError("first")

    def chained(_):
        raise error from first

    with pytest.raises(RuntimeError) as info:
        native.apply(chained, 1)
    assert info.value is error and error.__cause__ is first
    assert error.__tvm_ffi_error__.cause is None
    info = error = None


def test_changed_exception_is_the_same_error(native):
    error = caught(native)
    own = error.__tvm_ffi_error__
    error.args = ("another text",)
    error.note = [1]
    with pytest.raises(RuntimeError, match="another text") as info:
        native.apply(raiser(error), 1)
    assert info.value is error and error.note == [1]
    assert (own.message, native.catch_value(raiser(error))) == ("strange", own)
    before = names(own.backtrace)

    def elsewhere():
        raise error.with_traceback(None)

    for _ in range(5):
        assert native.catch_value(elsewhere) is own
    assert names(own.backtrace) == [*before, "elsewhere"]  # the same frames are not added again
    info = error = own = None


def test_changed_tracebacks_do_not_grow_the_backtrace_for_ever(native):
    error = caught(native)
    own = error.__tvm_ffi_error__
    for i in range(3000):
        code = compile(f"def f{i}():\n raise error", "made.py", "exec")
        space = {"error": error.with_traceback(None)}
        exec(code, space)
        assert native.catch_value(space[f"f{i}"]) is own
    assert names(own.backtrace)[-1] == "f2999" and len(own.backtrace) < 1 << 17
    error = own = space = None
    gc.collect()


def test_attribute_that_is_no_error_is_not_taken(native):
    moved = selfsame_ffi.Error("Kind", "m")
    native.take_any(moved._move())
    for value in (3, None, native.Leaf(1), selfsame_ffi.Error.__new__(selfsame_ffi.Error), moved):
        error = ValueError("own")
        error.__tvm_ffi_error__ = value
        told = selfsame_ffi.convert(error)
        assert (told.kind, told.message) == ("ValueError", "own")
        assert told.py_error() is error
    moved = None

    class Refuses(ValueError):
        @property
        def __tvm_ffi_error__(self):
            raise LookupError("not here")

    assert selfsame_ffi.convert(Refuses("x")).kind == "Refuses"
    told = error = None
    gc.collect()


def test_pickled_and_deeply_copied_exceptions_are_new(native, again):
    error = caught(native)
    made = again(error)
    told = selfsame_ffi.convert(made)
    assert told is made.__tvm_ffi_error__ and told is not error.__tvm_ffi_error__
    assert (told.kind, told.message) == ("NeverHeardOf", "strange")
    assert native.catch_value(raiser(made)) is told
    error = made = told = None


def test_pickled_exception_keeps_its_frames_when_it_is_raised(native):
    with pytest.raises(ValueError) as info:
        native.throw_with_frames()
    made = pickle.loads(pickle.dumps(info.value))
    value = native.catch_value(raiser(made))
    assert names(value.backtrace) == ["inner", "outer", "callback"]
    info = made = value = None


def test_shallow_copy_shares_the_error(native):
    error = caught(native)
    assert selfsame_ffi.convert(copy.copy(error)) is error.__tvm_ffi_error__
    error = None


def test_extra_context_stays(native):
    class Context:
        pass

    context = Context()
    error = ValueError("made in Python")
    assert selfsame_ffi.convert(error).extra_context is error
    assert caught(native).__tvm_ffi_error__.extra_context is None
    told = native.error_with_context("Kind", "m", selfsame_ffi.opaque(context))
    assert told.extra_context is context
    exception = told.py_error()
    value = native.catch_value(raiser(exception))
    assert value is told and value.extra_context is context
    told = native.error_with_context("Kind", "m", [1, native.Leaf(2)])
    assert told.extra_context[1].value == 2
    exception = value = told = None


def test_errors_of_nested_calls_are_kept_apart(native):
    """C++ holds the first error while a second callback raises another."""
    first, second = caught(native, "first"), caught(native, "second")

    def both():
        try:
            native.apply(raiser(first), 1)
        finally:
            with pytest.raises(RuntimeError, match="second") as info:
                native.apply(lambda _: native.apply(raiser(second), 1), 1)
            assert info.value is second

    with pytest.raises(RuntimeError, match="first") as info:
        native.apply(lambda _: both(), 1)
    assert info.value is first
    info = first = second = None
    gc.collect()


def test_rethrown_after_another_callback(native):
    error = caught(native)
    with pytest.raises(RuntimeError) as info:
        native.rethrow_after(raiser(error), lambda: native.catch(raiser(caught(native, "another"))))
    assert info.value is error
    info = error = None


@pytest.mark.parametrize("release", [True, False])
def test_swallowed_exceptions_go_at_once(native, release):
    class Mark:
        pass

    marks = []

    def fails():
        mark = Mark()
        marks.append(weakref.ref(mark))
        native.throw("NeverHeardOf", "strange")

    catch = selfsame_ffi.get_global_func("sst.catch")
    before = catch.release_gil
    gc.collect()
    gc.disable()
    try:
        catch.release_gil = release
        assert catch(fails) == "NeverHeardOf|strange"
        assert marks.pop()() is None
        alive = []

        def many():
            for _ in range(20):
                catch(fails)
                alive.append(sum(mark() is not None for mark in marks))

        catch(many)
        assert max(alive) <= 1
    finally:
        catch.release_gil = before
        gc.enable()


def test_loop_in_native_code_keeps_one_exception(native):
    class Mark:
        pass

    marks, alive = [], []

    def fails():
        alive.append(sum(mark() is not None for mark in marks))
        mark = Mark()
        marks.append(weakref.ref(mark))
        native.throw("NeverHeardOf", "strange")

    gc.collect()
    gc.disable()
    try:
        native.catch_times(fails, 50)
        assert max(alive) <= 1 and not any(mark() for mark in marks)
    finally:
        gc.enable()


def test_no_cycle_of_exception_and_error(native):
    class Local(RuntimeError):
        pass

    selfsame_ffi.register_error("NeverHeardOf", Local)
    gc.collect()
    gc.disable()
    try:
        box = []

        def fails(*args):
            raise box[0]

        def work():
            try:
                native.throw("NeverHeardOf", "strange")
            except Local as raised:
                box.append(raised)
            assert native.catch(fails) == "NeverHeardOf|strange"
            assert native.catch_value(fails) is box[0].__tvm_ffi_error__
            for call in (lambda: native.apply(fails, 1), lambda: native.apply(lambda _: native.apply(fails, 1), 1)):
                try:
                    call()
                except Local as raised:
                    assert raised is box[0]
            return weakref.ref(box.pop())

        assert work()() is None
    finally:
        gc.enable()
        del selfsame_ffi.error.ERROR_NAME_TO_TYPE["NeverHeardOf"]
        del selfsame_ffi.error.ERROR_TYPE_TO_NAME[Local]


def test_same_exception_in_several_threads(native):
    error = caught(native)
    own = error.__tvm_ffi_error__

    def work(i):
        for _ in range(300):
            if i % 2:
                assert native.catch_value(raiser(error)) is own
            else:
                with pytest.raises(RuntimeError) as info:
                    native.apply(raiser(error), 1)
                assert info.value is error
                info = None

    run(4, work)
    assert (own.kind, own.message) == ("NeverHeardOf", "strange") and len(own.backtrace) < 1 << 17
    error.__traceback__ = None
    error = own = None
    gc.collect()


def test_exception_of_one_thread_in_another(native):
    """Python keeps the exception for the call that raised it; another thread gets the same Error in a new exception."""
    error = caught(native)
    own = error.__tvm_ffi_error__
    seen = []
    run(2, lambda i: seen.append(native.catch_value(raiser(error)).py_error()))
    assert [exception.__tvm_ffi_error__ for exception in seen] == [own, own]
    assert {str(exception) for exception in seen} == {"strange"}
    seen = error = own = None
    gc.collect()


@pytest.mark.parametrize("times", [5, 3000])
def test_backtrace_of_an_exception_raised_again_and_again_is_bounded(native, times):
    error = LookupError("made once")
    fails = selfsame_ffi.convert(raiser(error))
    for _ in range(times):
        with pytest.raises(LookupError) as info:
            fails(1)
        assert info.value is error
    told = selfsame_ffi.convert(error)
    lines = told.backtrace.splitlines()
    assert len(list(traceback.walk_tb(error.__traceback__))) >= 2 * times
    if times > 256:
        assert len(lines) == 513 and lines[256].endswith("frames are left out]")
    else:
        assert 2 * times <= len(lines) < 100
    assert lines[0].endswith(", in callback") and __name__ in lines[-1]
    error.__traceback__ = None
    error = told = fails = info = None
    gc.collect()


def test_deep_traceback_keeps_both_ends(native):
    def deep(n):
        if n == 0:
            raise LookupError("at the bottom")
        deep(n - 1)

    value = native.catch_value(lambda: deep(700))
    lines = value.backtrace.splitlines()
    assert lines[0].endswith(f"line {deep.__code__.co_firstlineno + 2}, in deep")
    assert lines[-1].endswith(", in <lambda>") and lines[256] == "  [190 frames are left out]"
    assert native.catch_value(lambda: deep(400)).backtrace.count("\n") == 402
    value = None
    gc.collect()
