"""Everything public has a docstring: modules, functions, classes, and the members that they define."""

# Requirement: F4

import importlib
import sys

import pytest

from scripts.api import describe

PACKAGE = "selfsame_ffi"
#: Classes whose methods a protocol describes.
PROTOCOLS = {"PythonGenerator": "Generator", "RustGenerator": "Generator"}
NEEDS_TEST_LIBRARY = {"selfsame_ffi.testing", "selfsame_ffi.testing.testing"}


def own_members(cls):
    for name, value in vars(cls).items():
        if name.startswith("_") or describe.member_kind(value) == "attribute" and not isinstance(value, property):
            continue
        yield name, value.__func__ if isinstance(value, (staticmethod, classmethod)) else value


def documented(value):
    text = (
        None if value is None else getattr(value, "__doc__", None)
    )  # None has a docstring of its own since CPython 3.13
    return isinstance(text, str) and bool(text.strip())


def describes(cls, member):
    """Whether a base, or the protocol that the class follows, has a docstring for the member."""
    protocol = getattr(importlib.import_module("selfsame_ffi.stub.generator"), PROTOCOLS.get(cls.__name__, ""), None)
    return any(documented(getattr(base, member, None)) for base in (*cls.__mro__, protocol))


def undocumented(module):
    if not documented(module):
        yield module.__name__
    for name, value in describe.names_of(module, PACKAGE).items():
        home = str(getattr(value, "__module__", ""))
        if describe.kind_of(value) not in ("class", "function") or not home.startswith(PACKAGE):
            continue
        of_instances = not isinstance(getattr(value, "__doc__", None), (str, type(None)))  # FFIProperty: the field's
        if not documented(value) and not of_instances:
            yield f"{module.__name__}.{name}"
        for member, method in own_members(value) if isinstance(value, type) else ():
            if not documented(method) and not describes(value, member):
                yield f"{module.__name__}.{name}.{member}"


@pytest.mark.parametrize("name", [n for n in describe.modules(PACKAGE) if n not in NEEDS_TEST_LIBRARY])
def test_everything_public_is_documented(name):
    assert list(undocumented(importlib.import_module(name))) == []


def test_what_has_none_is_found():
    class Bare:
        def method(self):
            pass

    module = type(sys)("selfsame_ffi.bare")
    Bare.__module__, module.Bare, module.__all__ = module.__name__, Bare, ["Bare"]
    assert list(undocumented(module)) == [
        "selfsame_ffi.bare",
        "selfsame_ffi.bare.Bare",
        "selfsame_ffi.bare.Bare.method",
    ]
