"""Errors in both directions: kind, message, frames, cause and identity; and that they keep nothing alive."""

# Requirement: A6

import gc
import traceback
import weakref

import pytest
import selfsame_ffi
from racing import run


def frames(error):
    return [(frame.name, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]


@pytest.mark.parametrize(
    "cls", [ValueError, TypeError, KeyError, IndexError, AttributeError, RuntimeError, NotImplementedError, OSError]
)
def test_builtin_kinds_become_their_exceptions(native, cls):
    with pytest.raises(cls) as info:
        native.throw(cls.__name__, "the message")
    assert type(info.value) is cls
    assert "the message" in str(info.value)


def test_unknown_kind_becomes_a_runtime_error(native):
    with pytest.raises(RuntimeError, match="strange") as info:
        native.throw("NeverHeardOf", "strange")
    assert info.value.__tvm_ffi_error__.kind == "NeverHeardOf"


def test_kind_that_cannot_be_made_from_a_message_becomes_a_runtime_error(native):
    with pytest.raises(RuntimeError, match="UnicodeDecodeError: the text"):
        native.throw("UnicodeDecodeError", "the text")


def test_registered_error_becomes_its_class(native):
    @selfsame_ffi.register_error
    class OutOfCheese(RuntimeError):
        pass

    @selfsame_ffi.register_error("Other.Kind")
    class Other(Exception):
        pass

    with pytest.raises(OutOfCheese, match="redo"):
        native.throw("OutOfCheese", "redo")
    with pytest.raises(Other):
        native.throw("Other.Kind", "x")
    assert native.catch(raiser(Other("y"))) == "Other.Kind|y"
    for name, cls in (("OutOfCheese", OutOfCheese), ("Other.Kind", Other)):
        del selfsame_ffi.error.ERROR_NAME_TO_TYPE[name]
        del selfsame_ffi.error.ERROR_TYPE_TO_NAME[cls]


def test_kinds_may_change_while_exceptions_cross(native):
    class Changing(RuntimeError):
        pass

    def work(i):
        for k in range(300_000 if i == 0 else 45_000):
            if i == 0:
                selfsame_ffi.register_error(f"Kind.{k % 3}", Changing)
            else:
                assert selfsame_ffi.convert(Changing()).kind in ("Changing", "Kind.0", "Kind.1", "Kind.2")

    for _ in range(4):
        run(3, work)
    for name in ("Kind.0", "Kind.1", "Kind.2"):
        del selfsame_ffi.error.ERROR_NAME_TO_TYPE[name]
    del selfsame_ffi.error.ERROR_TYPE_TO_NAME[Changing]


@pytest.fixture
def kind():
    """A function that registers a class under the kind Fixture.Kind for the time of the test."""
    made = []

    def register(cls):
        made.append(cls)
        return selfsame_ffi.register_error("Fixture.Kind", cls)

    yield register
    del selfsame_ffi.error.ERROR_NAME_TO_TYPE["Fixture.Kind"]
    while made:
        del selfsame_ffi.error.ERROR_TYPE_TO_NAME[made.pop()]


def test_error_is_shared_while_its_exception_is_made(native, kind):
    """Making the exception runs Python code, which cannot move the Error away: the Error is in use."""

    @kind
    class Mover(Exception):
        def __init__(self, message):
            super().__init__(message)
            native.take_any(error._move())

    error = selfsame_ffi.Error("Fixture.Kind", "the message of an Error that somebody hands over")
    exception = error.py_error()
    assert exception.__tvm_ffi_error__ is error and error.message.startswith("the message")
    assert selfsame_ffi.debug.tie(error)["strong"] == 1


def test_interrupt_while_an_exception_is_made_passes(native, kind):
    @kind
    class Interrupted(Exception):
        def __init__(self, message):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        native.throw("Fixture.Kind", "x")


def test_register_error_refuses_other_classes():
    with pytest.raises(TypeError):
        selfsame_ffi.register_error("Kind", int)
    with pytest.raises(TypeError):
        selfsame_ffi.register_error(3)


def raiser(error):
    def callback(*args):
        raise error

    return callback


def test_native_frames_are_in_the_traceback(native):
    with pytest.raises(ValueError) as info:
        native.throw_with_frames()
    assert frames(info.value)[-2:] == [("outer", 34), ("inner", 12)]
    assert frames(info.value)[0][0] == "test_native_frames_are_in_the_traceback"


def test_backtrace_may_be_replaced_while_frames_are_made():
    lines = range(1, 401)
    text = "".join(f'  File "file.cc", line {line}, in function\n' for line in lines)
    error = selfsame_ffi.Error("ValueError", "the message", text)

    def replace(phase, info):
        error.update_backtrace("." * len(text))

    threshold = gc.get_threshold()
    gc.collect()
    gc.callbacks.append(replace)
    gc.set_threshold(100)
    try:
        exception = error.py_error()
    finally:
        gc.callbacks.remove(replace)
        gc.set_threshold(*threshold)
    assert frames(exception) == [("function", line) for line in reversed(lines)]


def test_cause_becomes_the_exceptions_cause(native):
    with pytest.raises(ValueError, match="effect") as info:
        native.throw_with_cause()
    assert isinstance(info.value.__cause__, KeyError)
    assert info.value.__tvm_ffi_error__.cause.kind == "KeyError"


def test_the_same_exception_comes_back(native):
    error = LookupError("from Python")
    with pytest.raises(LookupError) as info:
        native.apply(raiser(error), 1)
    assert info.value is error
    names = [name for name, _ in frames(error)]
    assert names[-1] == "callback"
    assert "__tvm_ffi_error__" not in vars(error)


def test_the_same_exception_comes_back_through_two_layers(native):
    error = LookupError("deep")
    outer = selfsame_ffi.convert(lambda value: native.apply(raiser(error), value))
    with pytest.raises(LookupError) as info:
        native.apply(outer, 1)
    assert info.value is error


def test_native_error_keeps_its_frames_through_python(native):
    def callback(_):
        native.throw_with_frames()

    with pytest.raises(ValueError, match="with frames") as info:
        native.apply(callback, 1)
    names = [name for name, _ in frames(info.value)]
    assert names[-2:] == ["outer", "inner"]
    assert "callback" in names


def test_native_code_sees_kind_and_message(native):
    class Custom(Exception):
        pass

    assert native.catch(raiser(ValueError("a text"))) == "ValueError|a text"
    assert native.catch(raiser(Custom("mine"))) == "Custom|mine"
    assert native.catch(raiser(KeyError("k"))) == "KeyError|'k'"
    assert native.catch(lambda: None) == "nothing raised"


def test_caught_error_is_a_value(native):
    error = ValueError("kept")
    value = native.catch_value(raiser(error))
    assert isinstance(value, selfsame_ffi.Error)
    assert (value.kind, value.message) == ("ValueError", "kept")
    assert ", in callback\n" in value.backtrace
    assert value.py_error() is error
    del error, value
    gc.collect()


def test_cause_travels_to_native_code(native):
    def callback():
        try:
            raise KeyError("first")
        except KeyError as cause:
            raise ValueError("second") from cause

    value = native.catch_value(callback)
    assert (value.kind, value.cause.kind) == ("ValueError", "KeyError")
    value = None
    gc.collect()


def test_exception_whose_str_fails_has_a_placeholder(native):
    class Bad(Exception):
        def __str__(self):
            raise RuntimeError("no text")

    assert native.catch(raiser(Bad())) == "Bad|<text unavailable>"


def test_error_made_in_python_becomes_an_exception(native):
    cause = selfsame_ffi.Error("KeyError", "the cause")
    error = selfsame_ffi.Error("ValueError", "text", '  File "f.cc", line 3, in g\n', cause)
    assert (error.kind, error.message, error.cause) == ("ValueError", "text", cause)
    assert error.cause is cause
    raised = error.py_error()
    assert type(raised) is ValueError and isinstance(raised.__cause__, KeyError)
    assert frames(raised) == [("g", 3)]
    error.update_backtrace("")
    assert error.backtrace == ""
    assert repr(error) == "Error('ValueError', 'text')"
    made = native.make_error("TypeError", "from native")
    assert (made.kind, made.message, made.cause) == ("TypeError", "from native", None)


def test_error_arguments_are_checked(native):
    with pytest.raises(TypeError):
        selfsame_ffi.Error("ValueError")
    with pytest.raises(TypeError, match="cause"):
        selfsame_ffi.Error("ValueError", "m", "", 3)
    error = selfsame_ffi.Error("ValueError", "m")
    with pytest.raises(TypeError, match="already"):
        error.__init__("KeyError", "n")
    assert error.kind == "ValueError"
    with pytest.raises(TypeError):
        error.update_backtrace(3)


def test_errors_make_no_cycle(native):
    class Marker:
        pass

    gc.collect()
    gc.disable()
    try:
        marker = Marker()
        ref = weakref.ref(marker)

        def fails(keep):
            native.throw("ValueError", "x")

        try:
            fails(marker)
        except ValueError:
            pass
        del marker
        assert ref() is None

        def callback(_):
            local = Marker()
            nonlocal ref
            ref = weakref.ref(local)
            raise ValueError("y")

        try:
            native.apply(callback, 1)
        except ValueError:
            pass
        assert ref() is None
    finally:
        gc.enable()


def test_base_exceptions_pass(native):
    with pytest.raises(KeyboardInterrupt):
        native.apply(raiser(KeyboardInterrupt()), 1)
    with pytest.raises(SystemExit):
        native.apply(raiser(SystemExit(3)), 1)


def test_malformed_frames_are_skipped(native):
    error = selfsame_ffi.Error("ValueError", "m", 'junk\n  File "a", line x, in y\n  File "ok.c", line 5, in f')
    assert frames(error.py_error()) == [("f", 5)]


def test_traceback_with_a_library_without_lines_can_be_printed():
    """linecache of CPython 3.9 would read the library as a source."""
    library = selfsame_ffi._load.runtime.library_path()
    error = selfsame_ffi.Error("ValueError", "the message", f'  File "{library}", line 0, in f\n').py_error()
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    assert f'File "{library}", line 0, in f' in text and text.endswith("ValueError: the message\n")


def context_of(call):
    """The context of the error that a call raises while another one is handled, and that other one."""
    outer = LookupError("outer")
    try:
        raise outer
    except LookupError:
        with pytest.raises(Exception) as caught:  # noqa: PT011  whatever the call raises
            call()
    return caught.value.__context__, outer


@pytest.mark.parametrize(
    "call",
    [
        lambda native: native.throw("ValueError", "m"),
        lambda native: native.throw("NeverHeardOf", "m"),
        lambda native: native.apply(raiser(ValueError("of a callback")), 1),
        lambda native: native.Node(native.Leaf("no number")),
        lambda native: setattr(native.Leaf(1), "value", "no number"),
        lambda native: selfsame_ffi.get_global_func("ffi.FromJSONGraphString")("{"),
        lambda native: selfsame_ffi.get_global_func("ffi.ListErase")(1, 2, 3),
        lambda native: selfsame_ffi.List([1])[5],
        lambda native: selfsame_ffi.dtype("no type"),
    ],
)
def test_errors_have_the_handled_exception_as_context(native, call):
    context, outer = context_of(lambda: call(native))
    while context is not None and context is not outer:
        context = context.__context__
    assert context is outer


def test_errors_of_callbacks_keep_the_context_that_they_have(native):
    def fail(_):
        try:
            raise KeyError("inner")
        except KeyError:
            raise ValueError("of the callback")  # noqa: B904  the implicit context is meant

    context, outer = context_of(lambda: native.apply(fail, 1))
    assert isinstance(context, KeyError)
    assert context.__context__ is outer


def test_errors_outside_of_handlers_have_no_context(native):
    with pytest.raises(ValueError, match="m") as caught:
        native.throw("ValueError", "m")
    assert caught.value.__context__ is None
