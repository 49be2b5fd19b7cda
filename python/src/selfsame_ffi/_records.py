"""Records: Go structs without methods in signatures, which cross by value as instances of dataclasses."""

from __future__ import annotations

import threading
from typing import Any, TypeVar

_C = TypeVar("_C", bound=type)

_classes: dict[str, type] = {}
_making = threading.Lock()


def record(key: str) -> Any:
    """Make the decorated dataclass the Python class of the Go struct with a name such as ``geo.Options``.

    Results of Go functions with that struct become instances of the class. The last class that was registered counts.
    """

    import dataclasses

    def register(cls: _C) -> _C:
        if not dataclasses.is_dataclass(cls):
            raise TypeError(f"record: argument 'cls': expected a dataclass, got {cls!r}")
        _classes[key] = cls
        return cls

    return register


def make_record(values: Any, key: str) -> Any:
    """Return an instance of the class for a Go struct, which is made if there is none."""
    import dataclasses

    fields = dict(values.items())
    cls = _classes.get(key)
    if cls is None:
        with _making:
            cls = _classes.get(key)
            if cls is None:
                cls = dataclasses.make_dataclass(key.rpartition(".")[2], list(fields))
                _classes[key] = cls
    return cls(**fields)


def record_values(value: Any, names: Any) -> Any:
    """Return the fields of a value that stands for a Go struct, by name.

    For a dataclass these are all its fields, else the attributes of those names. An object without any gives the name
    of its type.
    """
    import dataclasses

    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    found = {name: getattr(value, name) for name in names if hasattr(value, name)}
    return found if found or not names else type(value).__qualname__
