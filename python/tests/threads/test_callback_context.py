"""Which context variables and thread-locals a callback of a Go func sees."""

# Requirement: C12

import contextvars
import ctypes
import sysconfig
import threading

import pytest

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


def test_what_a_callback_sets_is_gone_at_its_next_call(go):
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

    assert list(go.told_often(visit)) == [f"nobody False {i}" for i in range(3)] and user.get() == "nobody"
    assert len(ended) == 3 and threading.get_ident() not in ended


def test_callback_within_a_callback_on_another_goroutine_leaves_what_that_has_set(go):
    local = threading.local()

    def outer():
        user.set("Bob")
        local.name = "Carl"
        inner = go.told_isolated(lambda: f"{user.get()} {hasattr(local, 'name')}")
        return f"{inner}, {user.get()} {local.name}"

    assert list(go.told_often(outer)) == ["nobody False, Bob Carl"] * 3


@pytest.mark.skipif(bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="states go without the GIL")
def test_thread_of_go_keeps_its_thread_state(go):
    current, number = ctypes.pythonapi.PyThreadState_Get, ctypes.pythonapi.PyThreadState_GetID
    current.restype = ctypes.c_void_p
    number.argtypes, number.restype = [ctypes.c_void_p], ctypes.c_uint64
    seen = {tell for _ in range(10) for tell in go.told_often(lambda: f"{threading.get_ident()} {number(current())}")}
    assert len(seen) == len({thread.split()[0] for thread in seen})
