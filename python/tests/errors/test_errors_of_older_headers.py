"""Errors made by libraries with headers of any release. Up to 0.1.7 they have no place for a cause and a context."""

# Requirements: A6, C6, I4

import concurrent.futures
import copy
import gc
import pickle

import origins
import pytest
import selfsame_ffi
from selfsame_ffi import get_global_func

# C++ has short texts in the object itself, and others elsewhere.
KINDS = [
    "",
    "ValueError",
    "RuntimeError123",
    "KeyError12345678",
    "NotImplementedError",
    "a kind of " + 9 * "many words ",
]
TEXTS = ["", "zero", "a message that is longer than what lies in the object"]


@pytest.fixture(scope="module")
def makers(native):
    """For each release a function that makes an Error, one that raises it, and one that makes an Error with links."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        try:
            paths = list(pool.map(origins.cpp, origins.RELEASES))
        except origins.Unavailable as reason:
            pytest.skip(str(reason))
    found = {}
    for release, path in zip(origins.RELEASES, paths):
        selfsame_ffi.load_module(path)
        found[release] = tuple(
            get_global_func(f"{origins.cpp_prefix(release)}.{name}") for name in ("error", "fail", "linked")
        )
    return found


@pytest.fixture(params=origins.RELEASES)
def release(request, makers):
    return makers[request.param]


@pytest.mark.parametrize("kind", KINDS)
def test_error_arrives_as_value_and_exception(release, kind):
    make, fail, _ = release
    for text in TEXTS:
        for frames in ("", '  File "a.cc", line 1, in a_function\n'):
            error = make(kind, text, frames)
            assert (error.kind, error.message, error.backtrace) == (kind, text, frames)
            assert error.cause is None and error.extra_context is None
            with pytest.raises(Exception) as info:
                fail(error)
            expected = {"ValueError": ValueError, "NotImplementedError": NotImplementedError}.get(kind, RuntimeError)
            assert type(info.value) is expected and str(info.value) == text and info.value.__cause__ is None
            assert info.value.__tvm_ffi_error__ is error
            del info


@pytest.mark.parametrize("kind", KINDS)
def test_errors_in_containers_survive_collections_and_copies(release, kind):
    errors = [release[0](kind, text, "") for text in TEXTS]
    held = selfsame_ffi.List([errors, selfsame_ffi.Map({error.message: error for error in errors})])
    cycle = selfsame_ffi.List([held])
    held.append(cycle)
    ids = [id(error) for error in errors]
    assert len(selfsame_ffi.debug.graph(*errors, owners=False).nodes) == len(errors)
    del errors
    gc.collect()
    assert [id(error) for error in held[0]] == ids
    for again in (pickle.loads(pickle.dumps(held[0][1])), copy.deepcopy(held[0][1])):
        assert (again.kind, again.message, again.cause) == (kind, TEXTS[1], None)
    del held, cycle
    gc.collect()


def test_error_passes_libraries_of_all_releases(makers):
    """Raised by each, caught and raised again by each."""
    for make, _, _ in makers.values():
        error = make("NotImplementedError", "a message", "")
        for _, fail, _ in makers.values():
            with pytest.raises(NotImplementedError) as info:
                fail(error)
            error = selfsame_ffi.convert(info.value)
            del info
        assert error.message == "a message" and error.cause is None


@pytest.mark.parametrize("kind", ["ValueError", "NotImplementedError"])
def test_cause_and_context_of_newer_errors_arrive(makers, kind):
    """With the text of the kind in the object and elsewhere, raised by code whose own Errors have no place for them."""
    fail = makers["0.1.0" if "0.1.0" in makers else "installed"][1]
    for name in makers:
        cause = makers[name][0]("KeyError", "the cause", "")
        linked = makers[name][2](kind, cause, [1, 2])
        for error in (linked, selfsame_ffi.Error(kind, "outer", cause=cause)):
            if error is None:  # these headers have no such errors
                continue
            assert error.cause is cause and (error is not linked or error.extra_context == [1, 2])
            with pytest.raises((ValueError, NotImplementedError)) as info:
                fail(error)
            assert info.value.__cause__.__tvm_ffi_error__ is cause and info.value.__tvm_ffi_error__ is error
        del cause, linked, error, info


@pytest.fixture(scope="module")
def short_error(native):
    """A function of C: it makes an Error that ends at the end of mapped memory, with 1 it raises it."""
    module = selfsame_ffi.load_module(origins.c("short_error"))
    module.short_error(0)  # it never dies, and keeps the memory of its wrapper
    return module.short_error


def test_error_that_ends_at_the_end_of_memory(short_error):
    error = short_error(0)
    assert (error.kind, error.message, error.cause, error.extra_context) == ("ValueError", "short", None, None)
    held = selfsame_ffi.List([error])
    held.append(held)
    del error
    gc.collect()
    with pytest.raises(ValueError, match="short") as info:
        short_error(1)
    assert info.value.__tvm_ffi_error__ is held[0]
    del info
    held.clear()


def test_go_reads_errors_of_all_releases(makers, goclasses):
    for make, fail, _ in makers.values():
        for kind, expected in (("ValueError", ValueError), ("NotImplementedError", NotImplementedError)):
            error = make(kind, "told", "")

            def failing(error=error, fail=fail):
                return fail(error)

            for raising in (
                lambda: goclasses.call(failing),
                lambda: (goclasses.keep_error(failing), goclasses.raise_kept()),
            ):
                with pytest.raises(expected, match="told") as info:
                    raising()
                assert info.value.__tvm_ffi_error__ is error
                del info
            with pytest.raises(expected, match="told"):
                goclasses.wraps(failing, "%w")
            assert not goclasses.fails_with(failing, "errFull")
    goclasses.keep_error(lambda: None)
