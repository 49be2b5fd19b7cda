"""Map and Dict: mappings that native code shares."""

# Requirement: A7

import gc
import random
from collections.abc import Mapping, MutableMapping

import pytest
import selfsame_ffi
from selfsame_ffi import Array, Dict, Map, Shape
from values import REFUSED


@pytest.fixture(params=[Map, Dict])
def family(request):
    return request.param


def test_map_and_dict_are_mappings(family):
    mapping = family({"a": 1, "b": [2]})
    assert isinstance(mapping, Mapping) and isinstance(mapping, MutableMapping) == (family is Dict)
    assert len(mapping) == 2 and list(mapping) == ["a", "b"]
    assert mapping["a"] == 1 and mapping.get("a") == 1 and mapping.get("z") is None and mapping.get("z", 5) == 5
    assert "a" in mapping and "z" not in mapping
    assert list(mapping.keys()) == ["a", "b"] and list(mapping.values()) == [1, [2]]
    assert list(mapping.items()) == [("a", 1), ("b", [2])]
    assert dict(mapping) == {"a": 1, "b": [2]}
    assert {**mapping}["b"] == [2]


def test_views_are_those_of_a_mapping(family):
    mapping = family({"a": 1, "b": 2})
    assert mapping.keys() & {"a", "z"} == {"a"} and "b" in mapping.keys()
    assert ("a", 1) in mapping.items() and ("a", 2) not in mapping.items()
    assert 2 in mapping.values() and 3 not in mapping.values()
    assert len(mapping.values()) == 2
    assert repr(mapping.keys()) == f"{family.__name__}.keys(['a', 'b'])"


def test_made_of_mappings_and_pairs(family):
    assert len(family({})) == 0
    assert family([("a", 1), (2, "b")]) == {"a": 1, 2: "b"}
    assert family(family({"a": 1})) == {"a": 1}
    assert family(Map({1: "int", 2: "x"}).items()) == {1: "int", 2: "x"}
    for bad in (3, [1], [(1, 2, 3)]):
        with pytest.raises((TypeError, ValueError)):
            family(bad)
    with pytest.raises(TypeError, match="already"):
        family({}).__init__({})


@pytest.mark.parametrize(
    "entries, place",
    [
        ({"a": REFUSED}, "value for key 'a': "),
        ([(1, 2), ("a", 1.5), ("b", REFUSED)], "value for key 'b': "),
        ({"a": {2: [0, REFUSED]}}, "value for key 'a': value for key 2: item 1: "),
        ({"a": 1, REFUSED: 2}, "key <values.Refused object at 0x[0-9A-Fa-f]+>: "),
        ({i: REFUSED if i == 7 else i for i in range(9)}, "value for key 7: "),
    ],
)
def test_entry_without_a_native_form_is_named(family, entries, place):
    with pytest.raises(OverflowError, match=f"^{family.__name__}: {place}[^:]+$"):
        family(entries)


def test_error_of_the_code_that_gives_the_entries_stays_as_it_is(family):
    def entries():
        yield "a", 1
        raise ValueError("no more")

    with pytest.raises(ValueError, match="^no more$"):
        family(entries())


def test_keys_of_every_kind_are_found(family, native):
    leaf = native.Leaf(1)
    keys = [None, True, 1, 2.5, "s", "a longer string", b"b", b"longer bytes", leaf]
    mapping = family((key, i) for i, key in enumerate(keys))
    assert len(mapping) == len(keys)
    assert [mapping[key] for key in keys] == list(range(len(keys)))
    assert list(mapping)[-1] is leaf
    assert native.Leaf(1) not in mapping and 1.0 not in mapping and 2**70 not in mapping


def test_missing_key_is_a_key_error(family):
    mapping = family({"a": 1})
    with pytest.raises(KeyError) as caught:
        mapping["z"]
    assert caught.value.args == ("z",)
    with pytest.raises(KeyError) as caught:
        mapping[Shape((1, 2))]  # a tuple is not taken for the arguments of the exception
    assert caught.value.args == (Shape((1, 2)),)
    with pytest.raises(KeyError):
        mapping[2**70]


def test_equal_contents_are_equal(family):
    assert family({"a": 1, "b": 2}) == family({"b": 2, "a": 1}) == {"a": 1, "b": 2}
    assert family({"a": 1}) != family({"a": True}) and family({"a": 1}) != {"a": 2} and family({"a": 1}) != 1
    assert family({"a": 1}) != {"b": 1} and family({}) != {"a": 1}
    assert hash(family({"a": 1})) == hash(family({"a": 1}))
    assert (Map({"a": 1}) == Dict({"a": 1})) is False


def test_repr_shows_the_entries(family):
    assert repr(family({"a": 1, 2: ["b"]})) == '{"a": 1, 2: ("b",)}'
    assert repr(family.__new__(family)) == f"<{family.__name__} object, not initialised>"


def test_keys_and_values_have_identity(family, native):
    leaf = native.Leaf(1)
    mapping = family({"x": leaf, leaf: [leaf]})
    assert mapping["x"] is leaf and mapping.get("x") is leaf and mapping[leaf][0] is leaf
    assert mapping[leaf] is mapping[leaf] is list(mapping.values())[1]
    assert native.echo(mapping) is mapping


def test_use_before_init_is_refused(family):
    raw = family.__new__(family)
    for use in (len, iter, lambda m: m["a"], lambda m: "a" in m, lambda m: m.get(1)):
        with pytest.raises(RuntimeError, match="not initialised"):
            use(raw)


def test_iterator_ends_and_stays_ended(family):
    iterator = iter(family({"a": 1, "b": 2}))
    assert iterator.__length_hint__() == 2
    assert [next(iterator), next(iterator)] == ["a", "b"]
    assert list(iterator) == list(iterator) == []
    assert list(family({})) == []


def test_python_dict_becomes_a_map(native):
    assert type(native.echo({"a": 1})) is Map
    assert type(selfsame_ffi.convert({"a": {"b": 1}})["a"]) is Map


def test_dict_changes_as_a_python_dict_does():
    mapping = Dict({"a": 1})
    mapping["b"] = [2]
    mapping["a"] = 3
    mapping.update({"c": 4})
    mapping.update(d=5)
    assert mapping == {"a": 3, "b": [2], "c": 4, "d": 5}
    assert mapping.pop("a") == 3 and mapping.pop("a", None) is None
    with pytest.raises(KeyError):
        mapping.pop("a")
    del mapping["b"]
    with pytest.raises(KeyError):
        del mapping["b"]
    assert mapping.setdefault("c", 9) == 4 and mapping.setdefault("n", 9) == 9
    assert mapping.popitem() in [("c", 4), ("d", 5), ("n", 9)]
    mapping.clear()
    assert len(mapping) == 0 and not mapping
    with pytest.raises(KeyError):
        mapping.popitem()
    with pytest.raises(OverflowError, match="^Dict: argument 'value': "):
        mapping["a"] = REFUSED
    with pytest.raises(OverflowError, match="^Dict: argument 'key': "):
        mapping[REFUSED] = 1


def test_map_cannot_be_changed():
    mapping = Map({"a": 1})
    with pytest.raises(TypeError):
        mapping["a"] = 2
    with pytest.raises(TypeError):
        del mapping["a"]


def test_change_during_iteration_is_refused():
    mapping = Dict({i: i for i in range(6)})
    with pytest.raises(RuntimeError, match="changed during iteration"):
        for key in mapping:
            mapping[key + 100] = 1


def test_change_after_the_last_entry_is_refused():
    """A change in the loop body of the last entry raises too, at the end of the iteration."""
    for change in (lambda mapping: mapping.update({9: 9}), lambda mapping: mapping.pop(1)):
        for walk in (iter, lambda mapping: iter(mapping.items())):
            mapping = Dict({1: 1})
            walker = walk(mapping)
            next(walker)
            change(mapping)
            for _ in range(2):
                with pytest.raises(RuntimeError, match="changed during iteration"):
                    next(walker)


@pytest.mark.parametrize("kind", [Dict, Map])
@pytest.mark.parametrize("size", [2, 40])
def test_iterator_over_a_container_that_is_moved_away_raises(native, kind, size):
    mapping = kind({i: [i] for i in range(size)})
    walk = iter(mapping.items())
    first = next(walk)
    assert first[1][0] == first[0]
    kept = native.echo(mapping._move())
    for _ in range(2):
        with pytest.raises(RuntimeError, match="moved away"):
            next(walk)
    assert len(kept) == size


def test_iterator_may_be_advanced_within_its_own_step():
    """Making the wrapper of a key may start a collection, whose finalizers may exhaust the iterator before the value is
    read."""

    class Walker:
        def __init__(self):
            self.cycle = self

        def __del__(self):
            if walks:
                rest.append(list(walks[0]))

    thresholds = gc.get_threshold()
    for _ in range(20):
        mapping = selfsame_ffi.convert({(i,): [i] for i in range(8)})  # no key or value has a wrapper
        walks, rest, walk = [], [], iter(mapping.items())
        key, value = next(walk)
        assert (key[0], value[0]) == (0, 0)
        gc.disable()
        try:
            Walker()
            walks.append(walk)
            gc.set_threshold(1)
            gc.enable()
            pair = next(walk, None)
        finally:
            gc.set_threshold(*thresholds)
            gc.enable()
            walks.clear()
        assert pair is None or pair[0][0] == pair[1][0]
        gc.collect()


@pytest.mark.parametrize("seed", range(3))
def test_random_operations_give_what_a_python_dict_gives(seed):
    """Thousands of random operations give the same results as on a Python dict, apart from the order."""
    rng = random.Random(seed)
    mine, model = Dict(), {}
    for _ in range(2000):
        key = rng.choice([rng.randrange(40), f"key number {rng.randrange(40)}"])
        value = rng.choice([rng.randrange(100), "text", None])
        action = rng.randrange(6)
        if action < 3:
            mine[key] = model[key] = value
        elif action == 3:
            assert mine.pop(key, "none") == model.pop(key, "none")
        elif action == 4:
            assert mine.get(key, "none") == model.get(key, "none") and (key in mine) == (key in model)
        elif rng.randrange(50) == 0:
            mine.clear()
            model.clear()
        assert len(mine) == len(model)
    assert dict(mine.items()) == model and set(mine) == set(model)
    assert mine == model


def test_dict_may_contain_itself():
    mapping = Dict()
    mapping["self"] = mapping
    assert mapping["self"] is mapping
    assert repr(mapping) == '{"self": ...}'
    mapping.clear()


def test_array_is_a_key_by_identity():
    key = Array([1])
    mapping = Map({key: 2})
    assert mapping[key] == 2 and list(mapping)[0] is key


@pytest.mark.parametrize("part", ["keys", "items"])
@pytest.mark.parametrize("act", ["clear", "move"])
def test_the_collector_may_empty_a_dict_while_its_iterator_makes_a_text(part, act):
    """A text of other letters than ASCII is made with an allocation, which may run the collector."""
    take = selfsame_ffi.convert(lambda x: None)
    armed = []

    def callback(phase, info):
        if armed:
            victim = armed.pop()
            victim.clear() if act == "clear" else take(victim._move())

    before = gc.get_threshold()
    gc.callbacks.append(callback)
    try:
        for n in range(100):
            entries = Dict({f"a long kéy {n} {i}": f"välue {i}" for i in range(5)})
            iterator = iter(getattr(entries, part)())
            next(iterator)
            used = [(i,) for i in range(2500)]  # so that no tuple of one item is spare
            armed.append(entries)
            del entries
            gc.set_threshold(1, 1, 1)
            try:
                assert "kéy" in repr(next(iterator))
            except RuntimeError:
                pass
            finally:
                gc.set_threshold(*before)
                armed.clear()
                del used
    finally:
        gc.callbacks.remove(callback)
