"""Errors of names that are not known: the names that are, and the one that was perhaps meant."""

# Requirement: F1

import pytest
from selfsame_ffi import Dict, Function, Map, Object, cpp, from_dlpack, testing
from selfsame_ffi.dataclasses import py_class


@py_class("test_unknown_names.Node")
class Node(Object):
    name: str
    weight: float = 0.0


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: Node("a", wieght=1), r"'wieght'; it takes 'name' and 'weight'; did you mean 'weight'\?"),
        (lambda: Node("a").__replace__(nane="b"), r"no field has the name 'nane'; did you mean 'name'\?"),
        (lambda: Map({}).get(key=1, defualt=2), r"'defualt'; it takes 'key' and 'default'; did you mean 'default'\?"),
        (lambda: Dict({}).pop(1, other=2), r"Dict.pop: .*'other'; it takes 'key' and 'default'$"),
        (
            lambda: Function.__from_extern_c__(1, keep_alive=1),
            r"it takes 'keep_alive_object'; did you mean 'keep_alive",
        ),
        (lambda: from_dlpack(1, require_alignement=8), r"from_dlpack: .*; did you mean 'require_alignment'\?"),
    ],
)
def test_an_unknown_keyword_is_told_with_the_known_ones(call, message):
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize("module", [cpp, testing.testing])
def test_the_error_of_an_unknown_name_says_where_python_can_look_for_others(module):
    with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no attribute 'biuld'") as raised:
        _ = module.biuld
    assert raised.value.name == "biuld" and raised.value.obj is module
