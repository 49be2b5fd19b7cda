"""Stubs of Go packages: annotations of Go's own types, and the classes of records."""

# Requirement: G2

import importlib.util
import os
import subprocess
import sys

import pytest
import type_checker
from selfsame_ffi.core import TypeSchema
from selfsame_ffi.stub import consts
from selfsame_ffi.stub.file_utils import CodeBlock
from selfsame_ffi.stub.python_generator import PythonGenerator
from selfsame_ffi.stub.python_generator.consts import TY_MAP_DEFAULTS
from selfsame_ffi.stub.python_generator.go_types import python_schema
from selfsame_ffi.stub.python_generator.records import Records
from selfsame_ffi.stub.python_generator.utils import Names
from selfsame_ffi.stub.utils import FuncInfo, Options

BEGIN, END = consts.PYTHON_SYNTAX.begin, consts.PYTHON_SYNTAX.end
PACKAGES = ("signatures", "goclasses", "inventory", "forking")


def python(go_packages, *arguments, folder=None):
    """What a process with the Go packages prints."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=1800,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(go_packages)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def generate(go_packages, *arguments):
    python(go_packages, "-m", "selfsame_ffi.stub.cli", "--imports", ";".join(PACKAGES), *arguments)


# mypy reports a `type: ignore` without an error, so these show that an annotation is no Any.
SAMPLE = """
from __future__ import annotations

import io
from datetime import datetime, timedelta, timezone
from typing import Any, Iterator

from signatures import _ffi_api as go

at: datetime
by: timedelta
at, by = go.shift(datetime.now(timezone.utc), timedelta(1))
at = go.shift(1, timedelta(1))[0]  # type: ignore[arg-type]
by = go.shift(at, by)[0]  # type: ignore[assignment]
go.sleep(1.5)  # type: ignore[arg-type]

numbers: list[int] = [n for n in go.squares()]
with go.squares() as squares:
    first: int = next(squares)
words: list[int] = list(go.ticks(3))  # type: ignore[arg-type]
total: float = go.total([1.5]) + go.total(x / 2 for x in range(3))
go.total(1.5)  # type: ignore[arg-type]
table: dict[str, int] = dict(go.items({"a": 1}))
pairs: Iterator[tuple[str, int]] = iter(table.items())
collected: int = go.collect(pairs)["a"]
upto: list[int] = [n for n in go.Counter(2).upto()]

size: int = go.upper(io.BytesIO(b"a"), open("b", "wb"))
go.upper("a", "b")  # type: ignore[arg-type]
data: bytes = go.open("a").read()
text: str = go.open("a").read()  # type: ignore[assignment]

z: complex = go.conjugate(1j)
real: float = go.conjugate(1.5)  # type: ignore[assignment]
big: int = go.power(10, 100)
error = go.outcome(True)[0]
message: str = error.message if error is not None else ""
go.outcome(True)[0].message  # type: ignore[union-attr]

plain: dict[str, Any] = go.plain({"a": [1]})
semver: str = go.semver(1, 2)["text"]

inner = go.Inner(2.0, {"a": True})
options = go.Options(max_depth=1, timeout=timedelta(1), since=at, names=["a"], inner=inner)
found = go.deeper(options)
depth: int = found.max_depth  # type: ignore[union-attr]
if found is not None and found.inner is not None:
    weight: float = found.inner.weight
    tags: dict[str, bool] = dict(found.inner.tags)
found = go.deeper({"max_depth": 1})
go.deeper(inner)  # type: ignore[arg-type]
go.Options(inner={"weight": 2.0})  # type: ignore[arg-type]

joined: str = go.join(",", "a", "b") + go.join(",")
go.join(",", ["a"])  # type: ignore[arg-type]
count: int = go.Counter(2).add(1, 2)
"""


@pytest.mark.skipif(importlib.util.find_spec("tvm_ffi") is None, reason="new files import tvm_ffi")
def test_type_checker_knows_the_types_of_go(go_packages, tmp_path):
    for name in PACKAGES:
        generate(go_packages, "--init-pypkg", "dist", "--init-lib", "lib", "--init-prefix", name, tmp_path)
    (tmp_path / "sample.py").write_text(SAMPLE)
    assert type_checker.complaints(tmp_path, "sample.py", *PACKAGES, modules=tmp_path) == ""


def blocks(path, *before):
    """A file with blocks for the functions of the package signatures."""
    what = ("import-section", "global/signatures@selfsame_ffi")
    lines = [*before, *(line for each in what for line in (f"{BEGIN} {each}", END))]
    path.write_text("\n".join([*lines, "__all__ = [", f"    {BEGIN} __all__", f"    {END}", "]", ""]))
    return path


CALLS = """
import signatures
import stubs

found = stubs.deeper(stubs.Options(max_depth=1, names=["a"], inner=stubs.Inner(weight=2.5)))
assert type(found) is stubs.Options and type(found.inner) is stubs.Inner, found
assert (found.max_depth, list(found.names), found.inner.weight, found.since) == (2, ["a"], 2.5, stubs.Options().since)
assert {"Options", "Inner", "deeper"} <= set(stubs.__all__)
"""


def test_results_are_of_the_classes_of_the_stubs(go_packages, tmp_path):
    path = blocks(tmp_path / "stubs.py")
    generate(go_packages, path)
    (tmp_path / "calls.py").write_text(CALLS)
    python(go_packages, "calls.py", folder=tmp_path)
    generate(go_packages, "--check", path)


def test_a_ty_map_names_the_class_of_a_record(go_packages, tmp_path):
    path = blocks(tmp_path / "stubs.py", f"{consts.PYTHON_SYNTAX.ty_map} signatures.Options -> mine.Search")
    generate(go_packages, path)
    text = path.read_text()
    assert "from mine import Search" in text and "class Options" not in text and "class Search" not in text
    assert "def deeper(_0: Search | Mapping[str, Any], /) -> Search | None: ..." in text


def schema(kind, *args):
    return TypeSchema.from_json_obj({"type": kind, "args": list(args)})


NUMBERS = {"type": "go.Iterator", "args": [{"type": "int"}]}
POINT = {"type": "geo.Point"}


@pytest.mark.parametrize(
    "given, takes, spelled",
    [
        (schema("go.Iterator", {"type": "int"}), False, "go.Iterator[int]"),
        (schema("go.Iterator", {"type": "int"}), True, "go.Iterable[int]"),
        (schema("ffi.Function", NUMBERS, NUMBERS), True, "Callable[[go.Iterator[int]], go.Iterable[int]]"),
        (schema("ffi.Function", NUMBERS, NUMBERS), False, "Callable[[go.Iterable[int]], go.Iterator[int]]"),
        (schema("Optional", POINT), False, "geo.Point | None"),
        (schema("Optional", POINT), True, "geo.Point | Map[str, Any] | None"),
        (schema("ffi.Function", POINT, POINT), True, "Callable[[geo.Point], geo.Point | Map[str, Any]]"),
        (schema("go.Plain"), True, "Any"),
        (schema("go.Plain", schema("ffi.Map", POINT, schema("ffi.Array", POINT).to_json()).to_json()), False,
         "dict[geo.Point, list[geo.Point]]"),
    ],
)  # fmt: skip
def test_arguments_may_be_of_more_types_than_results(given, takes, spelled):
    assert repr(python_schema(given, takes, {"geo.Point"})) == spelled


def declared(*records):
    """The names and the declarations of records, in the order in which annotations use them."""
    raw = [
        {
            "key": key,
            "fields": [{"name": name, "type_schema": f'{{"type": "{kind}"}}'} for name, kind in fields.items()],
        }
        for key, fields in records
    ]
    known, imports = Records(), []
    known.learn([FuncInfo.from_metadata("f", {"records": raw})])
    names = Names(dict(TY_MAP_DEFAULTS), imports, {"taken"}, known)
    spelled = [names.output(key) for key, _ in records]
    known.declare(names, 4)
    return spelled, known.lines, [str(item) for item in imports]


def test_records_get_names_of_their_own():
    keys = ["geo.Options", "shop.Options", "geo.Sequence", "geo.taken"]
    spelled, _, _ = declared(*((key, {}) for key in keys))
    assert spelled == ["Options", "shop_Options", "geo_Sequence", "geo_taken"]


def test_a_record_with_the_name_of_a_class_is_refused():
    generator = PythonGenerator()
    imports = generator.new_imports()
    imports.records.names["geo.Options"] = "Options"
    block = CodeBlock("import-section", "", 1, 2, [f"{BEGIN} import-section", END])
    with pytest.raises(
        ValueError, match="the record `geo.Options` and a class are both called Options; name its class"
    ):
        generator.generate_import_section_block(block, imports, Options(), {"shop.Options"})


@pytest.mark.parametrize("records", [1, [1], [{"key": "geo.Options"}], [{"key": "geo.Options", "fields": [{}]}]])
def test_metadata_with_other_records_name_the_function(records):
    with pytest.raises(ValueError, match="geo.find: expected records in the metadata, got "):
        FuncInfo.from_metadata("geo.find", {"records": records})


def test_a_field_may_have_the_name_of_a_type():
    _, lines, imports = declared(("geo.Blob", {"bytes": "ffi.Bytes", "datetime": "go.Time", "more": "ffi.Bytes"}))
    assert '    more: _bytes = b""' in lines
    assert [line.partition(" = ")[0] for line in lines[4:6]] == ["    bytes: _bytes", "    datetime: _datetime"]
    assert {"from builtins import bytes as _bytes", "from datetime import datetime as _datetime"} == set(imports)
