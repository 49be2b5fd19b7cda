"""Which context variables and thread-locals a callback of a Go func sees."""

# Requirement: C12

import contextvars
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
    def visit():
        before = user.get()
        user.set("Bob")
        return before

    assert list(go.told_often(visit)) == ["nobody"] * 3 and user.get() == "nobody"
