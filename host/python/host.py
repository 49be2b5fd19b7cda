# What the Go package python calls: each function is a global function selfsame.host.NAME. A result that Go keeps as a
# handle is an opaque object, also where the value has a native form.
import collections
import importlib
import itertools
import linecache
import sys
import threading
import types

import selfsame_ffi
from selfsame_ffi import _core

opaque = _core.opaque


def serve(function):
    selfsame_ffi.register_global_func("selfsame.host." + function.__name__.strip("_"), function)
    return function


for _name in ("value", "attr", "call", "call_value", "call_method", "call_method_value"):
    selfsame_ffi.register_global_func("selfsame.host." + _name, _core.function_that_forwards(_name))


@serve
def kept(of):
    return opaque(of)


@serve
def interned(name):
    return opaque(sys.intern(name))


@serve
def kept_in(of, containers):
    """The object, or the elements of a container: l for one of elements, d for a dict."""
    if not containers:
        return opaque(of)
    if containers[0] == "l":
        return [kept_in(one, containers[1:]) for one in of]
    return {key: kept_in(one, containers[1:]) for key, one in of.items()}


@serve
def new_tuple(of):
    return opaque(tuple(of))


@serve
def new_dict(*names_and_values):
    return opaque(dict(zip(names_and_values[::2], names_and_values[1::2])))


@serve
def import_(name):
    return opaque(importlib.import_module(name))


# ---- calls ----


def split(count, rest):
    """The first `count` arguments, and the keyword arguments: names and values in turn behind them."""
    return rest[:count], dict(zip(rest[count::2], rest[count + 1 :: 2]))


@serve
def call_keywords(function, count, *rest):
    args, keywords = split(count, rest)
    return opaque(function(*args, **keywords))


@serve
def call_method_keywords(of, name, count, *rest):
    args, keywords = split(count, rest)
    return opaque(getattr(of, name)(*args, **keywords))


# ---- calls that a context ends ----


class ContextDone(KeyboardInterrupt):
    """The ``context.Context`` of a call from Go is done. Libraries end their work as after Ctrl-C."""


selfsame_ffi.register_error("selfsame.host.ContextDone", ContextDone)
# The exception may come after any instruction, also after the one that takes a lock. So there is no lock here: each
# step is one operation of a dict. Whichever of a call and its interrupt comes second sees the other one.
calls = {}  # number of a call -> the thread that runs it
interrupted = {}  # number of a call that its context has ended -> True


@serve
def call_interruptible(number, function, count, *rest):
    args, keywords = split(count, rest)
    calls[number] = threading.get_ident()
    try:
        if number in interrupted:
            raise ContextDone
        return opaque(function(*args, **keywords))
    finally:
        calls.pop(number, None)


@serve
def call_method_interruptible(number, of, name, count, *rest):
    return call_interruptible(number, getattr(of, name), count, *rest)


@serve
def interrupt(number):
    interrupted[number] = True
    thread = calls.get(number)
    if thread is not None:
        _core.interrupt(thread, ContextDone)


@serve
def forget(number):
    """Forget the interrupt of a call of this thread that has ended. Return whether one around it is interrupted."""
    calls.pop(number, None)
    interrupted.pop(number, None)
    _core.interrupt(threading.get_ident(), None)  # an exception that has not come yet comes no more
    return is_interrupted()


def is_interrupted():
    this = threading.get_ident()
    return any(thread == this and number in interrupted for number, thread in calls.copy().items())


# Where the interrupt comes in a finalizer or a callback of a weak reference, Python ignores it: it comes again then.
sys.unraisablehook = _core.repeat_interrupt(ContextDone, is_interrupted, sys.unraisablehook)


# ---- attributes, items, iteration ----


@serve
def set_attr(of, name, to):
    setattr(of, name, to)


@serve
def delete_attr(of, name):
    delattr(of, name)


@serve
def has_attr(of, name):
    return hasattr(of, name)


@serve
def item(of, key):
    return opaque(of[key])


@serve
def set_item(of, key, to):
    of[key] = to


@serve
def delete_item(of, key):
    del of[key]


@serve
def contains(of, key):
    return key in of


@serve
def length(of):
    return len(of)


@serve
def iterate(of):
    return opaque(iter(of))


@serve
def following(iterator):
    for found in iterator:
        return opaque(found)
    return None


@serve
def leave(iterator):
    """End a generator that its loop has left early, which runs its finally clauses."""
    if isinstance(iterator, types.GeneratorType):
        iterator.close()


@serve
def text(of):
    return str(of)


@serve
def type_name(of):
    cls = type(of)
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


@serve
def equal(one, other):
    return bool(one == other)


# ---- code ----


sources = {}  # name and source -> the name in the cache of lines, for the 256 newest of these
newest = collections.deque()  # the keys of `sources`, the oldest first
numbers = {}  # name -> what counts its sources


def compiled(source, name, mode):
    """Compile a source. Tracebacks find its lines by the name, which gets a number where it had another source."""
    found = sources.get((name, source))
    if found is None:
        number = next(numbers.setdefault(name, itertools.count(1)))
        found = name if number == 1 else f"{name[:-1]} #{number}>"
        linecache.cache[found] = (len(source), None, source.splitlines(True), found)
        sources[name, source] = found
        newest.append((name, source))
        if len(newest) > 256:
            linecache.cache.pop(sources.pop(newest.popleft(), None), None)
    return compile(source, found, mode)


@serve
def exec_(source, name, namespace):
    exec(compiled(source, name, "exec"), namespace)


@serve
def eval_(source, name, namespace):
    return opaque(eval(compiled(source, name, "eval"), namespace))


@serve
def namespace(*names_and_values):
    made = {"__name__": "__go__", "__builtins__": __builtins__}
    made.update(zip(names_and_values[::2], names_and_values[1::2]))
    return opaque(made)


@serve
def subclass(name, count, *rest):
    bases, members = split(count, rest)
    members = {"__module__": "__go__", **{k: member(name, k, v) for k, v in members.items()}}
    return opaque(types.new_class(name, bases, {}, lambda body: body.update(members)))


def member(cls, name, of):
    """What a class body has for a member: Functions of Go are no descriptors, so that they would not get self."""
    if isinstance(of, selfsame_ffi.Function):
        of = taking(of, [""], None, -1)
    if isinstance(of, types.FunctionType) and of.__module__ == "__go__":
        of.__name__, of.__qualname__ = name, f"{cls}.{name}"
    return of


@serve
def callable_(of, handles, rest, keywords):
    return opaque(taking(of, handles, rest, keywords))


def taking(of, handles, rest, keywords):
    """A function for a Function some of whose parameters are handles, which take any object, in containers or not.

    ``handles`` has for each parameter None, or what ``kept_in`` takes; ``rest`` is the same for all that follow. The
    parameter at the place ``keywords``, which is not among these, takes the keyword arguments; -1: there is none.
    """

    def function(*args, **named):
        each = zip(args, itertools.chain(handles, itertools.repeat(rest)))
        made = [arg if in_ is None or arg is None else kept_in(arg, in_) for arg, in_ in each]
        if keywords >= 0:
            made.insert(keywords, named)
        elif named:
            raise TypeError(f"{function.__qualname__}: expected no keyword arguments, got {next(iter(named))!r}")
        return of(*made)

    function.__name__ = function.__qualname__ = "function"
    function.__module__ = "__go__"
    return function


@serve
def implementing(name, count, *rest):
    """An object whose methods, `count` of them, and properties are functions: names and functions in turn."""
    names, functions = rest[::2], rest[1::2]
    getters = {n: property(lambda self, f=f: f()) for n, f in zip(names[count:], functions[count:])}
    made = type(name, (), getters)()
    made.__dict__.update(zip(names[:count], functions[:count]))
    return opaque(made)


@serve
def with_(manager, body):
    with manager as entered:
        body(opaque(entered))


# ---- coroutines ----

loop = None
loop_lock = threading.Lock()
loop_thread = None


def event_loop():
    """The loop of all awaits, which a thread of its own runs."""
    global loop, loop_thread
    if loop is not None:
        return loop
    with loop_lock:
        if loop is None:
            import asyncio

            made = asyncio.new_event_loop()
            loop_thread = threading.Thread(target=run, args=(made,), name="selfsame await", daemon=True)
            loop_thread.start()
            loop = made
        return loop


def run(loop):
    while True:
        try:
            return loop.run_forever()
        except BaseException:  # SystemExit and KeyboardInterrupt leave a loop; they are the task's, and others go on
            pass


async def awaited(of):
    return await of


@serve
def await_(of, done):
    """Start to await an object; `done` gets its result or its exception, on the loop's thread."""
    import asyncio

    running = event_loop()
    if threading.current_thread() is loop_thread:
        raise RuntimeError(
            "Await: called on the thread of the event loop, which would wait for itself; let the coroutine await"
        )
    future = asyncio.run_coroutine_threadsafe(awaited(of), running)

    def tell(future):
        try:
            result = future.result()
        except BaseException as error:  # CancelledError too
            done(None, error)
        else:
            done(opaque(result), None)

    future.add_done_callback(tell)
    return opaque(future)


@serve
def cancel(future):
    future.cancel()


@serve
def stop():
    if loop is not None:
        loop.call_soon_threadsafe(loop.stop)


# ---- exceptions ----


@serve
def exception(error):
    """The exception of a native Error."""
    return opaque(error.py_error() if isinstance(error, selfsame_ffi.Error) else error)


@serve
def is_kind(of, kind):
    """Whether a class of an exception has the name, with or without its module, is registered for it, or is what a
    loaded module has under it: yaml.YAMLError, whose own module is yaml.error.
    """
    for cls in type(of).__mro__:
        if kind in (cls.__name__, f"{cls.__module__}.{cls.__qualname__}"):
            return True
    if isinstance(of, selfsame_ffi.error.ERROR_NAME_TO_TYPE.get(kind, ())):
        return True
    module, _, name = kind.rpartition(".")
    named = getattr(sys.modules.get(module or "builtins"), name, None)
    return isinstance(named, type) and isinstance(of, named)


@serve
def notes(of):
    return [str(note) for note in getattr(of, "__notes__", ())]


@serve
def traceback_text(of):
    import traceback

    return "".join(traceback.format_exception(type(of), of, of.__traceback__))


# ---- memory ----


@serve
def numpy_array(tensor):
    import numpy

    return opaque(numpy.from_dlpack(tensor))
