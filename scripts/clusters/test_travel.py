"""Objects, functions, methods and tensors of Go packages go to worker processes of Dask and Ray, and come back."""

# Requirement: H1

from __future__ import annotations

import os
from typing import Any

import geo
import goclasses
import inventory
import pytest
import rules
import search
import selfsame_ffi
import travellers

np = pytest.importorskip("numpy")


def reasons(error: BaseException | None) -> str:
    """The messages of an exception and of those that it was raised from: Dask chains its own to the pickler's."""
    text = ""
    while error is not None:
        text += f"{error}\n"
        error = error.__cause__ or error.__context__
    return text


def test_objects_are_the_same_within_a_message(engine: Any) -> None:
    p, q = geo.Point(3.0, 4.0), geo.Point(0.0, 1.0)
    p.next = q
    seen = engine.run(travellers.look, [p, q, p])
    assert seen.pop("process") != os.getpid()
    assert seen == {"same": True, "norm": 5.0, "class": True}
    first, second, third = engine.run(travellers.boxed, [p, q, p]).value
    assert first is third and first is not p and first.next is second and (second.x, second.y) == (0.0, 1.0)


def test_python_classes_keep_their_state(engine: Any) -> None:
    named = travellers.Named("ada")
    assert engine.run(named.shout) == "ADA"
    back = engine.run(travellers.boxed, {"a": named, "list": [named]}).value
    assert type(back["a"]) is travellers.Named and back["a"].name == "ada" and back["list"][0] is back["a"]


def test_functions_and_methods_travel(engine: Any) -> None:
    p, q = geo.Point(3.0, 4.0), geo.Point(0.0, 1.0)
    assert engine.run(p.norm) == 5.0  # a bound method, with its object
    assert engine.run(geo.Point.norm, p) == 5.0  # an unbound one
    assert engine.run(geo.nearest, [p, q]).y == 1.0  # a function
    assert engine.run(travellers.same, geo.nearest) is geo.nearest
    assert engine.run(geo.Point, 6.0, 8.0).norm() == 10.0  # a class
    assert engine.run(lambda points: geo.nearest(points).x, [p, q]) == 0.0  # a Python function that calls one
    store = inventory.Store()
    store.add(inventory.Item("lamp", 30.0, inventory.Color.red))
    item = engine.run(store.cheapest, 1)[0]
    assert item.name == "lamp" and item.color is inventory.Color.red  # a member of an enum is the member


def test_errors_of_workers_keep_kind_message_and_go_stack(engine: Any) -> None:
    with pytest.raises(ValueError, match="nearest of no points") as caught:
        engine.run(geo.nearest, [])
    error: Any = caught.value
    cause = getattr(error, "cause", error)  # Ray raises an exception of its own, which has the worker's as its cause
    assert "geo.go" in cause.__tvm_ffi_error__.backtrace


def test_tensors_travel_beside_the_message(engine: Any) -> None:
    array = np.arange(1_000_000, dtype="float64")
    tensor = selfsame_ffi.from_dlpack(array)
    assert engine.run(inventory.mean, tensor) == array.mean()
    total, offset, used = engine.run(travellers.memory_of, [travellers.same, tensor])
    assert (total, offset, len(used) >= 1) == (array.sum(), 0, True)
    item = inventory.Item("lamp")
    item.draw(1000, 1000, 7)
    back, again = engine.run(travellers.boxed, (item, item.picture)).value
    assert back.picture is again and again.shape == (1000, 1000) and int(again.numpy().sum()) == 7_000_000


def test_rules_travel_by_their_source(engine: Any) -> None:
    rule = rules.Rule("amount > 100")
    assert list(engine.run(rule.matching, [{"amount": 50}, {"amount": 150}])) == [1]
    with pytest.raises(Exception) as caught:
        engine.run(rules.Rule("f()", {"f": lambda: 1}).eval, {})
    assert "a rule that calls Python functions cannot be pickled" in reasons(caught.value)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (
            lambda: goclasses.Bag("b"),
            "goclasses.Bag: objects cannot be pickled or written as JSON: field `Words` holds",
        ),
        (search.Index, "search.Index: objects cannot be pickled"),
        (lambda: selfsame_ffi.convert(lambda: 1), "Function: an object without a global name cannot be pickled"),
    ],
)
def test_what_cannot_travel_says_so(engine: Any, make: Any, reason: str) -> None:
    with pytest.raises(Exception) as caught:
        engine.run(travellers.same, make())
    assert reason in reasons(caught.value)


def test_result_that_cannot_travel_says_so(engine: Any) -> None:
    with pytest.raises(Exception, match="search.Index: objects cannot be pickled"):
        engine.run(search.Index)
