#!/bin/sh
# A Python function called through tvm-ffi turns Ctrl-C into RuntimeError, quotes a KeyError's key, and
# drops causes and notes.
#
# Versions: apache-tvm-ffi 0.1.15.post2
#
# Expected: the exception object comes back as it was raised, or at least as its own class or the nearest builtin base.
#
# Seen: ValueError and its like come back as new objects without __cause__ and __notes__; a subclass of ValueError,
# OSError, StopIteration, ExceptionGroup and KeyboardInterrupt come back as RuntimeError, so that an interrupt is caught by
# "except Exception"; KeyError('a') has the text with quotes as its argument, so that
# e.args[0] is another key.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" apache-tvm-ffi==0.1.15.post2
"$python" - <<'P'
import tvm_ffi
from seen import end, seen


class OwnError(ValueError):
    pass


def passed(error):
    def thrower():
        raise error

    try:
        tvm_ffi.convert(thrower)()
    except BaseException as got:
        return got


for error, name in (
    (OwnError("x"), "RuntimeError"), (FileNotFoundError(2, "x"), "RuntimeError"), (StopIteration(3), "RuntimeError"),
    (ExceptionGroup("g", [ValueError()]), "RuntimeError"), (ValueError("x"), "ValueError"),
):  # fmt: skip
    seen(f"{type(error).__name__} comes back as", type(passed(error)).__name__, name)
interrupt = passed(KeyboardInterrupt())
seen("KeyboardInterrupt is caught by except Exception", isinstance(interrupt, Exception), True)
seen("arguments of KeyError('a') ", passed(KeyError("a")).args, ("'a'",))
cause = ValueError("x")
cause.__cause__ = ZeroDivisionError()
cause.add_note("note")
seen("cause and notes", (passed(cause).__cause__, getattr(passed(cause), "__notes__", None)), (None, None))
end()
P
