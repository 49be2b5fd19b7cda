"""Where the package's libraries and headers are, for building extensions."""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Callable

from ._load import runtime
from ._load.find_library import find_library as _find_library_by_basename

if TYPE_CHECKING:
    from .module import Module

_HERE = Path(__file__).resolve().parent


def _stock_package() -> Path | None:
    """The installed package of apache-tvm-ffi, found without importing it: it has the C++ headers."""
    try:
        import importlib.metadata

        for file in importlib.metadata.files("apache-tvm-ffi") or ():
            if str(file) == "tvm_ffi/__init__.py":
                return Path(str(file.locate())).resolve().parent
    except ImportError:
        pass
    return None


def _resolve_and_validate(paths: Iterable[Path], cond: Callable[[Path], bool | Path]) -> str | None:
    """The first of the paths, resolved, for which `cond` is true, or the path that `cond` returns instead.

    None if there is none. For packages that find their own libraries by it.

    A path counts as absent when resolving it or `cond` raises OSError or AssertionError.
    """
    for path in paths:
        try:
            resolved = path.resolve()
            found = cond(resolved)
        except (OSError, AssertionError):
            continue
        if found is True or isinstance(found, Path):
            return str(resolved if found is True else found)
    return None


def _folder(what: str, relative: str, contains: str = "") -> str:
    for root in (_HERE, _stock_package()):
        if root is not None and (root / relative / contains).exists():
            return str((root / relative).resolve())
    raise RuntimeError(f"Cannot find {what}: install apache-tvm-ffi, whose package has it")


def find_libtvm_ffi() -> str:
    """Path of the runtime library, the one that this process uses."""
    return str(Path(runtime.library_path()).resolve())


def find_windows_implib() -> str:
    """Path of the import library for linkers on Windows. RuntimeError: this package has none."""
    raise RuntimeError("Cannot find implib tvm_ffi.lib")


def find_include_path() -> str:
    """Folder of the C and C++ headers."""
    return _folder("include path", "include", "tvm/ffi/c_api.h")


def find_dlpack_include_path() -> str:
    """Folder of the headers of DLPack."""
    return _folder("dlpack include path", "include", "dlpack/dlpack.h")


def find_python_helper_include_path() -> str:
    """Folder of the headers for extension modules in Cython."""
    return _folder("python helper include path", "include", "tvm_ffi_python_helpers.h")


def find_source_path() -> str:
    """Folder of the published runtime's sources."""
    return str(Path(_folder("home path", "src")).parent)


def find_cmake_path() -> str:
    """Folder of the package's CMake files: never those of the published package, whose runtime is another one."""
    folder = _HERE / "share/cmake/tvm_ffi"
    if not folder.is_dir():
        raise RuntimeError(f"Cannot find cmake path: {folder} is missing; install selfsame-ffi again")
    return str(folder)


def find_cython_lib() -> str:
    """Path of the package's extension module."""
    spec = importlib.util.find_spec(f"{__package__}._core")
    if spec is None or spec.origin is None:
        raise RuntimeError("Cannot find the extension module selfsame_ffi._core")
    return str(Path(spec.origin).resolve())


def include_paths() -> list[str]:
    """Return the folders of headers that an extension needs."""
    return sorted({find_include_path(), find_dlpack_include_path(), find_python_helper_include_path()})


def load_lib_ctypes(
    package: str, target_name: str, mode: str, extra_lib_paths: list[Path] | None = None
) -> ctypes.CDLL:
    """Load the shared library `target_name` of an installed distribution; `mode` is ``RTLD_LOCAL`` or ``RTLD_GLOBAL``.

    Raises RuntimeError when it cannot be found, OSError when it cannot be loaded.
    """
    path = _find_library_by_basename(package, target_name, extra_lib_paths)
    return ctypes.CDLL(str(path), getattr(ctypes, mode))


def load_lib_module(
    package: str, target_name: str, keep_module_alive: bool = True, extra_lib_paths: list[Path] | None = None
) -> Module:
    """Load the shared library `target_name` of an installed distribution as a module."""
    from .module import load_module

    path = _find_library_by_basename(package, target_name, extra_lib_paths)
    return load_module(path, keep_module_alive=keep_module_alive)
