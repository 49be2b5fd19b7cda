"""Errors of the Go standard library, and those that a package registers, as exceptions."""

# Requirement: D6, D11

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
