"""The test registry of the areas: cases by area, and checks that are counted."""

from __future__ import annotations

import traceback
from typing import Any, Callable

cases: list[tuple[str, str, Callable[[], None]]] = []
passed = 0
failures: list[str] = []
_current = ""


def case(function: Callable[[], None]) -> Callable[[], None]:
    """Register a function as a case of its module's area: area_NAME.py is the area NAME."""
    cases.append((function.__module__.removeprefix("area_"), function.__name__, function))
    return function


def _fail(text: str) -> None:
    frame = next(f for f in reversed(traceback.extract_stack()) if "area_" in f.filename)
    failures.append(f"{_current} (line {frame.lineno}): {text}")


def check(ok: Any, text: str = "a condition does not hold") -> None:
    global passed
    if ok:
        passed += 1
    else:
        _fail(text)


def equal(got: Any, want: Any) -> None:
    check(bool(got == want), f"got {got!r}, want {want!r}")


def same(got: Any, want: Any) -> None:
    """Check that two wrappers stand for one native object."""
    check(got.same_as(want), f"{got!r} is not the object {want!r}")


def raises(kind: type[BaseException], part: str, action: Callable[[], Any]) -> None:
    try:
        action()
    except kind as error:
        check(part in str(error), f"{kind.__name__} says {str(error)!r}, want {part!r} in it")
    except BaseException as error:  # noqa: BLE001
        _fail(f"raised {type(error).__name__}: {error}, want {kind.__name__}")
    else:
        _fail(f"nothing was raised, want {kind.__name__}")


def run(wanted: list[str]) -> int:
    global _current
    chosen = [c for c in cases if not wanted or c[0] in wanted]
    for area, name, function in chosen:
        _current = f"{area}.{name}"
        try:
            function()
        except BaseException:  # noqa: BLE001
            failures.append(f"{_current}: escaped:\n{traceback.format_exc()}")
    for failure in failures:
        print("  FAIL", failure)
    print(f"Python: {len(chosen)} cases")
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures or passed == 0 else 0
