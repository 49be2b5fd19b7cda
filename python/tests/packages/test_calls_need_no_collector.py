"""What a Go func comes by in a call and does not keep is gone with its last reference: no collector runs."""

# Requirement: C8

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import selfsame_ffi
import waiting

# Each calls Go with `link`, the only reference to a new object, which may be one of a subclass with an attribute.
SHAPES = {
    "iterator": "list(go.links_in([link, link]))",
    "iterator of pairs": "dict(go.links_named([link]))",
    "iterator that yields others": "link.kids.append(new()); [kid.name for kid in link.each()]",
    "iterator over a chain": "link.next = new(); link.next.kids.append(new()); list(link.next.each())",
    "iterator whose loop fetches": "link.kids.extend([new(), new()]); list(link.each())",
    "iterator whose loop fetches many": "link.kids.extend([new() for _ in range(3000)]); sum(1 for _ in link.each())",
    "iterator whose loop makes": "list(go.links_made(100))",
    "iterator that fails": "fails(lambda: list(go.links_until(lambda n: new() if n < 5 else failed(n), link)))",
    "iterators": "[list(kids) for kids in go.links_of_each([link, link])]",
    "channel": "list(go.links_sent([link, link]))",
    "channel that nobody reads": "go.links_sent([link])",
    "iterable": "go.link_count(x for x in [link, link])",
    "list as an iterable": "go.link_count([link, link])",
    "generator that fails": "fails(lambda: go.link_count(failing(link)))",
    "elements of an iterable": "go.links_gathered(iter([link, new()]))",
    "made": "go.link_made('made')",
    "made of others": "go.link_around([link, new()]).kids[0]",
    "chain": "link.next = new(); link.next.next = new(); link.tail()",
    "kids": "link.kids.append(new()); link.kids.append(new()); link.deepest()",
    "chain, with a context": "link.next = new(); go.link_fetched(link)",
    "chain, isolated": "link.next = new(); go.link_isolated(link)",
    "methods of many": "link.next = new(); go.Link.tail.map([link, link, new()])",
    "methods of many at once": "link.next = new(); go.Link.tail.map([link, link, new()], parallel=True)",
    "made of others, many at once": "go.link_around.map([[link], [new()]], parallel=True)",
    "many that fail at once": "fails(lambda: go.link_from.map([failed] * 3, [link] * 3, parallel=True))",
    "with a context, many at once": "link.next = new(); go.link_fetched.map([link, link], parallel=True)",
    "callback": "go.link_from(lambda x: x, link)",
    "callback with another result": "go.link_from(lambda x: new(), link)",
    "callback that fails": "fails(lambda: go.link_from(failed, link))",
    "callback that calls back": "go.link_from(lambda x: go.link_from(lambda y: new(), x), link)",
    "error of a func": "fails(lambda: go.link_failure(failed, link))",
    "any": "go.link_echo(link)",
    "any in lists": "go.link_echo([link, {'a': link}, (link,)])",
    "any in keywords": "go.link_echo_all({'link': link}, link, [link])",
    "stored": "go.link_stored(link, new())",
    "stored in a list": "go.link_stored(link, [new(), {'new': new()}])",
    "stored object of Python": "go.link_stored(link, Thing())",
    "called": "go.link_called(selfsame_ffi.convert(lambda x, xs: [x, xs]), link)",
    "many": "link.kids.extend([new() for _ in range(3000)]); link.deepest()",
}

# These leave an iterator early: its loop ends on a goroutine of its own.
LEFT_EARLY = {
    "iterator left early": "link.kids.extend([new() for _ in range(9)]); next(link.each())",
    "iterator left early, closed": "each = go.links_made(9); next(each); each.close()",
    "iterator of what a callback returns": "list(itertools.islice(go.links_until(lambda n: new(), link), 20))",
}

PROGRAM = """
import gc, itertools, sys, weakref
import selfsame_ffi, signatures as go
from waiting import wait_until

class Thing:
    pass

class Noted(go.Link):
    pass

class Expected(Exception):
    pass

def failed(x):
    raise Expected

def failing(x):
    yield x
    raise Expected

def fails(call):
    try:
        call()
    except (Expected, RuntimeError):
        return
    raise AssertionError("no error")

def plain():
    return go.Link()

def noted():
    made = Noted()
    made.note = Thing()
    references.append(weakref.ref(made))
    references.append(weakref.ref(made.note))
    return made

def live():
    return selfsame_ffi.debug.live_objects().get("signatures.Link", 0)

def left():
    return live(), sum(r() is not None for r in references)

references = []
gc.disable()
for name, source in {**SHAPES, **LEFT_EARLY}.items():
    code = compile(source, name, "exec")
    for new in (plain, noted):
        for _ in range(3):
            names = dict(globals(), link=new(), new=new)
            exec(code, names)
            names.clear()
        if name in LEFT_EARLY:
            wait_until(lambda: left() == (0, 0), f"{name} ({new.__name__}): objects are left")
        if left() != (0, 0):
            print(f"{name} ({new.__name__}): {left()[0]} objects and {left()[1]} references left")
            selfsame_ffi.collect()
        references.clear()
"""


def environment(*folders):
    """The environment of a process that imports from these folders, with Go's collector off."""
    paths = [*map(str, folders), str(Path(selfsame_ffi.__file__).parents[1])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths), "GOGC": "off"}


def test_nothing_is_left_for_a_collector(go_packages):
    env = environment(go_packages, os.path.dirname(waiting.__file__))
    env.pop("GOMEMLIMIT", None)
    program = f"SHAPES, LEFT_EARLY = {SHAPES!r}, {LEFT_EARLY!r}\n{PROGRAM}"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=1800, env=env)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_what_go_keeps_stays_until_go_lets_go(go_packages):
    program = """
import selfsame_ffi, signatures as go
link = go.Link("kept")
go.link_keep(link)
go.link_keep(go.link_from(lambda x: go.Link("made"), link))
del link
for _ in range(3):
    go.link_count([go.Link() for _ in range(10)])
names = list(go.link_names([go.Link("a"), go.Link("b")]))
del names[0]
selfsame_ffi.collect()
assert [name() for name in names] == ["b"]
del names
kept = go.links_given_back()
assert [k.name for k in kept] == ["kept", "made"]
kept[0].next = kept[1]
del kept
assert selfsame_ffi.collect() > 0
assert selfsame_ffi.debug.live_objects().get("signatures.Link", 0) == 0
"""
    subprocess.run([sys.executable, "-c", program], timeout=1800, env=environment(go_packages), check=True)
