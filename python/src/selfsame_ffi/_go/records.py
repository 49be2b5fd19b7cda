"""Records: Go structs without methods in signatures, which cross by value as instances of dataclasses."""

from __future__ import annotations

import keyword
import threading
from typing import TYPE_CHECKING, Any, TypeVar

from .._load.at_exit import emptied

if TYPE_CHECKING:
    from collections.abc import Iterable

_C = TypeVar("_C", bound=type)

_classes: dict[str, type] = emptied({})
# For each class that results became: the fields whose attributes have other names, as those called as keywords are.
_attributes: dict[str, tuple[type, dict[str, str]]] = emptied({})
_making = threading.Lock()


def record(key: str) -> Any:
    """Make the decorated dataclass the Python class of the Go struct with a name such as ``geo.Options``.

    Results of Go functions with that struct become instances of the class. The last class that was registered counts.
    A field whose name Python keeps for itself is an attribute with an underscore behind it, as `from_`.
    """

    import dataclasses

    def register(cls: _C) -> _C:
        if not dataclasses.is_dataclass(cls):
            raise TypeError(f"record: argument 'cls': expected a dataclass, got {cls!r}")
        _classes[key] = cls
        return cls

    return register


def _class_of(key: str, names: Iterable[str]) -> tuple[type, dict[str, str]]:
    """The class for a Go struct, which is made if there is none, and the fields whose attributes have other names."""
    import dataclasses

    cls = _classes.get(key)
    if cls is None:
        with _making:
            cls = _classes.get(key)
            if cls is None:
                attributes = [name + "_" if keyword.iskeyword(name) else str(name) for name in names]
                cls = dataclasses.make_dataclass(key.rpartition(".")[2], attributes)
                _classes[key] = cls
    of, renamed = _attributes.get(key, (None, {}))
    if of is not cls:
        has = {field.name for field in dataclasses.fields(cls)}
        renamed = {str(name): name + "_" for name in names if name not in has and name + "_" in has}
        _attributes[key] = cls, renamed
    return cls, renamed


def make_record(values: Any, key: str) -> Any:
    """Return an instance of the class for a Go struct."""
    fields = dict(values.items())
    cls, renamed = _class_of(str(key), fields)  # a text of Go's, which is kept, would keep its native object
    for name, attribute in renamed.items():
        fields[attribute] = fields.pop(name)
    return cls(**fields)


def make_records(key: str, names: Any, *columns: Any) -> list[Any]:
    """Return instances of the class for a Go struct, made of a column of values for each of its fields."""
    import dataclasses

    cls, renamed = _class_of(str(key), names)
    attributes = [renamed.get(name, str(name)) for name in names]
    places = [field.name for field in dataclasses.fields(cls) if field.init and not getattr(field, "kw_only", False)]
    if places == attributes:
        return list(map(cls, *columns))
    return [cls(**dict(zip(attributes, values))) for values in zip(*columns)]


def record_values(value: Any, names: Any) -> Any:
    """Return the fields of a value that stands for a Go struct, by name.

    For a dataclass these are all its fields, else the attributes of those names; `from_` is the attribute of a field
    `from`. An object without any gives the name of its type.
    """
    import dataclasses

    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        found = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        for attribute in [name for name in found if name.endswith("_") and name not in names and name[:-1] in names]:
            found.setdefault(attribute[:-1], found.pop(attribute))
        return found
    found = {}
    for name in names:
        attribute = name if hasattr(value, name) else name + "_"
        if hasattr(value, attribute):
            found[name] = getattr(value, attribute)
    return found if found or not names else type(value).__qualname__
