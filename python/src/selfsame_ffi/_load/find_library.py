"""Finding a shared library by its name, in distributions and folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from . import runtime

_NAMES = {"win32": ["{}.dll"], "darwin": ["lib{}.dylib", "lib{}.so"]}.get(sys.platform, ["lib{}.so"])
_VARIABLES = {"win32": ["PATH"], "darwin": ["DYLD_LIBRARY_PATH", "PATH"]}.get(sys.platform, ["LD_LIBRARY_PATH", "PATH"])


def find_library(
    package: str,
    target_name: str,
    extra_lib_paths: list[Path] | None = None,
    *,
    use_fallback_build_path: bool = True,
    use_env_path: bool = True,
) -> Path:
    """Path of a library: of the distribution `package`, else in `extra_lib_paths`, beside this package's own library,
    or in the folders of the environment's search paths.

    TypeError for an extra path that is no ``pathlib.Path``; RuntimeError, with the folders, when there is none.
    """
    for i, path in enumerate(extra_lib_paths or ()):
        if not isinstance(path, Path):
            raise TypeError(f"extra_lib_paths[{i}] must be a pathlib.Path, got {type(path).__name__}: {path!r}")
    names = [name.format(target_name) for name in _NAMES]
    own = Path(runtime.library_path()).resolve().parent
    if use_fallback_build_path and package == "apache-tvm-ffi":  # this package's own come first: they fit its runtime
        for name in names:
            if (own / name).is_file():
                return own / name
    for found in _in_distribution(package, names):
        return found
    folders = list(extra_lib_paths or ())
    if use_fallback_build_path:
        here = Path(__file__).resolve().parent
        folders += [own, here / "build" / "lib", here / "lib"]
    if use_env_path:
        for variable in _VARIABLES:
            folders += [Path(part.strip()) for part in os.environ.get(variable, "").split(os.pathsep) if part.strip()]
    for folder in folders:
        for name in names:
            try:
                path = (folder / name).resolve()
                if path.is_file():
                    return path
            except OSError:
                continue
    searched = "".join(f"\n  {folder}" for folder in folders)
    raise RuntimeError(f"Cannot find library {', '.join(names)}; searched directories:{searched}")


def _in_distribution(package: str, names: list[str]) -> Iterator[Path]:
    import importlib.metadata  # as few programs ask, and it takes long to load

    try:
        files = importlib.metadata.files(package)
    except importlib.metadata.PackageNotFoundError:
        return
    for file in files or ():
        if file.name in names:
            path = Path(str(file.locate())).resolve()
            if path.is_file():
                yield path
