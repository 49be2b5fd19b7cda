"""Fields of classes declared in Python."""

from __future__ import annotations

import dataclasses as _dataclasses
from collections.abc import Mapping
from typing import Any, Callable, ClassVar, Generic, TypeVar, overload

from .._types.annotations import add_own_annotation, return_annotation
from .._types.sentinels import MISSING
from .._types.type_schema import TypeSchema

_T = TypeVar("_T")

if hasattr(_dataclasses, "KW_ONLY"):
    KW_ONLY: Any = _dataclasses.KW_ONLY
else:

    class KW_ONLY:  # type: ignore[no-redef]
        """Annotations behind ``_: KW_ONLY`` are of fields that only keyword arguments set."""


def _field_converter(value: Any) -> Any:
    """For type checkers: a field takes every value that its type converts."""
    return value


class Field:
    """One field of a class: its name, its type and its options; see :func:`field`.

    `name`, `type` and the schema of a field that :func:`field` made are filled in by ``py_class``.
    """

    __slots__ = (
        "_ty_schema",
        "compare",
        "converter",
        "default",
        "default_factory",
        "doc",
        "extra_kwargs",
        "frozen",
        "hash",
        "init",
        "kw_only",
        "metadata",
        "name",
        "repr",
        "structural_eq",
        "type",
    )
    _VALID_STRUCTURAL_EQ_VALUES: ClassVar[frozenset[Any]] = frozenset(
        {None, "ignore", "def", "def-pattern", "def-simple"}
    )

    def __init__(
        self,
        name: str | None = None,
        _ty_schema: TypeSchema | None = None,
        *,
        default: object = MISSING,
        default_factory: Any = MISSING,
        frozen: bool = False,
        init: bool = True,
        repr: bool = True,
        hash: bool | None = True,
        compare: bool = False,
        kw_only: bool | None = False,
        metadata: Mapping[str, Any] | None = None,
        structural_eq: str | None = None,
        doc: str | None = None,
        converter: Callable[[Any], Any] = _field_converter,
        **extra_kwargs: Any,
    ) -> None:
        if default_factory is not MISSING:
            if default is not MISSING:
                raise ValueError("cannot specify both default and default_factory")
            if not callable(default_factory):
                raise TypeError(f"default_factory must be a callable, got {type(default_factory).__name__}")
        if structural_eq not in self._VALID_STRUCTURAL_EQ_VALUES:
            valid = sorted(self._VALID_STRUCTURAL_EQ_VALUES, key=str)
            raise ValueError(f"structural_eq must be one of {valid}, got {structural_eq!r}")
        self.name: Any = name
        self._ty_schema = _ty_schema
        self.type: Any = None
        self.default = default
        self.default_factory = default_factory
        self.frozen = frozen
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.kw_only = kw_only
        self.metadata = dict(metadata or {})
        self.structural_eq = structural_eq
        self.doc = doc
        self.converter = converter
        self.extra_kwargs = dict(extra_kwargs)

    def __copy__(self) -> Field:
        """A copy with dicts of its own for `metadata` and `extra_kwargs`."""
        made = object.__new__(type(self))
        names = {name for cls in type(self).__mro__ for name in _slots_of(cls)}
        for name in names | set(getattr(self, "__dict__", ())):
            if hasattr(self, name):
                setattr(made, name, getattr(self, name))
        made.metadata = dict(self.metadata)
        made.extra_kwargs = dict(self.extra_kwargs)
        return made

    def __repr__(self) -> str:
        return f"Field(name={self.name!r}, type={self.type!r})"


def _slots_of(cls: type) -> tuple[str, ...]:
    slots = vars(cls).get("__slots__", ())
    return tuple(name for name in ((slots,) if isinstance(slots, str) else slots) if not name.startswith("__"))


def field(
    *,
    default: object = MISSING,
    default_factory: Any = MISSING,
    frozen: bool = False,
    init: bool = True,
    repr: bool = True,
    hash: bool | None = None,
    compare: bool = True,
    kw_only: bool | None = None,
    metadata: Mapping[str, Any] | None = None,
    structural_eq: str | None = None,
    doc: str | None = None,
    converter: Callable[[Any], Any] = _field_converter,
    **extra_kwargs: Any,
) -> Any:
    """Return the options of a field in the body of a ``py_class``: ``x: int = field(default=0, repr=False)``.

    `default` or `default_factory` (called without arguments) give the value when there is no argument; `init` says
    whether there is one, `kw_only` whether only by name (None: as the class says). `frozen` makes the field read-only
    (``type(obj).x.set(obj, value)`` sets it still). `repr`, `hash` (None: as `compare`) and `compare` say where the
    field takes part, `structural_eq` how it takes part in structural comparison: ``"ignore"``, ``"def-pattern"`` or
    ``"def-simple"``. `metadata` and further options are for hooks of the class.
    """
    options = locals()
    return Field(**options.pop("extra_kwargs"), **options)


class init_property(Generic[_T]):  # noqa: N801  used as a decorator
    """A field whose value the decorated method computes once, at the end of the constructor.

    It is a field of the native object like any other, of the type that the method's annotation says (Any without one),
    without an argument, and left out of repr, hash and comparisons.
    """

    def __init__(self, func: Callable[[Any], _T]) -> None:
        self.func = func
        self.name: str | None = None
        self._annotation = return_annotation(func)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        add_own_annotation(owner, name, self._annotation)

    @overload
    def __get__(self, obj: None, objtype: type) -> init_property[_T]: ...
    @overload
    def __get__(self, obj: object, objtype: type) -> _T: ...
    def __get__(self, obj: Any, objtype: type) -> Any:
        return self
