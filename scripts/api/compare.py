"""Compares two descriptions of packages (describe.py): each public name there, and what differs here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

BY_POSITION = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")
Parameters = list[list[Any]]


@dataclass
class Row:
    """The words of the table for a public name. `differences` is empty when the name is the same in both packages."""

    module: str
    name: str
    kind: str
    compared: int = 1
    differences: list[tuple[str, str]] = field(default_factory=list)  # the member's or name's path, and what differs


def shown(parameters: Parameters) -> str:
    marks = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}
    texts = []
    for index, (name, kind, default) in enumerate(parameters):
        texts.append(marks.get(kind, "") + name + ("=" if default else ""))
        following = parameters[index + 1][1] if index + 1 < len(parameters) else None
        if kind == "POSITIONAL_ONLY" and following != kind:
            texts.append("/")
        if kind in BY_POSITION and following == "KEYWORD_ONLY":
            texts.append("*")
    return f"({', '.join(texts)})"


def refused(theirs: Parameters, ours: Parameters, called_by_python: bool) -> str | None:
    """Why a call that fits `theirs` may not fit `ours`; None when all do.

    Python itself calls special methods, by position, so the names of their parameters do not count,
    and neither does self's.
    """
    star = any(kind == "VAR_POSITIONAL" for _, kind, _ in ours)
    stars = any(kind == "VAR_KEYWORD" for _, kind, _ in ours)
    here = [p for p in ours if p[1] in BY_POSITION]
    there = [p for p in theirs if p[1] in BY_POSITION]
    by_name = {p[0]: p for p in ours if p[1] != "POSITIONAL_ONLY"}
    for index, (name, kind, default) in enumerate(there):
        keyword = kind == "POSITIONAL_OR_KEYWORD" and name != "self" and not called_by_python
        if index >= len(here):
            if not star:
                return f"takes no argument {name!r}"
        elif default and not here[index][2]:
            return f"needs the argument {name!r}"
        if keyword and not stars and (name not in by_name or name not in [p[0] for p in here[index : index + 1]]):
            return f"takes {name!r} only by position" if index < len(here) else f"takes no argument {name!r}"
    variadic = any(kind == "VAR_POSITIONAL" for _, kind, _ in theirs)
    for name, kind, default in ours[len(there) :] if not variadic else []:
        if kind in (*BY_POSITION, "KEYWORD_ONLY") and not default and name not in [p[0] for p in theirs]:
            return f"needs the argument {name!r}"
    for name, kind, default in theirs:
        if kind == "KEYWORD_ONLY":
            if name not in by_name and not stars:
                return f"takes no argument {name!r}"
            if name in by_name and default and not by_name[name][2]:
                return f"needs the argument {name!r}"
        elif kind == "VAR_KEYWORD" and not stars:
            return "takes no keywords"
        elif kind == "VAR_POSITIONAL" and not star and len(here) <= len(there):
            return "takes no further arguments"
    return None


def says_nothing(parameters: Parameters | None) -> bool:
    """Whether a signature only says that there are arguments, as for wrappers of C slots."""
    return parameters is None or [p[1] for p in parameters][-2:] == ["VAR_POSITIONAL", "VAR_KEYWORD"]


def difference(theirs: dict[str, Any], ours: dict[str, Any] | None, called_by_python: bool) -> str | None:
    if ours is None:
        return "is not there"
    if theirs["kind"] != ours["kind"]:
        return f"is a {ours['kind']}, not a {theirs['kind']}"
    there, here = theirs.get("parameters"), ours.get("parameters")
    if says_nothing(there) or here is None or there == here:
        return None
    why = refused(there, here, called_by_python)
    return None if why is None else f"{why}: `{shown(there)}` there, `{shown(here)}` here"


def compare_classes(row: Row, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    for name, member in sorted(theirs["members"].items()):
        inherits = (name == "__init__" and name not in ours["members"]) or (
            name == "__bool__" and "__len__" in ours["members"]
        )  # `__new__` takes the arguments; a length gives the truth
        if not member["own"] or inherits or (name == "__init__" and says_nothing(member["parameters"])):
            continue
        row.compared += 1
        special = name.startswith("__")
        found = difference(member, ours["members"].get(name), special)
        if found:
            row.differences.append((f"{row.name}.{name}", found))


def compare(theirs: dict[str, Any], ours: dict[str, Any]) -> list[Row]:
    """A row for each public name of `theirs`, and one for each module that `ours` lacks."""
    rows = []
    for module, names in sorted(theirs.items()):
        if module not in ours:
            rows.append(Row(module, "", "module", 1 + len(names), [("", "is not there")]))
            continue
        for name, described in sorted(names.items()):
            row = Row(module, name, described["kind"])
            here = ours[module].get(name)
            found = difference(described, here, False)
            if found:
                row.differences.append((name, found))
            elif described["kind"] == "class" and here is not None:
                compare_classes(row, described, here)
            rows.append(row)
    return rows
