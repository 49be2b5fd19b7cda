"""Which context variables and thread-locals a callback of a Go func sees."""

# Requirement: C12

import asyncio
import contextvars
import ctypes
import sysconfig
import threading

import pytest
import selfsame_ffi
from selfsame_ffi import libinfo

RUNTIME = ctypes.CDLL(libinfo.find_libtvm_ffi())
user = contextvars.ContextVar("user", default="nobody")


@pytest.fixture
def tell():
    """A callback that tells the context variable and the thread-local, which have values on this thread."""
    local = threading.local()
    local.name = "here"
    token = user.set("Ada")
    yield lambda: f"{user.get()} {getattr(local, 'name', 'empty')}"
    user.reset(token)


def test_on_the_thread_of_the_caller_they_are_its_own(go, tell):
    assert go.told(tell) == "Ada here"


def test_on_another_goroutine_they_are_empty(go, tell):
    empty = "nobody empty"
    assert go.told_isolated(tell) == go.told_within(tell) == empty and list(go.told_often(tell)) == [empty] * 3


def test_a_copy_of_the_context_can_be_passed_on(go):
    token = user.set("Ada")
    context = contextvars.copy_context()
    user.reset(token)
    assert list(go.told_often(lambda: context.copy().run(user.get))) == ["Ada"] * 3


@pytest.fixture(params=["of a package that starts programs", "of another"])
def three_calls(request, go, goclasses):
    """What a callback returns at three calls on goroutines. Threads of the second package keep their thread states."""
    if request.param == "of another":
        return lambda call: [goclasses.call_on_goroutine(call) for _ in range(3)]
    return lambda call: list(go.told_often(call))


def test_what_a_callback_sets_is_gone_at_its_next_call(three_calls):
    local = threading.local()
    ended = []

    class Value:
        def __del__(self):
            ended.append(threading.get_ident())

    def visit():
        before = f"{user.get()} {hasattr(local, 'value')} {len(ended)}"
        user.set("Bob")
        local.value = Value()
        return before

    assert three_calls(visit) == [f"nobody False {i}" for i in range(3)] and user.get() == "nobody"
    assert len(ended) == 3 and threading.get_ident() not in ended


@pytest.mark.parametrize("way", ["on another goroutine", "on the same thread"])
def test_callback_within_a_callback_leaves_what_that_has_set(go, three_calls, way):
    local = threading.local()
    seen = []
    inner = selfsame_ffi.convert(lambda: seen.append(f"{user.get()} {hasattr(local, 'name')}"))

    def outer():
        user.set("Bob")
        local.name = "Carl"
        if way == "on the same thread":  # by ctypes, which releases the GIL
            result = (ctypes.c_uint64 * 2)()  # a TVMFFIAny
            assert RUNTIME.TVMFFIFunctionCall(ctypes.c_void_p(inner.__chandle__()), None, 0, result) == 0
        else:
            seen.append(go.told_isolated(lambda: f"{user.get()} {hasattr(local, 'name')}"))
        return f"{user.get()} {local.name}"

    assert three_calls(outer) == ["Bob Carl"] * 3
    assert seen == ["Bob True" if way == "on the same thread" else "nobody False"] * 3


def test_asyncio_runs_in_each_call(three_calls):
    async def number():
        await asyncio.sleep(0)
        return "3"

    assert three_calls(lambda: asyncio.run(number())) == ["3"] * 3


@pytest.mark.skipif(bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="states go without the GIL")
def test_thread_of_go_keeps_its_thread_state(goclasses):
    current, number = ctypes.pythonapi.PyThreadState_Get, ctypes.pythonapi.PyThreadState_GetID
    current.restype = ctypes.c_void_p
    number.argtypes, number.restype = [ctypes.c_void_p], ctypes.c_uint64
    seen = {goclasses.call_on_goroutine(lambda: f"{threading.get_ident()} {number(current())}") for _ in range(30)}
    assert len(seen) == len({thread.split()[0] for thread in seen})
