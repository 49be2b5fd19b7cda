"""Times the rows of a query of SQLite written in Go, which `selfsame-ffi wrap` has wrapped, beside Python's sqlite3.

Usage: PYTHONPATH=build/wrap/gosql/build build/venv/bin/python bench/python/database_rows.py, after
`scripts/wrap/wrap.sh gosql`. Processor time of the process; the medians count, as ratios.
"""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections.abc import Callable
from typing import Any

import gosql  # type: ignore[import-not-found]

ROWS, ROUNDS = 20_000, 7
CREATE = "create table people (id integer primary key, name text, age integer, score real)"
NUMBERS = f"with recursive n(x) as (select 1 union all select x + 1 from n where x < {ROWS}) "
FILL = NUMBERS + "insert into people select x, 'name' || x, x % 90, x * 0.5 from n"
QUERY = "select * from people"


def seconds(job: Callable[[], object]) -> float:
    begin = time.process_time()
    job()
    return time.process_time() - begin


def scanned(database: Any) -> int:
    """Read all rows as a Go program does."""
    places, count = [gosql.AnyRef() for _ in range(4)], 0
    rows = database.query(QUERY)
    while rows.next():
        rows.scan(*places)
        count += 1
    return count


def main() -> None:
    with gosql.open("sqlite", ":memory:") as database:
        database.set_max_open_conns(1)
        peer = sqlite3.connect(":memory:")
        for statement in (CREATE, FILL):
            database.exec(statement)
            peer.execute(statement)
        jobs: dict[str, Callable[[], object]] = {
            "sqlite3": lambda: peer.execute(QUERY).fetchall(),
            "list(rows)": lambda: list(database.query(QUERY)),
            "next and scan": lambda: scanned(database),
        }
        assert len(list(database.query(QUERY))) == scanned(database) == ROWS
        times: dict[str, list[float]] = {name: [] for name in jobs}
        for _ in range(ROUNDS):
            for name, job in jobs.items():
                times[name].append(seconds(job))
        medians = {name: statistics.median(all_of) for name, all_of in times.items()}
        for name, median in medians.items():
            print(f"{name:14} {median / ROWS * 1e6:6.2f} µs a row, {median / medians['sqlite3']:5.2f} of sqlite3")


if __name__ == "__main__":
    main()
