"""Global functions as the functions of a Python module."""

from __future__ import annotations

import copyreg
from typing import TYPE_CHECKING, Any, Callable

from .. import _core
from .._types.classes import interned, lend_arguments, positional_count
from .._types.member_signatures import annotations_of, signature_of
from ..registry import get_global_func, get_global_func_metadata

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable, Iterator, Sequence
    from typing import Protocol, TypeVar

    from typing_extensions import ParamSpec

    _P = ParamSpec("_P")
    _R = TypeVar("_R")
    _R_co = TypeVar("_R_co", covariant=True)

    class GlobalFunction(Protocol[_P, _R_co]):
        """A Function with the signature of its declaration."""

        __name__: str
        __qualname__: str

        def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...

        def aio(self, *args: _P.args, **kwargs: _P.kwargs) -> Awaitable[_R_co]: ...

        def map(
            self,
            *columns: Iterable[Any],
            parallel: bool = False,
            progress: Callable[[int, int], object] | None = None,
        ) -> Sequence[_R_co]: ...

        def imap(self, *columns: Iterable[Any], parallel: bool = False) -> Iterator[_R_co]: ...


class _Signature:
    """The attribute ``__signature__`` of declared Functions, made when it is asked for."""

    def __get__(self, function: Any, owner: Any = None) -> Any:
        declared = getattr(function, "__wrapped__", None)  # vars() would make a dict, and so state, for it
        if declared is None:
            raise AttributeError("__signature__")
        return signature_of(declared)


class _Annotations:
    """The attribute ``__annotations__`` of declared Functions; the others have none."""

    def __get__(self, function: Any, owner: Any = None) -> Any:
        if function is None:
            raise AttributeError("__annotations__")
        declared = getattr(function, "__wrapped__", None)
        return {} if declared is None else annotations_of(declared)


_core.set_static_attribute(_core.Function, "__signature__", _Signature())
_core.set_static_attribute(_core.Function, "__annotations__", _Annotations())
_core.set_static_attribute(_core.Function, "__name__", "Function")  # a Function that no module declares


def _without_indentation(doc: str | None) -> str | None:
    """A docstring of a function of a module as text; CPython 3.13 does this itself."""
    return doc and "\n".join(line[4:] if line.startswith("    ") else line for line in doc.split("\n")).rstrip()


def _reduce_method(method: Any) -> Any:
    """The pickle of a method that is not bound: its class and its name."""
    index = _core.type_key_to_index(method.type_key)
    assert index is not None
    return (getattr, (_core.class_of(index), method.__name__))


def _reduce_bound_method(method: Any) -> Any:
    return (getattr, (method.__self__, method.__name__))


copyreg.pickle(_core.Method, _reduce_method)  # type: ignore[arg-type]
copyreg.pickle(_core.BoundMethod, _reduce_bound_method)  # type: ignore[arg-type]
copyreg.pickle(_core.StaticMethod, _reduce_method)  # type: ignore[arg-type]


def function(name: str) -> Callable[[Callable[_P, _R]], GlobalFunction[_P, _R]]:
    """Replace the decorated function, which only declares a signature and a doc, by the global function `name`.

    The Function gets the name, module, doc and signature of the declaration, takes keyword arguments by its parameter
    names, and is pickled as that name of the module. A Function that another module declared before keeps what it got
    there. Raises ValueError when no global function has the name.
    """

    def declare(declaration: Any) -> Any:
        found: Any = get_global_func(name)
        state = vars(found)
        if "__wrapped__" not in state:
            metadata = get_global_func_metadata(name)
            code = declaration.__code__
            names = code.co_varnames[: code.co_argcount]
            state.update(
                __wrapped__=declaration,
                __name__=declaration.__name__,
                __qualname__=declaration.__qualname__,
                __module__=declaration.__module__,
                __doc__=_without_indentation(declaration.__doc__),
                __ffi_context__=bool(metadata.get("context")),
            )
            lend_arguments(found, metadata)
            if code.co_argcount > code.co_posonlyargcount or code.co_kwonlyargcount:
                module, _, short = name.rpartition(".")
                registered = metadata.get("arg_names")
                if registered:
                    registered = registered[: positional_count(metadata)]
                sentinel = get_global_func("ffi.GetKwargsObject")() if metadata.get("arg_defaults") else None
                state["__ffi_keywords__"] = (module, short, interned(registered or names), sentinel)
        return found

    return declare
