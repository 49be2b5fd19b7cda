"""Classes made by py_class do what the standard library's dataclasses do, for random fields, options and arguments."""

# Requirement: F2

from __future__ import annotations

import dataclasses
import itertools
import pickle
import sys
from typing import Any

import pytest
import selfsame_ffi
from selfsame_ffi import dataclasses as ours

pytest.importorskip("hypothesis")

from examples_of import settings  # noqa: E402
from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402


@pytest.fixture(autouse=True)
def balanced():
    """Not checked here: native types are never freed, and each example declares one."""


NUMBERS = itertools.count()
# Types that convert nothing: a standard dataclass does not either.
VALUES = {"int": st.integers(0, 3), "str": st.sampled_from(["", "a", "b"]), "Any": st.sampled_from([None, 1, "x"])}
FACTORIES = {"int": int, "str": str, "Any": str}
NEWER = sys.version_info >= (3, 10)  # kw_only and match_args


@st.composite
def fields(draw, prefix):
    """Fields as [(name, type, options)]; a field without a default comes before those with one, or is keyword-only."""
    found, optional = [], False
    for number in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(sorted(VALUES)))
        options = {name: False for name in ("repr", "compare") if draw(st.integers(0, 4)) == 0}
        if NEWER and draw(st.integers(0, 3)) == 0:
            options["kw_only"] = True
        default = draw(st.sampled_from(["none", "value", "factory"]))
        if default == "none" and optional and "kw_only" not in options:
            default = "value"
        if default == "value":
            options["default"] = draw(VALUES[kind])
        elif default == "factory":
            options["default_factory"] = FACTORIES[kind]
        if default != "none" and draw(st.integers(0, 5)) == 0:
            options["init"] = False
        optional = optional or (default != "none" and "kw_only" not in options and options.get("init", True))
        found.append((f"{prefix}{number}", kind, options))
    return found


@st.composite
def options_of_class(draw):
    chosen = {"eq": True, "frozen": draw(st.booleans()), "order": draw(st.booleans())}
    chosen["unsafe_hash"] = draw(st.booleans())
    return chosen


def declare(decorate, make_field, base, declared, key=None):
    """A class with the fields; `decorate` makes it a dataclass of one kind or the other."""
    body = {name: make_field(**options) for name, _, options in declared}
    body["__annotations__"] = {name: kind for name, kind, _ in declared}
    body["__module__"] = __name__
    cls = type(base)("Made", (base,), body)
    return decorate(cls) if key is None else decorate(key)(cls)


def both(declared, options):
    """The class by py_class, and the one by the standard library."""
    key = f"test_dataclasses.Made{next(NUMBERS)}"

    def decorate(key):
        return ours.py_class(key, **options)

    made = declare(decorate, ours.field, selfsame_ffi.Object, declared, key)
    model = declare(dataclasses.dataclass(**options), dataclasses.field, object, declared)
    return made, model


def outcome(function):
    try:
        return "value", function()
    except (TypeError, AttributeError) as error:
        return "error", TypeError if isinstance(error, TypeError) else AttributeError


ARGUMENTS = st.lists(st.integers(0, 3), max_size=4)


@st.composite
def cases(draw):
    declared = draw(fields("f"))
    positional = draw(st.integers(0, len(declared) + 1))
    names = [name for name, _, _ in declared]
    given_names = draw(st.lists(st.sampled_from([*names, "unknown"]), max_size=3, unique=True)) if names else []
    kinds = {name: kind for name, kind, _ in declared}
    order = [name for name, _, options in declared if options.get("init", True) and not options.get("kw_only")]
    values = [draw(VALUES[kinds[name]]) for name in order[:positional]] + [0] * max(positional - len(order), 0)
    keywords = {name: draw(VALUES[kinds.get(name, "int")]) for name in given_names}
    if draw(st.booleans()):  # all that is needed
        for name, kind, options in declared:
            if options.get("init", True) and name not in order[:positional]:
                keywords.setdefault(name, draw(VALUES[kind]))
        keywords.pop("unknown", None)
    return declared, draw(options_of_class()), values, keywords


def contents(value, declared):
    return {name: getattr(value, name) for name, _, _ in declared}


@settings(60)
@given(cases())
def test_construction_fields_and_copies(case):
    declared, options, values, keywords = case
    made, model = both(declared, options)
    kind, mine = outcome(lambda: made(*values, **keywords))
    expected_kind, theirs = outcome(lambda: model(*values, **keywords))
    assert (kind, mine if kind == "error" else None) == (expected_kind, theirs if kind == "error" else None)
    described = [
        (f.name, f.init, f.repr, f.compare, f.default is dataclasses.MISSING) for f in dataclasses.fields(model)
    ]
    assert [(f.name, f.init, f.repr, f.compare, f.default is ours.MISSING) for f in ours.fields(made)] == described
    if NEWER:
        assert made.__match_args__ == model.__match_args__
    if kind == "error":
        return
    assert contents(mine, declared) == contents(theirs, declared)
    assert ours.asdict(mine) == dataclasses.asdict(theirs) and ours.astuple(mine) == dataclasses.astuple(theirs)
    changes = {name: getattr(mine, name) for name, _, o in declared if o.get("init", True)}
    assert contents(ours.replace(mine, **changes), declared) == contents(theirs, declared)
    shown = repr(mine)
    for name, _, of_field in declared:
        assert (f"{name}=" in shown) == (f"{name}=" in repr(theirs)) == of_field.get("repr", True)
    for name, _, _ in declared:
        value = getattr(theirs, name)
        done, reason = outcome(lambda: setattr(mine, name, value))  # noqa: B023  called here
        wanted, _ = outcome(lambda: setattr(theirs, name, value))  # noqa: B023
        assert done == wanted and (done == "value" or reason is AttributeError)


@st.composite
def pairs(draw):
    declared = draw(fields("f"))
    chosen = [{name: draw(VALUES[kind]) for name, kind, _ in declared} for _ in range(2)]
    return declared, draw(options_of_class()), chosen


@settings(60)
@given(pairs())
def test_equality_order_and_hash(case):
    declared, options, chosen = case
    made, model = both(declared, options)
    taken = [name for name, _, of_field in declared if of_field.get("init", True)]
    mine = [made(**{name: each[name] for name in taken}) for each in chosen]
    theirs = [model(**{name: each[name] for name in taken}) for each in chosen]
    assert (mine[0] == mine[1]) == (theirs[0] == theirs[1]) and mine[0] == mine[0]
    assert (mine[0] != mine[1]) == (theirs[0] != theirs[1])
    assert mine[0] != theirs[0] and mine[0] != 1
    compared = [(each[name], kind) for each in chosen for name, kind, o in declared if o.get("compare", True)]
    if options["order"] and not any(kind == "Any" for _, kind in compared):
        for sign in ("__lt__", "__le__", "__gt__", "__ge__"):
            assert getattr(mine[0], sign)(mine[1]) == getattr(theirs[0], sign)(theirs[1])
    elif not options["order"]:
        with pytest.raises(TypeError):
            mine[0] < mine[1]  # noqa: B015
    if options["unsafe_hash"] and theirs[0] == theirs[1]:
        assert hash(mine[0]) == hash(mine[1])


@settings(30)
@given(fields("a"), fields("b"), st.data())
def test_inheritance(first, second, data):
    if any("kw_only" not in o and "default" not in o and "default_factory" not in o for _, _, o in second):
        first = [(name, kind, {**o, "kw_only": True} if NEWER else {}) for name, kind, o in first]
        if not NEWER:
            first = [item for item in first if not item[2]]
    made, model = both(first, {"eq": True})
    base_key = f"test_dataclasses.Made{next(NUMBERS)}"
    mine = declare(lambda key: ours.py_class(key, eq=True), ours.field, made, second, base_key)
    theirs = declare(dataclasses.dataclass(eq=True), dataclasses.field, model, second)
    both_fields = [*first, *second]
    values = {name: data.draw(VALUES[kind]) for name, kind, o in both_fields if o.get("init", True)}
    ours_made, theirs_made = mine(**values), theirs(**values)
    assert contents(ours_made, both_fields) == contents(theirs_made, both_fields)
    assert [f.name for f in ours.fields(mine)] == [f.name for f in dataclasses.fields(theirs)]
    assert isinstance(ours_made, made) and ours_made == mine(**values)


# ---- what one example shows ----


def test_post_init_and_default_factory_run_once_each():
    calls = []

    def make():
        calls.append("factory")
        return "made"

    @ours.py_class("test_dataclasses.PostInit")
    class PostInit(selfsame_ffi.Object):
        text: str = ours.field(default_factory=make)
        size: int = ours.field(init=False, default=0)

        def __post_init__(self):
            calls.append("post")
            self.size = len(self.text)

    assert PostInit().size == 4 and calls == ["factory", "post"]
    assert PostInit("ab").size == 2 and calls == ["factory", "post", "post"]


@ours.py_class("test_dataclasses.Frozen", frozen=True)
class Frozen(selfsame_ffi.Object):
    value: Any = None


def test_frozen_object_copies_and_pickles():
    one = Frozen([1])
    again = pickle.loads(pickle.dumps(one))
    assert type(again) is Frozen and list(again.value) == [1]
    with pytest.raises(AttributeError):
        again.value = 2
    with pytest.raises(AttributeError):
        del one.value
