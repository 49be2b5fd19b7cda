"""Go functions of numbers as ufuncs of NumPy, which need not be installed otherwise."""

from __future__ import annotations

import importlib
from typing import Any, Callable

from .. import _core
from .many import _Target

# The ufuncs, which live as long as the process, by their Functions. Dict operations are atomic, so it needs no lock.
_made: dict[Any, Any] = {}


def ufunc(function: Callable[..., Any]) -> Any:
    """Return a Go function of numbers as a ufunc of NumPy: ``hypot = selfsame_ffi.ufunc(geo.hypot)``.

    Every argument and the result must be a number or bool of Go, except for uint64 and uint. The ufunc broadcasts its
    arguments, converts them by NumPy's rules to the types of the func's parameters, and takes ``out=``, ``where=`` and
    ``dtype=``. NumPy's ``reduce``, ``accumulate`` and ``outer`` are there as well. The calls run in Go over the memory
    of the arrays, without the GIL. An exception of the func is raised; elements after it may have been called.

    The ufunc of a function is made once and lives as long as the process. Raises TypeError for other functions, and
    ImportError without NumPy.
    """
    target = _Target(function)
    known = _made.get(target.function) if not target.first else None
    if known is not None:
        return known
    name = getattr(function, "__name__", "function")
    if target.dtypes is None or target.first or not all(target.dtypes) or len(target.dtypes) < 2:
        raise TypeError(
            f"ufunc: argument 'function': expected a Go function of numbers that returns a number, got {name}"
            + (_misfit(target.dtypes) if target.dtypes else "")
        )
    import numpy  # type: ignore[import-not-found, unused-ignore]

    core = "numpy.core" if numpy.__version__.startswith("1.") else "numpy._core"
    api = importlib.import_module(core + "._multiarray_umath")._UFUNC_API
    made = _core.new_ufunc(api, target.function, target.dtypes, name, function.__doc__ or "")
    return _made.setdefault(target.function, made)


def _misfit(dtypes: tuple[str, ...]) -> str:
    """Say which arguments, and whether the result, have no data type."""
    result, *args = dtypes
    others = [f"argument {i + 1}" for i, dtype in enumerate(args) if not dtype] + ([] if result else ["a result"])
    return f" with {' and '.join(others)} of another type" if others else " without arguments" if not args else ""
