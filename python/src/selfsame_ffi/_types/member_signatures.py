"""Signatures and annotations of native members at run time, as the class's module declares them for type checkers.

A module of native classes declares their members below ``if TYPE_CHECKING``, and gets the members themselves from the
native type. What is declared is read when somebody asks for it: until then it costs nothing, and ``inspect``, ``help``
and ``typing`` say what the type checker was told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _core

if TYPE_CHECKING:
    import inspect
    from collections.abc import Callable, Iterator
    from types import FunctionType


class _Signature:
    """The attribute ``__signature__`` of native members."""

    def __get__(self, member: Any, owner: Any = None) -> Any:
        given = getattr(member, "given_signature", None)
        return given if given is not None else _declared_signature.__get__(member, owner)


class _OfMember:
    """An attribute of native members: what `take` makes of the declaration, and `other()` of a member without one."""

    def __init__(self, take: Callable[[Any], Any], other: Callable[[], Any] | None = None) -> None:
        self.take, self.other = take, other

    def __get__(self, member: Any, owner: Any = None) -> Any:
        declared = None if member is None else _of_member(member)
        if declared is not None:
            return self.take(declared)
        if self.other is None or member is None:
            raise AttributeError("no module declares the member")
        return self.other()


def _declaration(cls: type, name: str) -> FunctionType | None:
    from .source_declarations import declaration

    return declaration(cls, name)


def _of_member(member: Any) -> FunctionType | None:
    index = _core.type_key_to_index(member.type_key)
    return None if index is None else _declaration(_core.class_of(index), member.__name__)


class _Unknown:
    """The default of a parameter that may be left out, where the declaration does not say for what."""

    def __repr__(self) -> str:
        return "..."


_UNKNOWN = _Unknown()


def signature_of(declared: FunctionType) -> inspect.Signature:
    """Return the signature of a declaration."""
    import inspect

    found = inspect.signature(declared, follow_wrapped=False)
    parameters = found.parameters.values()
    if all(each.default is not ... for each in parameters):
        return found
    return found.replace(
        parameters=[each.replace(default=_UNKNOWN) if each.default is ... else each for each in parameters]
    )


_declared_signature = _OfMember(signature_of)


def annotations_of(declared: FunctionType) -> dict[str, Any]:
    """Return the annotations of a declaration as this Python can evaluate them."""
    from .source_declarations import annotations_of

    return annotations_of(declared)


for _class in (_core.Method, _core.StaticMethod, _core.Constructor):
    _core.set_static_attribute(_class, "__signature__", _Signature())
    _core.set_static_attribute(_class, "__annotations__", _OfMember(annotations_of, dict))
    _core.set_static_attribute(_class, "__wrapped__", _OfMember(lambda declared: declared))


class _Special:
    """What is the ``__wrapped__`` of a Python function that is a special method of a native class.

    ``inspect`` and ``typing`` find there what the module declares, and what the function itself has where it does not.
    """

    __slots__ = ("cls", "function")

    def __init__(self, function: FunctionType, cls: type) -> None:
        self.function, self.cls = function, cls

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    @property
    def __signature__(self) -> inspect.Signature:
        return signature_of(self.declared or self.function)

    @property
    def __globals__(self) -> dict[str, Any]:
        return (self.declared or self.function).__globals__

    @property
    def declared(self) -> Any:
        return _declaration(self.cls, self.function.__name__)


class LaterAnnotations(dict):  # type: ignore[type-arg]
    """The annotations of a function, which `find` returns when they are asked for: it needs a dict at once."""

    def __init__(self, find: Callable[[], dict[str, Any]]) -> None:
        super().__init__()
        self._find: Callable[[], dict[str, Any]] | None = find

    def _found(self) -> None:
        find, self._find = self._find, None
        if find is not None:
            self.update(find())

    def __iter__(self) -> Iterator[str]:
        self._found()
        return super().__iter__()

    def __len__(self) -> int:
        self._found()
        return super().__len__()

    def __getitem__(self, name: str) -> Any:
        self._found()
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self._found()
        return super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return an annotation, or `default`."""
        self._found()
        return super().get(name, default)

    def keys(self) -> Any:
        """Return the names of the parameters, and "return"."""
        self._found()
        return super().keys()

    def values(self) -> Any:
        """Return the annotations."""
        self._found()
        return super().values()

    def items(self) -> Any:
        """Return the names with their annotations."""
        self._found()
        return super().items()

    def __repr__(self) -> str:
        self._found()
        return super().__repr__()


def declare_special(function: Any, cls: type) -> None:
    """Have a function that is a special method of a native class, by its name, show the declared signature."""
    special, own = _Special(function, cls), function.__annotations__

    def find() -> dict[str, Any]:
        declared = special.declared
        return own if declared is None else annotations_of(declared)

    function.__annotations__ = LaterAnnotations(find)
    function.__wrapped__ = special
