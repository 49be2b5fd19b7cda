"""Objects alive at exit are finalized as plain Python objects are, for every shape of the graph.

Some are shared by two fields of one owner, some are owned by a native object and by a variable, some are in cycles.
"""

# Requirements: C13, C17, I5

import textwrap

import pytest
from exit_programs import PROLOGUE, run_code

CLASSES = """
import weakref
from selfsame_ffi import Dict, List
Plain = of("sst.Plain", __slots__=())

class Loud(Rich):
    def __del__(self):
        print("gone", self.value, flush=True)

class Value:
    def __init__(self, value):
        self.value = value
    __del__ = Loud.__del__
"""

# Program texts. Each makes an object with the number n, and keeps the root of its graph in a variable.
ALONE = {
    "a variable": "one = Loud({n})",
    "a field": "owner{n} = Plain(); owner{n}.x = Loud({n})",
    "a field and a variable": "owner{n} = Plain(); child{n} = owner{n}.x = Loud({n})",
    "a cycle through a field": "owner{n} = Plain(); owner{n}.x = Loud({n}); owner{n}.x.me = owner{n}",
    "a cycle through a List": "list{n} = List(); rich = Loud({n}); list{n}.append(rich); rich.me = list{n}; del rich",
    "a callable's default": "f{n} = selfsame_ffi.convert(lambda value=Value({n}): value)",
    "a callable that an object owns": "owner{n} = Plain(); owner{n}.any = selfsame_ffi.convert(lambda v=Value({n}): v)",
    "an opaque value": "opaque{n} = selfsame_ffi.opaque(Value({n}))",
}
SHARED = {
    "two fields": "owner{n} = Node(Loud({n}))",
    "two fields and a variable": "child{n} = Loud({n}); owner{n} = Node(child{n})",
    "two fields, the owner dropped": "owner{n} = Node(Loud({n})); child{n} = owner{n}.x; del owner{n}",
    "a cycle through two fields": "owner{n} = Node(Loud({n})); owner{n}.x.me = owner{n}",
    "the same, without a variable": "gc.disable(); o = Node(Loud({n})); o.x.me = o; del o",
    "twice in an Array": "rich = Loud({n}); array{n} = Array([rich, rich]); del rich",
    "twice in a List, a cycle": "r = Loud({n}); list{n} = List([r, r]); r.me = list{n}; del r",
    "twice in a Dict, a cycle": "r = Loud({n}); dict{n} = Dict({{1: r, 2: r}}); r.me = dict{n}; del r",
    "two owners": "root{n} = Plain(); root{n}.x = Plain(); root{n}.any = root{n}.x.x = Loud({n})",
    "two owners in a cycle": "p, q = Plain(), Plain(); p.x, q.x = q, p; p.any = q.any = Loud({n}); a{n} = p; del p, q",
}


def check(native, cases):
    """All objects of a program that makes `cases` are finalized at exit, each once."""
    body = [text.format(n=n) for n, text in enumerate(cases.values())]
    result = run_code(native, "\n".join([PROLOGUE, CLASSES, *body, "print('end', flush=True)"]))
    assert "Fatal" not in result.stderr and "Traceback" not in result.stderr, result.stderr
    before, _, after = result.stdout.partition("end\n")
    assert before == ""
    said = after.splitlines()
    missing = [name for n, name in enumerate(cases) if said.count(f"gone {n}") != 1]
    assert missing == [] and len(said) == len(cases), (missing, said)


def test_objects_with_one_owner_are_finalized_at_exit(native):
    check(native, ALONE)


def test_objects_with_several_owners_are_finalized_at_exit(native):
    check(native, SHARED)


@pytest.mark.parametrize("name", SHARED)
def test_each_shape_with_several_owners_is_finalized_at_exit(native, name):
    check(native, {name: SHARED[name]})


def test_objects_of_native_code_are_not_finalized_at_exit(native):
    """No finalizer runs, because the native objects outlive the interpreter. Callables do not (test_exit_globals)."""
    body = """
    g("sst.keep")(Loud(1)); g("sst.keep")(Value(2))
    print("end", flush=True)
    """
    result = run_code(native, PROLOGUE + CLASSES + textwrap.dedent(body))
    assert result.stdout == "end\n" and "Fatal" not in result.stderr


def test_finalizers_at_exit_may_use_natives(native):
    """Native objects work in a finalizer as before exit, and those that it makes are released."""
    body = """
    class Last(Rich):
        def __del__(self):
            fresh = Node(Leaf(self.value))
            assert fresh.x is fresh.x and g("sst.echo")(fresh) is fresh and fresh.x.add(1) == self.value + 1
            g("sst.keep")(fresh); g("sst.release")()
            made = selfsame_ffi.convert(lambda v=Value(20): v)
            del made
            print("used", fresh.x.value, flush=True)
    one = Last(5); owner = Node(Last(6)); owner.x.me = owner
    """
    result = run_code(native, PROLOGUE + CLASSES + textwrap.dedent(body))
    assert sorted(result.stdout.splitlines()) == ["gone 20", "gone 20", "used 5", "used 6"], result
    assert "Traceback" not in result.stderr and "Fatal" not in result.stderr
