"""Errors of the Go standard library, and those that a package registers, as exceptions."""

# Requirements: D6, D11, I8

import asyncio
import builtins
import json
import sys

import pytest
import selfsame_ffi

pytestmark = pytest.mark.usefixtures("collected")


KINDS = {
    "ErrNotExist": FileNotFoundError,
    "ErrPermission": PermissionError,
    "ErrExist": FileExistsError,
    "Canceled": selfsame_ffi.error.CancelledError,
    "DeadlineExceeded": TimeoutError,
    "ErrRange": OverflowError,
    "ErrSyntax": ValueError,
    "EOF": EOFError,
}


@pytest.mark.parametrize("name", KINDS)
def test_standard_errors_have_fitting_exceptions(goclasses, name):
    with pytest.raises(KINDS[name], match="wrapped: ") as raised:
        goclasses.fail(name)
    assert type(raised.value) is KINDS[name]

    def again():
        raise raised.value

    assert goclasses.fails_with(again, name)
    assert not goclasses.fails_with(again, "EOF" if name != "EOF" else "ErrExist")


@pytest.mark.parametrize("name", ["ErrNotExist", "ErrPermission", "ErrExist", "Canceled", "DeadlineExceeded", "EOF"])
def test_exceptions_of_python_are_go_errors(goclasses, name):
    def fail():
        raise KINDS[name]("from Python")

    assert goclasses.fails_with(fail, name)
    assert not goclasses.fails_with(fail, "ErrSyntax")


def test_registered_errors_have_their_exceptions(goclasses):
    assert issubclass(goclasses.Full, RuntimeError)
    with pytest.raises(goclasses.Full, match="wrapped: the shelf is full"):
        goclasses.fail("errFull")
    with pytest.raises(KeyError, match="wrapped: no such book"):
        goclasses.fail("errNoBook")

    def fail():
        raise goclasses.Full("from Python")

    assert goclasses.fails_with(fail, "errFull") and not goclasses.fails_with(fail, "errNoBook")

    class Full(ValueError):
        pass

    selfsame_ffi.register_error("goclasses.Full", Full)
    try:
        with pytest.raises(Full):
            goclasses.fail("errFull")
    finally:
        selfsame_ffi.register_error("goclasses.Full", goclasses.Full)


class OfTheProgram(ValueError):
    def __init__(self, code, reason):
        super().__init__(f"{code}: {reason}")
        self.code = code

    def __reduce__(self):
        return OfTheProgram, (self.code, "again")


class WithMessage(LookupError):
    pass


RAISED = [
    WithMessage("no book"),
    OfTheProgram(5, "no book"),
    json.JSONDecodeError("no book", "doc", 2),
    asyncio.CancelledError("no book"),
    UnicodeDecodeError("utf-8", b"x", 0, 1, "no book"),
    KeyError("no book"),
    FileNotFoundError(2, "no book"),
]
if sys.version_info >= (3, 11):
    RAISED.append(builtins.ExceptionGroup("no book", [ValueError(1), WithMessage(2)]))


@pytest.mark.parametrize("way", ["%w", "twice", "join"])
@pytest.mark.parametrize("exception", RAISED, ids=lambda exception: type(exception).__name__)
def test_an_exception_that_go_wraps_keeps_its_class(goclasses, exception, way):
    def fail():
        raise exception

    with pytest.raises(type(exception)) as raised:
        goclasses.wraps(fail, way)
    made = raised.value
    assert type(made) is type(exception) and made is not exception and made.__cause__ is exception
    assert "wrapped" in str(made) + str(getattr(made, "__notes__", "")) and "no book" in str(made)
    assert getattr(made, "code", None) == getattr(exception, "code", None)
    assert getattr(made, "pos", None) == getattr(exception, "pos", None)
    assert getattr(made, "exceptions", None) == getattr(exception, "exceptions", None)
    assert not hasattr(exception, "__notes__")
    exception.__traceback__ = None


def test_a_class_that_cannot_be_copied_is_known_by_its_kind(goclasses):
    class Never(Exception):
        def __reduce__(self):
            raise TypeError("no copies")

    def fail():
        raise Never("no book")

    with pytest.raises(RuntimeError, match="wrapped: .*no book"):
        goclasses.wraps(fail, "%w")
