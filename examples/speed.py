"""Times the examples compress, rules and search from Python, beside the same libraries in pure Go.

Usage: speed.py [EXAMPLE ...]     `make examples-real` builds the packages and runs it

Each figure is the best of several rounds. The Go benchmarks in the examples' tests do the same work on the same data.
"""

from __future__ import annotations

import re
import subprocess
import sys
import timeit
from pathlib import Path
from typing import Any, Callable

HERE = Path(__file__).resolve().parent


def pure_go(example: str) -> dict[str, float]:
    """Nanoseconds of each benchmark in an example's tests, the best of three."""
    command = ["go", "test", "-run", "^$", "-bench", ".", "-count", "3", "-benchtime", "0.3s", "."]
    done = subprocess.run(command, cwd=HERE / example, text=True, capture_output=True, check=True)
    found: dict[str, float] = {}
    for name, ns in re.findall(r"^Benchmark(\w+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op", done.stdout, re.MULTILINE):
        found[name] = min(float(ns), found.get(name, float("inf")))
    return found


def nanoseconds(function: Callable[[], Any]) -> float:
    """Nanoseconds of one call, the best of three."""
    timer = timeit.Timer(function)
    number, _ = timer.autorange()
    return min(timer.repeat(3, number)) / number * 1e9


def compress() -> dict[str, Callable[[], Any]]:
    import compress as package

    text = b"".join(b"word %c%c " % (97 + n * n % 26, 97 + n % 17) for n in range((1 << 20) // 8))
    codec = package.Codec()
    packed = codec.compress(text)
    return {
        "Compress": lambda: codec.compress(text),
        "Decompress": lambda: codec.decompress(packed),
        "Small": lambda: codec.compress(text[:100]),
    }


def rules() -> dict[str, Callable[[], Any]]:
    import rules as package

    rule = package.Rule('amount > 100 and country in ["DE", "FR"] or vip')
    row = {"amount": 120, "country": "DE", "vip": False}
    countries = ["DE", "FR", "US"]
    rows = [{"amount": n % 250, "country": countries[n % 3], "vip": n % 97 == 0} for n in range(100_000)]
    return {"Eval": lambda: rule.eval(row), "Matching": lambda: rule.matching(rows)}


def search() -> dict[str, Callable[[], Any]]:
    import search as package

    words = "amber basalt copper diamond emerald flint granite halite iron jade kyanite".split()

    def documents(count: int) -> Any:
        for n in range(count):
            text = "".join(words[(n * n + k * (n % 7) + k * k) % len(words)] + " " for k in range(20))
            yield str(n), {"title": words[n % 11], "text": text, "n": float(n)}

    index = package.Index()
    index.add(documents(2000))
    listed = list(documents(1000))

    def add() -> None:
        with package.Index() as made:
            made.add(listed)

    return {
        "Add": add,
        "Search10": lambda: index.search("jade copper", 10),
        "Search1000": lambda: index.search("jade copper", 1000),
    }


def main() -> None:
    print(f"{'':24}{'Python':>12}{'pure Go':>12}{'ratio':>8}")
    for example in sys.argv[1:] or ["compress", "rules", "search"]:
        tasks = globals()[example]()
        beside = pure_go(example)
        for name, function in tasks.items():
            ns = nanoseconds(function)
            print(f"{example + ' ' + name:24}{ns / 1000:9.1f} us{beside[name] / 1000:9.1f} us{ns / beside[name]:8.2f}")


if __name__ == "__main__":
    main()
