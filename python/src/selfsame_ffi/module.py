"""Modules: loaded libraries, and other sources of functions."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from enum import IntFlag
from typing import Any, cast

from . import _core, _ffi_api
from ._types import classes
from .registry import check_library, register_object


class ModulePropertyMask(IntFlag):
    """Abilities of a module."""

    BINARY_SERIALIZABLE = 1
    RUNNABLE = 2
    COMPILATION_EXPORTABLE = 4


_BINARY_SERIALIZABLE, _RUNNABLE, _COMPILATION_EXPORTABLE = map(int, ModulePropertyMask)  # an IntFlag's & takes long


@register_object("ffi.Module", init=False)
class Module(classes.Object):
    """A loaded library, or another source of functions.

    ``module.name`` and ``module["name"]`` are its function of that name, and ``module(...)`` calls the one named
    ``main``. A module lives as long as it or one of its functions is referenced.
    """

    # A slot for what is known of each module leaves the dict empty, in which Python looks for each name first.
    __slots__ = ("__dict__", "__weakref__", "_kept")
    __module__ = "selfsame_ffi"
    entry_name = "main"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise TypeError("Module: has no constructor; use load_module or system_lib")

    @property
    def kind(self) -> str:
        """The kind of the module: ``"library"`` for a shared library."""
        return _ffi_api.ModuleGetKind(self)

    @property
    def imports(self) -> Sequence[Module]:
        """The modules in which it looks up functions that it does not have itself."""
        return cast("Sequence[Module]", self.imports_)  # type: ignore[attr-defined]

    def implements_function(self, name: str, query_imports: bool = False) -> bool:
        """Say whether the module has a function; with `query_imports`, also whether one of its imports has it."""
        return bool(_ffi_api.ModuleImplementsFunction(self, name, query_imports))

    def get_function(self, name: str, query_imports: bool = False) -> _core.Function:
        """Return a function by its name. Raises AttributeError when there is none."""
        function = _ffi_api.ModuleGetFunction(self, name, query_imports)
        if function is None:
            raise AttributeError(f"Module has no function '{name}'")
        return function

    def get_function_metadata(self, name: str, query_imports: bool = False) -> dict[str, Any] | None:
        """Return the metadata of a function, such as its ``type_schema``; None when the library has none."""
        text = _ffi_api.ModuleGetFunctionMetadata(self, name, query_imports)
        return None if text is None else json.loads(text)

    def get_function_doc(self, name: str, query_imports: bool = False) -> str | None:
        """Return a function's documentation, or None."""
        return _ffi_api.ModuleGetFunctionDoc(self, name, query_imports)

    def import_module(self, module: Module) -> None:
        """Import another module. Raises RuntimeError when that one imports this one, directly or not."""
        _ffi_api.ModuleImportModule(self, module)

    def clear_imports(self) -> None:
        """Remove all imports."""
        _ffi_api.ModuleClearImports(self)

    def inspect_source(self, fmt: str = "") -> str:
        """Return the module's source text in a format, if it has any."""
        return _ffi_api.ModuleInspectSource(self, fmt)

    def get_write_formats(self) -> Sequence[str]:
        """Return the formats in which it can be written to a file."""
        return _ffi_api.ModuleGetWriteFormats(self)

    def write_to_file(self, file_name: str, fmt: str = "") -> None:
        """Write it to a file."""
        _ffi_api.ModuleWriteToFile(self, file_name, fmt)

    def get_property_mask(self) -> int:
        """Return the module's abilities: bits of :class:`ModulePropertyMask`."""
        return _ffi_api.ModuleGetPropertyMask(self)

    def is_runnable(self) -> bool:
        """Say whether its functions can be called."""
        return bool(self.get_property_mask() & _RUNNABLE)

    def is_binary_serializable(self) -> bool:
        """Say whether it can be turned into bytes."""
        return bool(self.get_property_mask() & _BINARY_SERIALIZABLE)

    def is_compilation_exportable(self) -> bool:
        """Say whether it can be written as an object file or source."""
        return bool(self.get_property_mask() & _COMPILATION_EXPORTABLE)

    def __getitem__(self, name: str) -> _core.Function:
        if not isinstance(name, str):
            raise TypeError(f"Module: expected a str as the name of a function, got {type(name).__name__}")
        return self.get_function(name)

    def __getattr__(self, name: str) -> _core.Function:
        if name == "_kept":  # nobody has set it
            return False  # type: ignore[return-value]
        if name.startswith("__"):  # Python looks up many of those; no library has them
            raise AttributeError(f"Module has no attribute '{name}'")
        function = self.get_function(name)
        # A module that lives as long as the process may own its functions. In another one they would make a cycle.
        if self._kept:
            self.__dict__[name] = function
        return function

    def __call__(self, *args: Any) -> Any:
        return getattr(self, self.entry_name)(*args)


def load_module(path: str | os.PathLike[str], keep_module_alive: bool = True) -> Module:
    """Load a shared library, or another file that a loader is registered for by its extension.

    With `keep_module_alive` the module stays loaded for the life of the process, else as long as it is referenced.
    Raises RuntimeError when the file cannot be loaded, ImportError when its symbols would come from another runtime.
    """
    check_library("load_module", path)
    module = _ffi_api.ModuleLoadFromFile(os.fspath(path))
    if keep_module_alive:
        _ffi_api.ModuleGlobalsAdd(module)
        module._kept = True
    return module


def system_lib(symbol_prefix: str = "") -> Module:
    """Return the module of the functions that are linked into the process under a prefix; the same one at each call."""
    module = _ffi_api.SystemLib(symbol_prefix)
    module._kept = True
    return module


__all__ = ["Module", "ModulePropertyMask", "load_module", "system_lib"]
