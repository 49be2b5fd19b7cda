"""The registry of this process, as the data of :mod:`.utils`."""

from __future__ import annotations

from .. import core
from ..registry import get_global_func_metadata, get_registered_type_keys, list_global_func_names
from .utils import FuncInfo, ObjectInfo


def object_info_from_type_key(type_key: str) -> ObjectInfo:
    """Return the data of a type. ValueError for a key that no type has."""
    return ObjectInfo.from_type_info(core._lookup_or_register_type_info_from_type_key(str(type_key)))


def _by_prefix(names: list[str]) -> dict[str, list[str]]:
    """Names with a dot, sorted, by what is before the last dot."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        prefix, dot, _ = name.rpartition(".")
        if dot:
            groups.setdefault(prefix, []).append(name)
    return groups


def collect_type_keys() -> dict[str, list[str]]:
    """Return the keys of all types, by prefix."""
    return _by_prefix([str(key) for key in get_registered_type_keys()])


def collect_global_funcs() -> dict[str, list[FuncInfo]]:
    """All global functions that were registered with a type, by prefix."""
    found: dict[str, list[FuncInfo]] = {}
    for prefix, names in _by_prefix([str(name) for name in list_global_func_names()]).items():
        for name in names:
            metadata = get_global_func_metadata(name)
            if "type_schema" in metadata:
                doc = str(metadata.get("doc") or "")
                found.setdefault(prefix, []).append(FuncInfo.from_metadata(name, metadata, doc=doc))
    return found


def toposort_objects(type_keys: list[str]) -> list[ObjectInfo]:
    """Return the types, each after its ancestors, otherwise in the order of their keys."""
    infos = {key: object_info_from_type_key(key) for key in type_keys}
    ordered: dict[str, ObjectInfo] = {}
    waiting = sorted(infos)
    while waiting:
        key = next(key for key in waiting if infos[key].parent_type_key not in waiting)
        ordered[key] = infos[key]
        waiting.remove(key)
    return list(ordered.values())
