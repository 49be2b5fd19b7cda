"""At exit a program's globals die as in pure Python, whatever native code keeps of its callables and classes."""

# Requirements: C13, C17, I5

import textwrap

import pytest
from exit_programs import PROLOGUE, run_code

# What makes native code or the package keep something of the program. `call` is what the finalizer calls.
KEPT = {
    "nothing": "call = lambda: 1",
    "a global function": """
        selfsame_ffi.register_global_func("exit.log", log)
        call = lambda f=g("exit.log"): f(1) + g("exit.log")(0)
        """,
    "a global function by name": """
        selfsame_ffi.register_global_func("exit.log", log)
        call = lambda: g("exit.log")(1)
        """,
    "a callback that native code keeps": "g('sst.keep')(log); call = g('sst.kept')(0); call = lambda f=call: f(1)",
    "a callback that is converted": "call = lambda f=selfsame_ffi.convert(log): f(1)",
    "a registered class": """
        class Own(Leaf):
            __slots__ = ()
            def of(self): return out
        selfsame_ffi.register_object("sst.Leaf")(Own)
        call = lambda: Own(1).value
        """,
    "a method of a class": """
        @py_class
        class Method(selfsame_ffi.Object):
            x: int
            def of(self): return out
        one = Method(1)
        call = lambda: one.x
        """,
    "a class with a factory": """
        @py_class
        class Factory(selfsame_ffi.Object):
            x: int = field(default_factory=lambda: log(1))
        one = Factory()
        call = lambda: one.x
        """,
    "a class of errors": """
        @selfsame_ffi.register_error
        class Failed(ValueError):
            def of(self): return out
        call = lambda: 1
        """,
}

PROGRAM = """
from selfsame_ffi.dataclasses import field, py_class
out = open(sys.argv[2], "w")
out.write("kept in the buffer")
def log(x): return x
class Finalized:
    def __del__(self):
        print("finalized", call(), flush=True)
finalized = Finalized()
"""


@pytest.mark.parametrize("kept", KEPT)
def test_files_are_flushed_and_finalizers_run(native, kept, tmp_path):
    written = tmp_path / "out.txt"
    code = PROLOGUE + PROGRAM.replace("sys.argv[2]", repr(str(written))) + textwrap.dedent(KEPT[kept])
    result = run_code(native, code)
    assert result.stdout == "finalized 1\n" and "Traceback" not in result.stderr, (result.stdout, result.stderr)
    assert written.read_text() == "kept in the buffer"


@pytest.mark.parametrize(
    "where", ["atexit before the import", "atexit after it", "finally of a generator", "weakref.finalize"]
)
def test_functions_work_until_the_interpreter_is_gone(native, where):
    before, after = {
        "atexit before the import": ("import atexit; atexit.register(lambda: use())", ""),
        "atexit after it": ("", "import atexit; atexit.register(use)"),
        "finally of a generator": (
            "",
            """
def generate():
    try:
        yield
    finally:
        use()
generator = generate(); next(generator)
""",
        ),
        "weakref.finalize": ("", "import weakref; weakref.finalize(Array, use)"),
    }[where]
    code = f"""
{before}
{PROLOGUE}
def add(x): return x + 1
selfsame_ffi.register_global_func("exit.add", add)
def use(add=g("exit.add"), apply=g("sst.apply"), convert=selfsame_ffi.convert):
    print(add(1), apply(add, 1), convert(lambda: Leaf(3))().value, flush=True)
{after}
"""
    result = run_code(native, code)
    assert result.stdout == "2 2 3\n" and "Traceback" not in result.stderr, (result.stdout, result.stderr)
