"""What a forked child can ask of the runtime, area by area: run by fork_load.py and test_fork.py.

`AREAS` maps a name to a function that raises when the area does not work. Each takes `Made`, what the parent made
before the fork. Importing this file makes nothing.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import threading
from dataclasses import dataclass, field
from typing import Any

import selfsame_ffi
from selfsame_ffi import get_global_func as g


@dataclass
class Made:
    """What the parent made: values, Functions that the runtime's Go code serves, a function of its own."""

    tree: Any = field(default_factory=lambda: selfsame_ffi.convert([1, "two", {"three": [3.0, None, True]}]))
    same: Any = field(default_factory=lambda: selfsame_ffi.convert([1, "two", {"three": [3.0, None, True]}]))
    other: Any = field(default_factory=lambda: selfsame_ffi.convert([1, "two", {"three": [3.0, None, False]}]))
    listed: Any = field(default_factory=lambda: selfsame_ffi.List([1, selfsame_ffi.List(["a", "b"])]))
    mapped: Any = field(default_factory=lambda: selfsame_ffi.Dict({"k": [1, 2], 3: "v"}))
    key: Any = field(default_factory=lambda: g("ffi.StructuralKey")(selfsame_ffi.Array([1, "two"])))
    double: Any = field(default_factory=lambda: selfsame_ffi.convert(lambda value: 2 * value))
    parse: Any = field(default_factory=lambda: g("ffi.json.Parse"))
    hash_of_tree: int = 0

    def __post_init__(self) -> None:
        self.hash_of_tree = g("ffi.StructuralHash")(self.tree, False, False)


@contextlib.contextmanager
def raises(kind: type, text: str):
    try:
        yield
    except kind as error:
        assert text in str(error), f"another error: {error}"
    else:
        raise AssertionError(f"no {kind.__name__}")


def equality(made: Made) -> None:
    equal = g("ffi.StructuralEqual")
    assert equal(made.tree, made.same, False, False) and not equal(made.tree, made.other, False, False)
    mismatch = g("ffi.GetFirstStructuralMismatch")(made.tree, made.other, False, False)
    assert len(mismatch) == 2 and "three" in repr(mismatch[0])
    assert g("ffi.RecursiveEq")(made.tree, made.same) and not g("ffi.RecursiveEq")(made.tree, made.other)
    assert g("ffi.RecursiveLt")(selfsame_ffi.Array([1, 2]), selfsame_ffi.Array([1, 3]))
    assert made.tree == made.same and made.listed == selfsame_ffi.List([1, selfsame_ffi.List(["a", "b"])])


def hashes(made: Made) -> None:
    assert g("ffi.StructuralHash")(made.same, False, False) == made.hash_of_tree
    assert g("ffi.RecursiveHash")(made.tree) == g("ffi.RecursiveHash")(made.same)
    again = g("ffi.StructuralKey")(selfsame_ffi.Array([1, "two"]))
    assert g("ffi.StructuralKeyEqual")(made.key, again)
    assert selfsame_ffi.Dict({made.key: 7})[again] == 7


def walks(made: Made) -> None:
    seen = []
    every = -1  # kTVMFFIAny
    note = selfsame_ffi.convert(lambda value: seen.append(value))
    assert g("ffi.StructuralWalk")(made.listed, [(every, note)], [], 0) is None
    assert "a" in seen and "b" in seen and 1 in seen
    interrupt = selfsame_ffi.convert(lambda value: g("ffi.VisitInterrupt")(value) if value == "a" else None)
    assert g("ffi.StructuralWalk")(made.listed, [(every, interrupt)], [], 0) is not None


def mutations(made: Made) -> None:
    upper = selfsame_ffi.convert(lambda value: value.upper() if isinstance(value, str) else value)
    mapped = g("ffi.StructuralMap")(selfsame_ffi.Array(["x", 1, selfsame_ffi.Array(["y"])]), [(-1, upper)], [], 1)
    wanted = selfsame_ffi.Array(["X", 1, selfsame_ffi.Array(["Y"])])
    assert g("ffi.StructuralEqual")(mapped, wanted, False, False), mapped


def json(made: Made) -> None:
    text = g("ffi.ToJSONGraphString")(made.tree, None)
    assert g("ffi.FromJSONGraphString")(text) == made.tree
    graph = g("ffi.ToJSONGraph")(made.tree, None)
    assert g("ffi.FromJSONGraph")(graph) == made.tree
    parsed = made.parse('{"a": [1, 2.5, null, "t"]}')
    assert g("ffi.json.Stringify")(parsed, None) == '{"a":[1,2.5,null,"t"]}'
    with raises(ValueError, ""):
        made.parse("{nonsense")


def copies(made: Made) -> None:
    copied = g("ffi.DeepCopy")(made.listed)
    assert copied == made.listed and copied is not made.listed and copied[1] is not made.listed[1]
    assert "two" in g("ffi.ReprPrint")(made.tree) and "two" in repr(made.tree)


def pickles(made: Made) -> None:
    first, second = pickle.loads(pickle.dumps([made.listed, made.listed]))
    assert first is second and first == made.listed
    assert pickle.loads(pickle.dumps(made.tree)) == made.tree


def containers(made: Made) -> None:
    before = len(made.listed)
    made.listed.append("more")
    assert len(made.listed) == before + 1 and made.listed.pop() == "more"
    made.mapped["new"] = made.listed
    assert made.mapped["new"] is made.listed
    del made.mapped["new"]
    assert sorted(str(key) for key in made.mapped) == ["3", "k"]
    many = selfsame_ffi.Dict({index: str(index) for index in range(1000)})
    assert len(many) == 1000 and many[999] == "999"
    assert tuple(selfsame_ffi.Shape((2, 3))) == (2, 3)
    assert selfsame_ffi.Map({"a": 1})["a"] == 1 and list(selfsame_ffi.Array(range(100)))[99] == 99


def functions(made: Made) -> None:
    name = f"fork_areas.{os.getpid()}"
    selfsame_ffi.register_global_func(name, lambda left, right: left + right)
    assert g(name)(1, 2) == 3 and name in selfsame_ffi.list_global_func_names()
    selfsame_ffi.remove_global_func(name)
    assert g(name, allow_missing=True) is None
    assert made.double(4) == 8
    metadata = selfsame_ffi.get_global_func_metadata("ffi.json.Parse")
    assert "type_schema" in str(metadata)


def types(made: Made) -> None:
    keys = selfsame_ffi.get_registered_type_keys()
    assert "ffi.Object" in keys and "ffi.StructuralKey" in keys and len(set(keys)) == len(keys)
    from selfsame_ffi import _core

    index = _core.type_key_to_index("ffi.StructuralKey")
    assert index > 127


def errors(made: Made) -> None:
    def fail(value: object) -> None:
        raise KeyError(f"of {value}")

    failing = selfsame_ffi.convert(fail)
    with raises(KeyError, "of 3"):
        failing(3)
    with raises(IndexError, "out of"):
        made.listed[99]
    with raises(TypeError, "Mismatched number"):
        g("ffi.StructuralEqual")(1)
    with raises(TypeError, ""):
        g("ffi.ListAppend")(3, 4)


def modules(made: Made) -> None:
    system = selfsame_ffi.system_lib("fork_areas_")
    assert system.kind == "library" and selfsame_ffi.system_lib("fork_areas_").same_as(system)
    with raises(Exception, "nothing.so"):
        selfsame_ffi.load_module("/nothing.so")


def threads(made: Made) -> None:
    """Threads that race: to the first call that needs Go, when this area is the first."""
    failures = []
    start = threading.Barrier(4)

    def work() -> None:
        try:
            start.wait()
            for area in (json, equality, copies):
                area(made)
        except BaseException as error:
            failures.append(error)

    racing = [threading.Thread(target=work) for _ in range(4)]
    for thread in racing:
        thread.start()
    for thread in racing:
        thread.join()
    if failures:
        raise failures[0]


AREAS = {
    area.__name__: area
    for area in (
        equality, hashes, walks, mutations, json, copies, pickles, containers, functions, types, errors, modules,
        threads,
    )
}  # fmt: skip


def use_all(made: Made) -> None:
    """Every area, beginning with another one in each process."""
    areas = list(AREAS.values())
    first = os.getpid() % len(areas)
    for area in areas[first:] + areas[:first]:
        try:
            area(made)
        except BaseException as error:
            raise AssertionError(f"{area.__name__}: {type(error).__name__}: {error}") from error


def in_grandchild(made: Made, depth: int = 1) -> None:
    """`use_all` in `depth` generations of children, one in the other."""
    pid = os.fork()
    if pid == 0:
        try:
            use_all(made)
            if depth > 1:
                in_grandchild(made, depth - 1)
            os._exit(0)
        except BaseException as error:
            os.write(2, f"generation: {error}\n".encode())
            os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0, f"a child failed, {depth} generations above the last"
