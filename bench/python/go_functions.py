"""Times Python's calls of Go functions and bare calls of Go from C in one process, and prints the ratios.

Usage: go_functions.py FOLDER_OF_THE_BUILT_EXTENSION

The operations take turns in short rounds, so that other load on the machine slows all of them alike. The fastest round
of each counts.
"""

import sys
import timeit

from output import console, table

NUMBER = 5_000
ROUNDS = 150
TARGET = 1.6


def main() -> None:
    """Prints the table."""
    sys.path.insert(0, sys.argv[1])
    import gocalls
    import selfsame_ffi

    get = selfsame_ffi.get_global_func
    bare = get("gocalls.bare_callbacks")
    node = gocalls.Node(5)
    timers = {"": timeit.Timer("pass")}
    for released in (True, False):
        suffix = "" if released else ", release_gil = False"
        for name, function, argument in (
            ("int to int", "add_one", 7),
            ("int to int, Func1", "add_one_typed", 7),
            ("object to int, lent", "read", node),
            ("object to the same object, as a handle", "echo", node),
        ):
            names = {"f": get("gocalls." + function), "a": argument}
            timers[name + suffix] = timeit.Timer("f(a)", f"f.release_gil = {released}", globals=names)
    best = dict.fromkeys(timers, float("inf"))
    callback = float("inf")
    for _ in range(ROUNDS):
        callback = min(callback, bare(NUMBER))
        for name, timer in timers.items():
            best[name] = min(best[name], timer.timeit(NUMBER) / NUMBER * 1e9)
    empty = best.pop("")
    results = table(
        "Python calls a Go function: its time as a multiple of a bare cgo callback's", "call", "ratio", "target"
    )
    for name, taken in best.items():
        results.add_row(name, f"{(taken - empty) / callback:.2f}x", f"{TARGET}x")
    console().print(results)
    print("gopy: not measured, it could not be installed")


if __name__ == "__main__":
    main()
