"""Registering and finding the classes and global functions of the process."""

from __future__ import annotations

import json
import os
import re
import sys
import warnings
from collections.abc import Sequence
from typing import Any, Callable, Literal, TypeVar, overload

from . import _core  # noqa: F401
from ._calls.many import note_dtypes
from ._copying import runtime_function as _builtin
from ._core import Function
from ._load import elf, runtime  # noqa: F401
from ._load.advice import CUT_OFF, advice
from ._types import classes  # noqa: F401

_T = TypeVar("_T", bound=type)

# Packages with a mode that lacks their compiler's types set this, so that their classes of such types stay as they are.
_SKIP_UNKNOWN_OBJECTS = False


@overload
def register_object(type_key: str, *, init: bool = ..., shared: bool = ...) -> Callable[[_T], _T]: ...
@overload
def register_object(type_key: None = ..., *, init: bool = ..., shared: bool = ...) -> Callable[[_T], _T]: ...
@overload
def register_object(type_key: _T) -> _T: ...


def register_object(type_key: Any = None, *, init: bool = True, shared: bool = False) -> Any:
    """Make the decorated class the Python class of a native type.

    The class gets the type's fields, methods, static methods, its constructor as ``__init__`` (unless `init` is False
    or the class defines one) and its doc; the class of an enum also gets its members. Names that the class body defines
    stay. Objects fetched from now on are instances of it.

    `shared` is for modules of Go packages, two of which may have the same class, of a package that both depend on. The
    class that the first of them registers stays, and the others get that one in place of theirs.

    Raises ValueError when the key is unknown, or registered already with a class whose instances have another
    layout; TypeError when the class does not derive from :class:`Object`.
    """

    def register(cls: _T, key: str) -> _T:
        index = _core.type_key_to_index(key)
        if index is None and _is_of_test_library(key):
            index = _core.type_key_to_index(key)
        if index is None:
            if _SKIP_UNKNOWN_OBJECTS:
                return cls
            raise ValueError(f"register_object: argument 'type_key': no native type has the key {key!r}")
        if shared and (first := _shared.setdefault(index, cls)) is not cls:
            return first
        if cls.__qualname__.isidentifier():  # that of a submodule, whose package has it under a private name
            cls.__name__ = cls.__qualname__
        info = _core.type_info(index)
        assert info is not None
        _core.register_class(index, cls)
        classes.add_members(cls, info, init=init)
        classes.add_ancestors_members(cls, info)
        classes.add_enum_members(cls, index)
        return cls

    if type_key is None:
        return lambda cls: register(cls, cls.__name__)
    if isinstance(type_key, str):
        return lambda cls: register(cls, type_key)
    if isinstance(type_key, type):
        return register(type_key, type_key.__name__)
    raise TypeError(f"register_object: argument 'type_key': expected a str or a class, got {type(type_key).__name__}")


_shared: dict[int, Any] = {}  # the classes that were registered as shared, by type index


def register_global_func(func_name: Any, f: Callable[..., Any] | None = None, override: bool = False) -> Any:
    """Register a callable as a global function; without `f`, as a decorator. Returns the Function.

    A function that its module defines again, as when a cell of a notebook runs again, replaces the one before.
    Raises RuntimeError when the name is taken by another function and `override` is False.
    """
    if not isinstance(func_name, str):
        if not callable(func_name):
            raise TypeError(
                f"register_global_func: argument 'func_name': expected a str, got {type(func_name).__name__}"
            )
        f, func_name = func_name, func_name.__name__

    if f is None:
        return lambda decorated: _register(func_name, decorated, override)
    return _register(func_name, f, override)


def _register(name: str, callable_: Callable[..., Any], override: bool) -> Function:
    function = callable_ if isinstance(callable_, Function) else _core.function_from_callable(callable_)
    place = _place(callable_)
    again = place is not None and _defined.get(name) == place
    _core.set_global_func(name, function, override or again)
    _known.discard(name)
    _defined[name] = place
    return function


def _place(function: Any) -> tuple[str, str] | None:
    """Where a function is defined: its module, and its name there. None for one that is made in another function."""
    name = getattr(function, "__qualname__", "<")
    return None if "<" in name else (getattr(function, "__module__", ""), name)


_defined: dict[str, tuple[str, str] | None] = {}  # where the functions that Python registered are defined, by name
_known: set[str] = set()  # the names of the global functions whose metadata was obeyed


@overload
def get_global_func(name: str, allow_missing: Literal[False] = ...) -> Function: ...
@overload
def get_global_func(name: str, allow_missing: bool) -> Function | None: ...


def get_global_func(name: str, allow_missing: bool = False) -> Function | None:
    """Return the global function of a name, the same object each time.

    A missing one is None with `allow_missing`, else a ValueError.
    """
    function = _core.get_global_func(name)
    if function is None and _is_of_test_library(name):
        function = _core.get_global_func(name)
    if function is None:
        if not allow_missing:
            raise ValueError(f"get_global_func: no global function has the name {name!r}")
    elif name not in _known:
        _known.add(name)
        metadata = _builtin("ffi.GetGlobalFuncMetadata")(name)
        classes.obey_metadata(function, metadata)
        note_dtypes(function, metadata)
    return function


def _is_of_test_library(name: str) -> bool:
    """Whether a name is one of the published test library, which is loaded then: there it is loaded from the start."""
    if not name.startswith("testing."):
        return False
    from . import libinfo

    try:
        libinfo.load_lib_ctypes("apache-tvm-ffi", "tvm_ffi_testing", "RTLD_GLOBAL")
    except (RuntimeError, OSError):
        return False  # it is not installed
    return True


def list_global_func_names() -> list[str]:
    """Names of all global functions."""
    names = _builtin("ffi.FunctionListGlobalNamesFunctor")()
    return [names(i) for i in range(names(-1))]


def remove_global_func(name: str) -> None:
    """Remove a global function. A name that is not there is ignored."""
    _builtin("ffi.FunctionRemoveGlobal")(name)


def get_global_func_metadata(name: str) -> dict[str, Any]:
    """Return the metadata of a global function, such as its ``type_schema``; empty when it has none."""
    text = _builtin("ffi.GetGlobalFuncMetadata")(name)
    return json.loads(text) if text else {}


def get_registered_type_keys() -> Sequence[str]:
    """Keys of all native types."""
    return _builtin("ffi.GetRegisteredTypeKeys")()


def init_ffi_api(namespace: str, target_module_name: str | None = None) -> None:
    """Set the global functions ``<namespace>.<name>`` as attributes ``<name>`` of a module (default: `namespace`).

    Names between double underscores are left out: Python would call ``__getattr__`` by itself.
    """
    module = sys.modules[target_module_name or namespace]
    prefix = (namespace[4:] if namespace.startswith("tvm.") else namespace) + "."
    for full_name in list_global_func_names():
        name = full_name[len(prefix) :]
        if full_name.startswith(prefix) and name and "." not in name and classes.can_be_field(name):
            setattr(module, name, get_global_func(full_name))


def _add_class_attrs(cls: Any, info: Any, type_attr_names: Any = ()) -> Any:
    """Give a class its type's own fields and methods; type attributes of the given names too. Own names stay."""
    own = vars(cls)
    for field in info.fields:
        if field.name not in own and classes.can_be_field(field.name):
            setattr(cls, field.name, field.as_property(cls))
    raw = _core.type_info(info.type_index)
    assert raw is not None
    kept = {method.name for method in info.methods}  # a class that was declared again may have fewer than the type
    classes.add_methods(cls, {**raw, "methods": [entry for entry in raw["methods"] if entry[0] in kept]})
    _add_type_attr_class_attrs(cls, info, type_attr_names)
    return cls


def _add_type_attr_class_attrs(cls: Any, info: Any, names: Any) -> None:
    for name in names:
        value = _core.type_attr(info.type_index, name)
        if value is not None and name not in vars(cls):
            setattr(cls, name, value)


def _warn_missing_field_annotations(cls: type, info: Any, *, stacklevel: int) -> None:
    from ._types.annotations import own_annotations

    missing = sorted({field.name for field in info.fields} - set(own_annotations(cls)))
    if missing:
        warnings.warn(
            f"@c_class({info.type_key!r}): class `{cls.__qualname__}` does not annotate the following reflected "
            f"field(s): {', '.join(missing)}. Add type annotations (e.g. `field_name: type`) to the class body.",
            UserWarning,
            stacklevel=stacklevel + 1,
        )


def load_extension(path: Any, requires: str = "") -> None:
    """Load a shared library that registers classes and functions, such as one made by ``selfsame-ffi build``.

    `requires` is the oldest version of this package that serves the library, such as ``"0.2.0"``.

    Waits until its registrations are done; Ctrl-C ends the wait, and a RuntimeWarning says after 10 seconds what it is
    for. The library stays loaded for the life of the process. Raises ImportError when it cannot be loaded, and when the
    file has become another one since this process loaded it. It also raises ImportError when this package is older than
    `requires`, and when the library registers what another library has registered, unless both have it from the same Go
    package. When another registration fails it raises the library's own error.
    """
    from ._go.values import register  # programs without Go packages need none of it
    from ._load.extension import load

    _check_path("load_extension", path)
    path = os.fsdecode(path)
    if requires:
        _check_version("load_extension", path, requires)
    name, identity = os.path.realpath(path), _file_identity(path)
    if _extensions.setdefault(name, identity) != identity:
        raise ImportError(
            f"load_extension: {path} has changed since this process loaded it, and Go code cannot be "
            "unloaded; start a new process (in a notebook: restart the kernel)"
        )
    try:
        check_library("load_extension", path)
        register()
        load(path)
    except BaseException as error:
        _extensions.pop(name, None)
        if isinstance(error, ImportError) and (hint := advice(path, str(error))):
            raise ImportError(f"{error}{hint}") from None
        taken = re.search(r"(class|Global Function) `([^`]+)` is already registered(.*)", str(error))
        if taken is None or not _extensions or not isinstance(error, RuntimeError):
            raise
        others = ", ".join(sorted(map(os.path.basename, list(_extensions))))
        why = taken[3].removeprefix(" by another library, ") if taken[1] == "class" else ""
        raise ImportError(
            f"load_extension: {path} registers the {taken[1].lower()} {taken[2]}, as a library that this "
            f"process has loaded before does (one of {others})"
            + (f", {why}" if why else ", and not as part of the same Go package; give one of them another name")
        ) from error


# The identity of each extension's file when it was loaded, by its path. Dict operations are atomic, so it needs no
# lock.
_extensions: dict[str, tuple[int, ...] | None] = {}


def _file_identity(path: Any) -> tuple[int, ...] | None:
    """Something that differs after the file was replaced or written. None for a file that is not there."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def _check_path(function: str, path: Any) -> None:
    """Raise TypeError for what is no path: `open` takes an int as an open file, which it closes in the end."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"{function}: argument 'path': expected a path, got {type(path).__name__}")


def _check_version(function: str, path: str, requires: str) -> None:
    """Raise ImportError when this package is older than the version that the library requires."""
    wanted = re.match(r"(\d+)\.(\d+)\.(\d+)", requires) if isinstance(requires, str) else None
    if wanted is None:
        raise ValueError(f"{function}: argument 'requires': expected a version such as '0.2.0', got {requires!r}")
    # Not the package's own __version__, which is the published package's where this one stands in for that.
    have = re.match(r"(\d+)\.(\d+)\.(\d+)", _core.__version__)
    if have is None or tuple(map(int, have.groups())) < tuple(map(int, wanted.groups())):
        raise ImportError(
            f"{function}: {path} needs selfsame-ffi {requires} or later, and this Python has {_core.__version__}; run "
            f"`python -m pip install --upgrade 'selfsame-ffi>={requires}'`, or install a wheel of it"
        )


def check_library(function: str, path: Any) -> None:
    """Raise ImportError for a library that this package's runtime cannot serve; TypeError for what is no path.

    Its file is cut off, it needs functions of a later ABI, or its tvm-ffi symbols would come from another runtime.

    `function` is the caller's name in the message.

    The dynamic linker gives a library the symbols of the runtime that was loaded first with global symbols. If that is
    another one, this package would not see the types and functions that the library registers.
    """
    _check_path(function, path)
    path = os.fspath(path)
    if path in _served and _core.is_loaded(path):
        return
    if elf.cut_off(path):
        raise ImportError(f"{function}: {os.fsdecode(path)} cannot be loaded{CUT_OFF}")
    needed = [name for name in elf.undefined_symbols(path) if name.startswith("TVMFFI")]
    lacking = _core.lacking(needed)
    if lacking:
        _check_functions(function, path, lacking)
    other = _core.foreign_runtime()
    if other is not None and needed:
        raise ImportError(
            f"{function}: {os.fsdecode(path)} would take its TVMFFI symbols from {other}, which was loaded first, not "
            "from selfsame's runtime; import selfsame_ffi before tvm_ffi, then both use selfsame's runtime"
        )
    _served.add(path)


_served: set[str | bytes] = set()  # the paths of the files that passed check_library


def _check_functions(function: str, path: Any, lacking: list[str]) -> None:
    """Raise ImportError unless the libraries that this one needs have the functions that the runtime lacks.

    Without the check, the first call of such a function would end the process.
    """
    import ctypes  # few programs come here

    try:
        ctypes.CDLL(os.fspath(path), mode=os.RTLD_NOW)
    except OSError as error:
        version = ".".join(map(str, _core.abi_version()))
        raise ImportError(
            f"{function}: {os.fspath(path)} cannot be served: it needs {', '.join(sorted(lacking))}, which the ABI "
            f"{version} of this runtime does not have; build it with headers of tvm-ffi {version} or earlier, or "
            f"update this package ({error})"
        ) from error
