"""How notebooks show objects, containers and tensors: tables whose cells are the values' text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from .. import _core
from .._go.shown import fields_of
from .._types import classes
from .shown import in_html

_ROWS = 50  # of a long container
_LENGTH = 200  # of a long text in a cell


def _cell(value: Any) -> str:
    text = repr(value)
    return in_html(text if len(text) <= _LENGTH else text[: _LENGTH - 1] + "…")


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], more: int = 0) -> str:
    lines = ["<table>", f"<caption>{in_html(title)}</caption>"]
    lines.append("<thead><tr>" + "".join(f"<th>{in_html(name)}</th>" for name in head) + "</tr></thead><tbody>")
    lines += ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    if more:
        lines.append(f'<tr><td colspan="{len(head)}">… {more} more</td></tr>')
    return "\n".join([*lines, "</tbody></table>"])


def _tensor(tensor: Any) -> str:
    facts = [
        ("shape", tensor.shape),
        ("dtype", str(tensor.dtype)),
        ("device", str(tensor.device)),
        ("strides", tensor.strides),
    ]
    rows = [(name, _cell(value)) for name, value in facts]
    try:
        rows.append(("values", f"<pre>{in_html(str(tensor.numpy()))}</pre>"))
    except Exception:  # another device's memory, a type that NumPy lacks, or no NumPy
        pass
    return _table("Tensor", ("", ""), rows)


def rows_of(values: Sequence[Any]) -> str | None:
    """Return the table for a sequence of objects with fields, None for another one."""
    if not len(values) or not getattr(type(values[0]), "_ffi_shown_", None):
        return None
    head = type(values[0])._ffi_shown_
    rows = []
    for index, value in enumerate(islice(values, _ROWS)):
        known = dict(fields_of(value)) if getattr(type(value), "_ffi_shown_", None) else {}
        rows.append([str(index), *(_cell(known[name]) if name in known else "" for name in head)])
    return _table(f"{len(values)} of {type(values[0]).__name__}", ("", *head), rows, max(len(values) - _ROWS, 0))


def html_of(obj: Any) -> str | None:
    """Return the table for an object; None without native object or fields, or if the class has a ``__repr__``."""
    if not obj.__chandle__():
        return None
    name = type(obj).__name__
    if isinstance(obj, _core.TensorBase):
        return _tensor(obj)
    if isinstance(obj, Mapping):
        entries = [(_cell(key), _cell(value)) for key, value in islice(obj.items(), _ROWS)]
        return _table(f"{name} of {len(obj)}", ("key", "value"), entries, max(len(obj) - _ROWS, 0))
    if isinstance(obj, Sequence):
        items = [(str(index), _cell(value)) for index, value in enumerate(islice(obj, _ROWS))]
        return _table(f"{name} of {len(obj)}", ("index", "value"), items, max(len(obj) - _ROWS, 0))
    if getattr(type(obj), "_ffi_shown_", None):
        return _table(name, ("field", "value"), [(in_html(field), _cell(value)) for field, value in fields_of(obj)])
    if type(obj).__repr__ not in (classes.Object.__repr__, _core.CObject._native_repr):
        return None
    info = type(obj).__tvm_ffi_type_info__
    shown = [each.name for each in info.all_fields() if each.c_repr]
    if not shown:
        return None
    return _table(info.type_key, ("field", "value"), [(in_html(name), _cell(getattr(obj, name))) for name in shown])
