"""What a failed call held dies when the call ends, also when a Go func has seen the exception or keeps it."""

# Requirements: D6, C9, I8

import gc
import weakref

import pytest

pytestmark = pytest.mark.usefixtures("collected")


class Variable:
    pass


class Code(Exception):
    def __init__(self, code, *, text):
        super().__init__(code)
        self.text = text


class Odd(Exception):
    """An exception whose __reduce__ is of no use."""

    def __reduce__(self):
        raise RuntimeError


@pytest.fixture
def variables(goclasses):
    """The variables that are alive, of frames that have failed. Python's collector does not run."""
    gc.disable()
    yield weakref.WeakSet()
    gc.enable()
    goclasses.keep_error(lambda: None)


def failing(variables, make):
    """A function that raises what make makes. Its frame has a variable."""

    def fail():
        variable = Variable()
        variables.add(variable)
        raise make()

    return fail


def test_variables_die_with_an_exception_that_a_go_func_returns(goclasses, variables):
    fail = failing(variables, lambda: ValueError("x"))
    for _ in range(3):
        with pytest.raises(ValueError, match="x") as raised:
            goclasses.call(fail)
        assert len(variables) == 1  # its traceback has the frame, with its variables
        assert raised.traceback[-1].frame.f_locals["variable"] in variables
        del raised
        assert len(variables) == 0


def test_variables_die_with_an_exception_that_a_go_func_handles(goclasses, variables):
    fail = failing(variables, FileNotFoundError)
    assert goclasses.fails_with(fail, "ErrNotExist")
    assert len(variables) == 0


def test_variables_of_causes_die_too(goclasses, variables):
    inner = failing(variables, lambda: KeyError("inner"))

    def fail():
        variable = Variable()
        variables.add(variable)
        try:
            inner()
        except KeyError as e:
            raise ValueError("outer") from e

    assert goclasses.keep_error(fail)
    assert len(variables) == 0
    with pytest.raises(ValueError, match="outer") as raised:
        goclasses.raise_kept()
    assert type(raised.value.__cause__) is KeyError and raised.value.__cause__.args == ("inner",)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ValueError("x", 3),
        lambda: OSError(2, "gone", "/nowhere"),
        lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
        lambda: Code(7, text="seven"),
        lambda: Odd("odd", 1),
        lambda: KeyboardInterrupt("stop"),
    ],
    ids=["ValueError", "OSError", "UnicodeDecodeError", "Code", "Odd", "KeyboardInterrupt"],
)
def test_an_exception_that_go_keeps_is_made_again(goclasses, variables, make):
    made = make()
    assert goclasses.keep_error(failing(variables, make))
    assert len(variables) == 0
    for _ in range(2):
        with pytest.raises(type(made)) as raised:
            goclasses.raise_kept()
        again = raised.value
        assert type(again) is type(made) and again.args == made.args and str(again) == str(made)
        assert {k: v for k, v in vars(again).items() if k != "__tvm_ffi_error__"} == vars(made)
        if isinstance(made, OSError):
            assert (again.errno, again.filename) == (2, "/nowhere")
        assert [entry.name for entry in raised.traceback][-1] == "fail"  # the text of its frames was kept
        del raised, again


def test_an_exception_is_the_same_until_the_call_ends(goclasses, variables):
    made = []

    def make():
        made.append(ValueError("x"))
        return made[-1]

    def nested():
        """Calls that end within the call leave its exceptions alone."""
        assert not goclasses.fails_with(lambda: None, "EOF")
        assert goclasses.fails_with(failing(variables, EOFError), "EOF")
        assert len(variables) == 1

    with pytest.raises(ValueError, match="x") as raised:
        goclasses.keep_error_and_call(failing(variables, make), nested)
    assert raised.value is made.pop()
    del raised
    assert len(variables) == 0


def test_an_exception_of_many_in_one_call(goclasses, variables):
    fail = failing(variables, lambda: ValueError("x"))

    def many():
        for _ in range(200):
            goclasses.keep_error(fail)

    goclasses.call(many)
    assert len(variables) == 0
