"""Prints the public names of an installed package as JSON: modules, functions, classes, members and signatures.

Usage: describe.py PACKAGE

The rules are the same for each package that it describes, so that two descriptions can be compared:

* a module is public when no part of its name begins with an underscore;
* a name of a module is public when ``__all__`` has it, or else when it has no leading underscore and is a function or
  class that the module, or a module below it, defined;
* a member of a class is public when it has no leading underscore, or is a special method that the package defined.
"""

from __future__ import annotations

import contextlib
import enum
import importlib
import inspect
import io
import json
import pkgutil
import sys
from types import ModuleType
from typing import Any

#: Names that classes have because of the way they are built, not because somebody is meant to use them.
BUILT_IN = {
    "__abstractmethods__", "__annotations__", "__annotate__", "__annotate_func__", "__annotations_cache__",
    "__classcell__", "__dataclass_fields__", "__dataclass_params__", "__dict__", "__doc__", "__firstlineno__",
    "__module__", "__new__", "__orig_bases__", "__parameters__", "__pyx_vtable__", "__qualname__",
    "__replace__", "__setattr__", "__delattr__", "__getattribute__", "__slots__", "__static_attributes__",
    "__subclasshook__", "__weakref__", "__init_subclass__", "__class_getitem__", "__setstate_cython__",
    "__reduce_cython__", "__getnewargs__", "__class__", "__dir__", "__format__", "__sizeof__", "__del__",
    "__type_params__", "__getstate__", "__match_args__", "__protocol_attrs__", "__callable_proto_members_only__",
    "__post_init__", "__setstate__", "__conditional_annotations__",
}  # fmt: skip

#: Special methods that every class has from `object` or from the frontend's root class.
EVERYWHERE = {
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__hash__",
    "__repr__",
    "__str__",
    "__reduce__",
}


def modules(package: str) -> list[str]:
    """The public modules of a package, itself first."""
    root = importlib.import_module(package)
    found = [package]
    for info in pkgutil.walk_packages(root.__path__, package + "."):
        if not any(part.startswith("_") for part in info.name.split(".")):
            found.append(info.name)
    return sorted(found)


def kind_of(value: Any) -> str:
    if isinstance(value, ModuleType):
        return "module"
    if isinstance(value, type):
        return "class"
    return "function" if callable(value) and not isinstance(value, enum.Enum) else "value"


def member_kind(value: Any) -> str:
    """The kind of a member for its user: a method is called, an attribute read."""
    if isinstance(value, (staticmethod, classmethod)):
        return "static method"
    if isinstance(value, (property,)) or inspect.isdatadescriptor(value):
        return "attribute"
    if isinstance(value, type) or callable(value):
        return "method"
    return "attribute"


def signature_of(value: Any) -> list[list[Any]] | None:
    """The parameters as [name, kind, whether it has a default]; None when Python cannot tell."""
    if isinstance(value, (staticmethod, classmethod)):
        value = value.__func__
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    return [[p.name, p.kind.name, p.default is not inspect.Parameter.empty] for p in parameters]


def members_of(cls: type, own_classes: frozenset[type]) -> dict[str, Any]:
    """All public members; ``own`` are those that come from the class itself or from a base that has no public name."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base is object:
            continue
        for name, value in vars(base).items():
            special = name.startswith("__") and name.endswith("__")
            if name in BUILT_IN or (name.startswith("_") and not special):
                continue
            if special and (name in EVERYWHERE or value is None):
                continue
            found[name] = {
                "kind": member_kind(value),
                "parameters": signature_of(value),
                "own": base is cls or base in own_classes,
            }
    return found


def entry(value: Any, own_classes: frozenset[type]) -> dict[str, Any]:
    kind = kind_of(value)
    made: dict[str, Any] = {"kind": kind}
    if kind == "function":
        made["parameters"] = signature_of(value)
    elif kind == "class" and issubclass(value, enum.Enum):
        made["members"] = {name: {"kind": "attribute", "parameters": None, "own": True} for name in value.__members__}
    elif kind == "class":
        made["members"] = members_of(value, own_classes)
    return made


def is_from(value: Any, module: str) -> bool:
    """Whether a module, or one below it, defined the value. Some packages' C parts say only ``core``."""
    home = getattr(value, "__module__", None)
    if home == "core":
        return module.count(".") == 0 or module.endswith(".core")
    return isinstance(home, str) and (home == module or home.startswith(module + "."))


def names_of(module: ModuleType, package: str) -> dict[str, Any]:
    listed = getattr(module, "__all__", None)
    if listed is not None:
        extra = ["__version__", "__version_tuple__"] if module.__name__ == package else []
        return {name: getattr(module, name) for name in sorted({*listed, *extra})}
    return {
        name: value
        for name, value in sorted(vars(module).items())
        if not name.startswith("_") and kind_of(value) in ("class", "function") and is_from(value, module.__name__)
    }


def describe(package: str) -> dict[str, Any]:
    names = {name: names_of(importlib.import_module(name), package) for name in modules(package)}
    public = {value for found in names.values() for value in found.values() if isinstance(value, type)}
    bases = {base for cls in public for base in cls.__mro__ if is_from(base, package)}
    private = frozenset(bases - public)
    return {
        module[len(package) :].lstrip("."): {name: entry(value, private) for name, value in found.items()}
        for module, found in names.items()
    }


def main() -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        described = describe(sys.argv[1])
    json.dump(described, sys.stdout)


if __name__ == "__main__":
    main()
