#!/bin/sh
# An object of a class of the script, given to Interpreter.call, runs the whole script again in the other interpreter; exceptions
# come back as another class.
#
# Versions: CPython 3.14
#
# Expected: functions and objects are sent over, and a KeyError is a KeyError for the caller, as from a pool of processes.
#
# Seen: a function alone is sent over, but for a class of the script the other interpreter runs the script under another name, with
# all that it does at the top, unless `if __name__ == "__main__"` guards it. The caller gets ExecutionFailed with the text: `except KeyError` does not catch it. os.environ is a copy
# in each interpreter, made at its start, while children of either see what either has set.
. "$(dirname "$0")/parts/begin.sh"
python_for 3.14
cat >script.py <<'S'
import os
from concurrent import interpreters

with open("runs", "a") as runs:
    runs.write(__name__ + "\n")


class Thing: ...


def fail():
    raise KeyError("k")


def name_of(thing):
    return type(thing).__name__


if __name__ == "__main__":
    import subprocess

    from seen import end, seen

    other = interpreters.create()
    seen("the exception", lambda: other.call(fail), "ExecutionFailed: KeyError: 'k'")
    seen("runs of the script", len(open("runs").read().split()), 1)
    seen("an object of its class", other.call(name_of, Thing()), "Thing")
    names = open("runs").read().splitlines()
    seen("runs of the script", names, ["__main__", "<fake __main__>"])
    os.environ["MAIN_SET"] = "1"
    other.exec("import os; os.environ['OTHER_SET'] = '1'; found = os.environ.get('MAIN_SET')")
    other.exec("assert found is None")
    seen("set by the other, in the main one", os.environ.get("OTHER_SET"), None)
    child = subprocess.run(["sh", "-c", "echo $MAIN_SET$OTHER_SET"], capture_output=True, text=True, check=True)
    seen("set by both, in a child", child.stdout.strip(), "11")
    other.close()
    end()
S
"$python" script.py
