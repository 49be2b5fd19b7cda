"""Calls of one function for many items at once."""

from __future__ import annotations

import json
import sys
import threading
import time
from itertools import islice
from typing import TYPE_CHECKING, Any, Callable

from .. import _core

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_ARRAY_CODES = {"float64": "d", "float32": "f", "int64": "q", "int32": "i", "int16": "h", "int8": "b"}
_ARRAY_CODES.update(uint32="I", uint16="H", uint8="B")

_PART_SECONDS = 0.05  # how long the calls for one part of the items may take before parts stop growing
_MOST_IN_PART = 1 << 16


def dtypes_in(metadata: str) -> tuple[str, ...] | None:
    """Return the types of the columns of a Go function, the result's first, as its metadata says; None for others."""
    if '"dtypes"' not in metadata:
        return None
    found = json.loads(metadata).get("dtypes")
    return tuple(found) if isinstance(found, list) else None


_kinds: list[tuple[str, ...]] = []  # by the numbers that Functions are given, which count from 1
_noting = threading.Lock()  # guards additions to _kinds


def note_dtypes(function: _core.Function, metadata: str) -> None:
    """Note in a Function what `dtypes_in` says of it. Its wrapper stays lean: an attribute would give it state."""
    dtypes = dtypes_in(metadata)
    if dtypes is None:
        return
    with _noting:
        if dtypes not in _kinds:
            _kinds.append(dtypes)
        _core.batch_kind(function, _kinds.index(dtypes) + 1)


def _noted_dtypes(function: _core.Function) -> tuple[str, ...] | None:
    kind = _core.batch_kind(function)
    return _kinds[kind - 1] if kind else None


class _Target:
    """What is called for each item."""

    __slots__ = ("call", "dtypes", "first", "function")

    def __init__(self, function: Any):
        self.call = function
        self.first: tuple[Any, ...] = ()  # the object of a bound method
        target = getattr(function, "__func__", function)
        self.function: Any = target
        self.dtypes: tuple[str, ...] | None = None
        if isinstance(target, (_core.Method, _core.StaticMethod)):
            self.dtypes = dtypes_in(getattr(target, "metadata", ""))
            self.function = getattr(target, "function", target)
        elif isinstance(target, _core.Function):
            self.dtypes = _noted_dtypes(target)
        elif not callable(function):
            raise TypeError(f"map: argument 'function': expected a callable, got {type(function).__name__}")
        if target is not function and self.dtypes is not None:
            self.first = (function.__self__,)

    def results(self, columns: Sequence[Any], count: int, parallel: bool) -> Any:
        """Return the results in a list, or in an array if a column is one."""
        if self.dtypes is None:
            results, error = _call_each(self.call, columns, count, parallel)
            if error is not None:
                raise error
            return results
        out = _array_like(columns, count, self.dtypes[0])
        made = _core.call_batch(self.function, self._whole(columns, count), count, self.dtypes[0], out, parallel)
        return made if out is None else out

    def some(
        self, columns: Sequence[Any], count: int, parallel: bool, first: int
    ) -> tuple[list[Any], BaseException | None]:
        """Return the results before the first item that fails, and its error. Items are counted from `first` on."""
        if self.dtypes is None:
            return _call_each(self.call, columns, count, parallel, first)
        whole = self._whole(columns, count)
        made = _core.call_batch(self.function, whole, count, self.dtypes[0], None, parallel, True, first)
        return made if isinstance(made, tuple) else (made, None)

    def _whole(self, columns: Sequence[Any], count: int) -> tuple[Any, ...]:
        return (*([value] * count for value in self.first), *columns)


def _array_like(columns: Sequence[Any], count: int, dtype: str) -> Any:
    """New memory for numbers of a type, of the class of the first column that is an array; None for a list."""
    if not dtype:
        return None
    for column in columns:
        module = sys.modules.get(type(column).__module__)
        if type(column).__name__ == "ndarray" and module is not None and module.__name__ == "numpy":
            return module.empty(count, dtype)
        if type(column).__name__ == "array" and module is not None and module.__name__ == "array":
            code = _ARRAY_CODES.get(dtype)
            return None if code is None else module.array(code, bytes(module.array(code).itemsize * count))
    return None


def _call_each(
    function: Callable[..., Any], columns: Sequence[Any], count: int, parallel: bool, first: int = 0
) -> tuple[list[Any], BaseException | None]:
    """Call a function of any kind for each item, with `parallel` on a few threads; `first` is the first's number."""
    if parallel and count > 1:
        import os
        from concurrent.futures import ThreadPoolExecutor

        workers = min(os.cpu_count() or 1, count)
        bounds = [count * i // workers for i in range(workers + 1)]
        with ThreadPoolExecutor(workers) as pool:
            parts = list(
                pool.map(
                    lambda i: _call_span(function, columns, bounds[i], bounds[i + 1], first),
                    range(workers),
                )
            )
        all_results: list[Any] = []
        for results, error in parts:
            all_results += results
            if error is not None:
                return all_results, error
        return all_results, None
    return _call_span(function, columns, 0, count, first)


def _call_span(
    function: Callable[..., Any], columns: Sequence[Any], start: int, stop: int, first: int
) -> tuple[list[Any], BaseException | None]:
    results: list[Any] = []
    try:
        for row in islice(zip(*columns), start, stop):
            results.append(function(*row))
    except Exception as error:  # noqa: BLE001  # raised by the caller
        item = first + start + len(results)
        try:
            error.item = item  # type: ignore[attr-defined]
            if sys.version_info >= (3, 11):
                error.add_note(f"in the call for item {item}")
        except AttributeError:
            pass  # a class of exceptions without a dict
        return results, error
    return results, None


def _check_columns(name: str, columns: Sequence[Any]) -> None:
    if not columns:
        raise TypeError(f"{name}: expected an iterable for each argument of the function, got none")
    for i, column in enumerate(columns):
        if not hasattr(column, "__iter__") and not hasattr(column, "__getitem__"):
            raise TypeError(f"{name}: iterable {i + 1}: expected an iterable of arguments, got {type(column).__name__}")


def _sized(columns: Sequence[Any]) -> tuple[list[Any], int]:
    """The columns as collections, and how many items all of them have."""
    lengths = [len(column) for column in columns if hasattr(column, "__len__")]
    shortest = min(lengths, default=None)
    made = [column if hasattr(column, "__len__") else list(islice(column, shortest)) for column in columns]
    return made, min(map(len, made))


def map_calls(
    function: Callable[..., Any],
    *columns: Iterable[Any],
    parallel: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Any:
    """Call a function with the items of one or more iterables, as ``map`` does, and return the results in order.

    For a Go function it is one crossing for all items, without the GIL: a Go func of numbers takes some nanoseconds for
    each. With `parallel` goroutines on all cores call the func, which must allow that; so a func with
    ``selfsame.KeepGIL()`` is called in turn. Functions of other languages are called one by one, with `parallel` on
    threads. A method of a class takes its objects as the first iterable. Functions and methods have it as an attribute:
    ``geo.hypot.map(xs, ys)``, ``Point.area.map(points)``, ``point.scale.map(factors)``.

    The results are in a list; in a NumPy array or ``array.array`` if they are numbers and one of the iterables is such
    an array. The calls end with the shortest iterable. An exception has the number of its item as its
    attribute ``item``, and comes from the first item that fails; items after it may have been called. Ctrl-C ends the
    calls between two items, or ends the item's own call if the func takes a ``context.Context``.

    `progress` is called with the numbers of finished and of all items, from time to time and at the end.
    """
    target = _Target(function)
    _check_columns("map", columns)
    made, count = _sized(columns)
    if progress is None:
        return target.results(made, count, parallel)
    results: list[Any] = []
    for part, error in _parts(target, [iter(column) for column in made], count, parallel):
        results += part
        if error is not None:
            raise error
        progress(len(results), count)
    if count == 0:
        progress(0, 0)
    out = None if target.dtypes is None else _array_like(made, count, target.dtypes[0])
    if out is None:
        return results
    if type(out).__name__ == "array":
        return type(out)(out.typecode, results)
    out[:] = results
    return out


def iterate_calls(function: Callable[..., Any], *columns: Iterable[Any], parallel: bool = False) -> Iterator[Any]:
    """Return an iterator over what :func:`selfsame_ffi.map` returns: ``for area in tqdm(geo.area.imap(points)): ...``.

    It takes the items in parts that grow from one, for as long as the calls for a part take less than a twentieth of a
    second, and runs ahead by at most such a part. The iterables may be endless. An error is raised after the results
    before it.
    """
    target = _Target(function)
    _check_columns("imap", columns)
    iterators = [iter(column) for column in columns]
    return _results(target, iterators, parallel)


def _results(target: _Target, iterators: list[Iterator[Any]], parallel: bool) -> Iterator[Any]:
    for part, error in _parts(target, iterators, None, parallel):
        yield from part
        if error is not None:
            raise error


def _parts(
    target: _Target, iterators: list[Iterator[Any]], total: int | None, parallel: bool
) -> Iterator[tuple[list[Any], BaseException | None]]:
    """The results in parts, each with the error that ends it."""
    size, done = 1, 0
    while total is None or done < total:
        wanted = size if total is None else min(size, total - done)
        columns: list[list[Any]] = []
        for iterator in iterators:
            columns.append(list(islice(iterator, len(columns[0]) if columns else wanted)))
        count = min(map(len, columns))
        if count == 0:
            return
        started = time.monotonic()
        results, error = target.some(columns, count, parallel, done)
        yield results, error
        if error is not None or count < wanted:
            return
        done += count
        if size < _MOST_IN_PART and time.monotonic() - started < _PART_SECONDS:
            size *= 2


class _Form:
    """An attribute of Functions and methods: one of the functions above, for them."""

    def __init__(self, of: Callable[..., Any]):
        self.of = of

    def __get__(self, function: Any, owner: Any = None) -> Any:
        if function is None:
            return self
        from functools import partial

        return partial(self.of, function)


# These are the names in messages about arguments.
map_calls.__qualname__ = "map"
iterate_calls.__qualname__ = "imap"

for _class in (_core.Function, _core.Method, _core.BoundMethod, _core.StaticMethod):
    _core.set_static_attribute(_class, "map", _Form(map_calls))
    _core.set_static_attribute(_class, "imap", _Form(iterate_calls))
