"""A short function says where it is registered that it keeps the GIL; Python sees it and can change it."""

# Requirements: A5, D11

import ctypes

import native_build
import pytest
import selfsame_ffi


def test_go_functions_and_classes_say_it(go):
    assert not go.short.release_gil and go.size.release_gil
    assert go.short(b"more than seven bytes") == 21 and go.short(b"few") == 3
    assert selfsame_ffi.get_global_func("signatures.short") is go.short
    go.short.release_gil = True
    try:
        assert selfsame_ffi.get_global_func("signatures.short").release_gil
    finally:
        go.short.release_gil = False
    counter = go.Counter(1, 2)
    assert counter.same(counter)
    methods = {method.name: method.func for method in go.Counter.__tvm_ffi_type_info__.methods}
    assert not any(methods[name].release_gil for name in ("__ffi_init__", "add", "same"))


def test_one_method_of_a_class_may_say_it(go):
    methods = {method.name: method.func for method in go.Gauge.__tvm_ffi_type_info__.methods}
    kept = {name for name, function in methods.items() if not function.release_gil}
    assert kept == {"__ffi_init__", "marks", "unit"} and methods["levels"].release_gil
    gauge = go.Gauge()
    assert list(gauge.marks()) == ["low", "high"] and go.Gauge.unit() == "bar"
    assert type(gauge.levels()) is dict and gauge.levels() == {"low": [1]}


def test_the_build_finds_short_go_functions(go):
    """A single call of one that has no loop and waits for nothing keeps the GIL; a batch of calls gives it up."""
    assert not go.link_name.release_gil and go.link_count.release_gil and go.size.release_gil
    methods = {method.name: method.func for method in go.Link.__tvm_ffi_type_info__.methods}
    assert not any(methods[name].release_gil for name in ("__ffi_init__", "rename"))
    assert all(methods[name].release_gil for name in ("tail", "each"))
    links = [go.Link(str(number)) for number in range(3)]
    for parallel in (False, True):
        assert list(go.link_name.map(links, parallel=parallel)) == ["0", "1", "2"]
    assert [link.rename("new") for link in links] == ["0", "1", "2"] and not go.link_name.release_gil
    go.link_name.release_gil = True
    try:
        assert go.link_name.release_gil and go.link_name(links[0]) == "new"
    finally:
        go.link_name.release_gil = False


def test_keep_gil_in_single_calls_takes_a_function_only():
    with pytest.raises(TypeError, match="keep_gil_in_single_calls: argument 'function': expected a Function, got int"):
        selfsame_ffi._core.keep_gil_in_single_calls(1)


def test_cpp_says_it_in_the_metadata():
    ctypes.CDLL(str(native_build.build_cpp(native_build.SOURCE.parent / "release_gil.cc")))
    short = selfsame_ffi.get_global_func("sst.gil.short")
    assert not short.release_gil and short(1) == 2
    assert selfsame_ffi.get_global_func("sst.gil.long").release_gil
    del short
    for name in ("sst.gil.short", "sst.gil.long"):
        selfsame_ffi.remove_global_func(name)


def test_a_function_that_replaces_another_is_asked_again():
    for _ in range(2):
        made = selfsame_ffi.register_global_func("sst.gil.python", lambda: 1, override=True)
        assert selfsame_ffi.get_global_func("sst.gil.python") is made
    del made
    selfsame_ffi.remove_global_func("sst.gil.python")
