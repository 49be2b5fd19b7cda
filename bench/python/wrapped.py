"""Times packages that `selfsame-ffi wrap` made beside the Python packages for the same jobs.

These are roaring beside pyroaring, and excelize beside openpyxl. The package tally, which is wrapped too, stands beside
classes that a person registered for the same: one whose calls take turns, as those of wrapped objects do, and one
without locks. Its rows become tables beside pyarrow's conversion from columns. Single operations of its objects stand
beside a callback of bare cgo, and its numbers and texts beside those of NumPy, array and plain Python.

Usage: wrapped.py, with the packages in PYTHONPATH; `make bench-wrap` builds and fetches them. Without both packages a
row is left out. All jobs run in one process, on one processor, and take turns, so that other load on the machine slows
all of them alike. The medians count, as ratios: below 1 the wrapped package is faster.
"""

from __future__ import annotations

import importlib
import io
import os
import statistics
import time
import timeit
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy
from output import console, pin, record, table

ROUNDS = int(os.environ.get("SELFSAME_BENCH_ROUNDS", "11"))
Job = Callable[[], object]


def seconds(job: Job, times: int) -> float:
    begin = time.perf_counter()
    for _ in range(times):
        job()
    return (time.perf_counter() - begin) / times


def ratio(ours: Job, theirs: Job) -> float:
    """The median time of a job of the wrapped package, as a multiple of the other's."""
    if ours() != theirs():
        raise AssertionError("the jobs have different results")
    times = [max(1, int(0.01 / max(seconds(job, 1), 1e-7))) for job in (ours, theirs)]
    rounds = [(seconds(ours, times[0]), seconds(theirs, times[1])) for _ in range(ROUNDS)]
    return statistics.median(a for a, _ in rounds) / statistics.median(b for _, b in rounds)


def bitmaps(ours: Any, theirs: Any) -> dict[str, tuple[Job, Job]]:
    numbers, others = list(range(0, 300_000, 3)), list(range(0, 300_000, 5))
    a, b = ours.Bitmap(*numbers), ours.Bitmap(*others)
    c, d = theirs.BitMap(numbers), theirs.BitMap(others)
    data = c.serialize()

    array = numpy.array(numbers, numpy.uint32)

    def from_array() -> int:
        made = ours.Bitmap()
        made.add_many(array)
        return len(made)

    def from_list() -> int:
        made = ours.Bitmap()
        made.add_many(numbers)
        return len(made)

    few, more, theirs_few, theirs_more = (
        ours.Bitmap(1, 2),
        ours.Bitmap(2, 3),
        theirs.BitMap([1, 2]),
        theirs.BitMap([2, 3]),
    )

    def read_ours() -> int:
        made = ours.Bitmap()
        made.unmarshal_binary(data)
        return len(made)

    return {
        "100,000 numbers into a bitmap": (lambda: len(ours.Bitmap(*numbers)), lambda: len(theirs.BitMap(numbers))),
        "100,000 numbers of a list, added": (from_list, lambda: len(theirs.BitMap(numbers))),
        "100,000 numbers of a NumPy array": (from_array, lambda: len(theirs.BitMap(array))),
        "the union of two bitmaps, its length": (lambda: len(a | b), lambda: len(c | d)),
        "the union of two small bitmaps, its length": (lambda: len(few | more), lambda: len(theirs_few | theirs_more)),
        "the intersection of two, its length": (lambda: len(a & b), lambda: len(c & d)),
        "one number: in": (lambda: 30_000 in a, lambda: 30_000 in c),
        "all numbers as a list": (lambda: list(a.to_array()), lambda: list(c)),
        "a bitmap from its bytes": (read_ours, lambda: len(theirs.BitMap.deserialize(data))),
        "a bitmap to its bytes": (lambda: len(a.to_bytes()) > 0, lambda: len(c.serialize()) > 0),
    }


def sheets(ours: Any, theirs: Any) -> dict[str, tuple[Job, Job]]:
    rows = [[i, i / 4, f"text {i % 100}", i % 2 == 0] for i in range(2000)]
    columns = len(rows[0])

    def write_ours() -> bool:
        book, out = ours.File(), io.BytesIO()
        stream = book.new_stream_writer("Sheet1")
        for i, cells in enumerate(rows, 1):
            stream.set_row(f"A{i}", cells)
        stream.flush()
        book.write_to(out)
        return len(out.getvalue()) > 0

    def write_theirs() -> bool:
        book, out = theirs.Workbook(write_only=True), io.BytesIO()
        sheet = book.create_sheet()
        for cells in rows:
            sheet.append(cells)
        book.save(out)
        return len(out.getvalue()) > 0

    book, out = theirs.Workbook(), io.BytesIO()
    for cells in rows:
        book.active.append(cells)
    book.save(out)
    data = out.getvalue()

    def read_ours() -> int:
        return sum(len(row) == columns for row in ours.open_reader(io.BytesIO(data)).get_rows("Sheet"))

    def read_theirs() -> int:
        sheet = theirs.load_workbook(io.BytesIO(data), read_only=True).active
        return sum(len(row) == columns for row in sheet.iter_rows(values_only=True))

    return {"2,000 rows of four values written": (write_ours, write_theirs), "the rows read": (read_ours, read_theirs)}


def calls(ours: Any, theirs: Any) -> dict[str, tuple[Job, Job]]:
    """The same calls 1,000 times, so that the loop counts little."""
    jobs = {}
    for name in ("Locked", "Free"):
        a, b = ours.Tally(), getattr(theirs, name)()
        c, d = ours.Tally(), getattr(theirs, name)()
        for what, first, second, with_first, with_second in (
            ("an int", a.add, b.add, 0, 0),
            ("another object", a.plus, b.plus, c, d),
            ("a text", a.tagged, b.tagged, "text", "text"),
        ):
            both = partial(repeat, first, with_first), partial(repeat, second, with_second)
            jobs[f"a method that gets {what} / {name}"] = both
    return jobs


def tables(ours: Any, pa: Any) -> dict[str, tuple[Job, Job]]:
    """A million rows of four columns, which the peer converts from columns: from lists, from NumPy, and to NumPy."""
    n = 1_000_000
    rows, names = ours.samples(n), ["alpha", "beta", "gamma", "delta"] * (n // 4)
    arrays = {"id": numpy.arange(n), "value": numpy.arange(n) / 4}
    lists = {name: array.tolist() for name, array in arrays.items()}
    at = numpy.arange(n).astype("datetime64[s]").astype("datetime64[ns]")
    table, utc = pa.table(rows), pa.timestamp("ns", "UTC")
    whole = [1_000_000_000 * i for i in range(n)]

    def theirs(columns: dict[str, Any], times: Any) -> int:
        return len(pa.table({**columns, "name": pa.array(names), "at": pa.array(times, utc)}))

    def back() -> float:
        columns = [column.to_numpy() for column in table.columns]
        return float(columns[1].sum())

    return {
        "1,000,000 rows to pyarrow, its columns from lists": (
            lambda: len(pa.table(rows)),
            lambda: theirs(lists, whole),
        ),
        "1,000,000 rows to pyarrow, its numbers from NumPy": (lambda: len(pa.table(rows)), lambda: theirs(arrays, at)),
        "1,000,000 rows from pyarrow, its columns to NumPy": (lambda: ours.sum(table), back),
    }


def bulk(ours: Any, arrays: Any) -> dict[str, tuple[Job, Job]]:
    """100,000 numbers and texts in one crossing."""
    n = 100_000
    book, numbers, texts = ours.Book(n), [float(i) for i in range(n)], [f"text number {i}" for i in range(n)]
    array, view = numpy.arange(float(n)), book.numbers

    def fill() -> int:
        book.fill(numbers)
        return n

    return {
        "100,000 numbers of a list, which Go keeps": (fill, lambda: len(arrays.array("d", numbers))),
        "100,000 numbers of a live view as a list": (lambda: len(list(view)), lambda: len(list(array))),
        "100,000 texts of a list, only read": (lambda: ours.longest_of(texts), lambda: max(map(len, texts))),
        "100,000 texts as a list": (lambda: len(ours.texts_of(n)), lambda: len([str(i) for i in range(n)])),
    }


def single(ours: Any, callbacks: Any) -> dict[str, tuple[Job, Job]]:
    """1,000 operations of an object of Go, each beside a callback of bare cgo."""
    bare = importlib.import_module("selfsame_ffi").get_global_func("gocalls.bare_callbacks")
    book = ours.Book(1000)
    names = {"book": book, "view": book.numbers, "names": book.names, "held": book.page(3), "first": book.first}
    names["samples"] = book.samples
    names["sample"] = book.samples[3]

    def ours_of(statement: str) -> Job:
        timer = timeit.Timer(statement, globals=names)
        return lambda: timer.timeit(1000) < 0

    def theirs() -> bool:
        return bare(1000) < 0

    rows = {
        f"{what} / a bare callback": (ours_of(statement), theirs)
        for what, statement in (
            ("an object as result", "book.blank()"),
            ("an object as result that Python holds", "book.page(3)"),
            ("in", "3 in book"),
            ("[i]", "book[3]"),
            ("len", "len(book)"),
            ("an element of a live view", "view[3]"),
            ("a text of a live view", "names[3]"),
            ("an element of a live view set", "view[3] = 1.5"),
            ("len of a live view", "len(view)"),
            ("a field", "held.limit"),
            ("a text field", "held.label"),
            ("a field set", "held.limit = 5"),
            ("a field with an object", "book.first"),
            ("a slice in a field", "book.numbers"),
            ("a struct in a slice", "samples[3]"),
        )
    }
    by_hand = importlib.import_module("byhand")
    for what, function in (("that ends at once", by_hand.checked), ("that may wait", by_hand.waited)):
        rows[f"a func with a context, {what} / a bare callback"] = (partial(repeat_below_zero, function), theirs)
    rows["a value of a loop over Next / a bare callback"] = (lambda: sum(book.cursor()) < 0, theirs)
    return rows


def repeat_below_zero(function: Callable[[int], object]) -> bool:
    for _ in range(1000):
        function(1)
    return False


def repeat(method: Callable[[Any], object], argument: Any) -> object:
    for _ in range(999):
        method(argument)
    return method(argument)


def main() -> None:
    pin()
    made = table("Wrapped Go packages beside Python's", "job", "packages", "time as a multiple of the other's")
    figures = {}
    peers = (
        ("tally", "byhand", calls),
        ("tally", "gocalls", single),
        ("tally", "array", bulk),
        ("tally", "pyarrow", tables),
        ("roaring", "pyroaring", bitmaps),
        ("excelize", "openpyxl", sheets),
    )
    for ours, theirs, jobs in peers:
        try:
            both = importlib.import_module(ours), importlib.import_module(theirs)
        except ImportError as error:
            console().print(f"{ours} beside {theirs}: left out ({error})")
            continue
        for name, (first, second) in jobs(*both).items():
            figures[name] = ratio(first, second)
            made.add_row(name, f"{ours} / {theirs}", f"{figures[name]:.2f}")
    console().print(made)
    record("wrapped", figures)


if __name__ == "__main__":
    main()
