"""Stubs between markers: the command on files, and type checkers' view of what it writes."""

import ast
import inspect
import json
import subprocess
import sys

import pytest
from selfsame_ffi import Object, method, register_global_func
from selfsame_ffi.dataclasses import field, py_class
from selfsame_ffi.stub import cli, consts
from selfsame_ffi.stub.layout import classify
from selfsame_ffi.stub.lib_state import collect_type_keys, object_info_from_type_key, toposort_objects
from selfsame_ffi.stub.python_generator.words import docstring
from selfsame_ffi.stub.rust_generator.utils import rust_ident

register_global_func("test_stub_new.double", lambda x: 2 * x)
# The TypeInfo of a type lives as long as the process; made here, they are no test's leftovers.
INFOS = {key: object_info_from_type_key(key) for group in collect_type_keys().values() for key in group}
BEGIN, END = consts.PYTHON_SYNTAX.begin, consts.PYTHON_SYNTAX.end


@py_class("test_stub.Base")
class Base(Object):
    name: str
    sizes: list[int] = field(default_factory=list)

    @method
    def total(self, extra: int) -> int:
        return sum(self.sizes) + extra


@py_class("test_stub.Derived")
class Derived(Base):
    parent: Base


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["stub", *map(str, arguments)])
    return cli.__main__()


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "classes.py"
    lines = [f"{BEGIN} import-section", END, "class Base:", f"    {BEGIN} object/test_stub.Base", f"    {END}", ""]
    path.write_text("\n".join(lines))
    return path


def test_a_block_is_filled_once(monkeypatch, source):
    assert run(monkeypatch, source) == 0
    text = source.read_text()
    ast.parse(text)
    assert "    name: str\n" in text and "    sizes: MutableSequence[int]\n" in text
    assert "def __init__(self, name: str, sizes: Sequence[int] = ...) -> None: ..." in text
    assert "def total(self, _1: int, /) -> int: ..." in text
    assert "from collections.abc import MutableSequence, Sequence" in text
    assert run(monkeypatch, source) == 0 and source.read_text() == text


DOCS = [
    ("The sum.", ['"""The sum."""']),
    ("First.\n\n\tcode\r\nLast. ", ['"""First.', "", "    code", "Last.", '"""']),
    ('C:\\new says """no"""', ['"""C:\\\\new says \\"\\"\\"no\\"\\"\\""""']),
    ("a\0b\rc\u2028d \u00e9 \U0001f600", ['"""a\\x00b\\x0dc\\u2028d \u00e9 \U0001f600"""']),
    ("First.\n# tvm-ffi-stubgen(end)", ['"""First.', "\\x23 tvm-ffi-stubgen(end)", '"""']),
    ('The "end"', ['"""The "end\\""""']),
    ("  \n", []),
]


@pytest.mark.parametrize("doc, lines", DOCS)
def test_comments_become_docstrings(doc, lines):
    assert docstring(doc, 0) == lines
    written = "\n".join(["def f():", *docstring(doc, 4), "    ..."])
    plain = doc.replace("\r\n", "\n").expandtabs(4).strip()
    assert (ast.get_docstring(ast.parse(written).body[0]) or "") == inspect.cleandoc(plain)


def test_a_go_package_keeps_its_docs(monkeypatch, go, tmp_path):
    arguments = ["--init-pypkg", "dist", "--init-lib", "lib", "--init-prefix", "signatures", tmp_path]
    assert run(monkeypatch, *arguments) == 0
    path = tmp_path / "signatures" / "_ffi_api.py"
    text = path.read_text()
    (counter,) = (node for node in ast.walk(ast.parse(text)) if getattr(node, "name", "") == "Counter")
    assert ast.get_docstring(counter) == go.Counter.__doc__
    assert '    n: int\n    """N is the number."""\n' in text
    docs = {
        node.name: ast.get_docstring(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)
    }
    assert docs["shift"] == "shift moves a time.\n\nThe zone stays."
    assert docs["same"] == "same says whether another counter counts to the same number."
    assert run(monkeypatch, *arguments) == 0 and path.read_text() == text, "the second run changes it"


def test_check_and_dry_run_write_nothing(monkeypatch, source, capsys):
    before = source.read_text()
    assert run(monkeypatch, "--check", source) == 1
    assert f"[Stale] {source}" in capsys.readouterr().out
    assert run(monkeypatch, "--dry-run", "--verbose", source) == 0
    assert "+    name: str" in capsys.readouterr().out
    assert source.read_text() == before
    assert run(monkeypatch, source) == 0 and run(monkeypatch, "--check", source) == 0


def test_a_prefix_gets_a_block_for_each_type(monkeypatch, tmp_path):
    path = tmp_path / "all.py"
    gone = f"\n{BEGIN} object/test_stub.Gone\n{END}"
    path.write_text(f"{consts.PYTHON_SYNTAX.directive('prefix')} test_stub{gone}\n")
    assert run(monkeypatch, path) == 0
    text = path.read_text()
    assert text.index("object/test_stub.Base") < text.index("object/test_stub.Derived")
    assert "Gone" not in text


@pytest.mark.parametrize(
    "text, message",
    [
        (f"{BEGIN} object/test_stub.Gone\n{END}\n", "no longer registered"),
        (f"{consts.PYTHON_SYNTAX.ty_map} a b\n", "line 1: a ty-map is written"),
        (f"{consts.PYTHON_SYNTAX.directive('magic')} x\n", "Unknown directive `magic` at line 1"),
    ],
)
def test_errors_name_the_file(monkeypatch, tmp_path, capsys, text, message):
    path = tmp_path / "wrong.py"
    path.write_text(text)
    assert run(monkeypatch, path) == 2
    output = capsys.readouterr().out
    assert f'File "{path}"' in output and message in output


def test_new_files_for_a_prefix(monkeypatch, tmp_path):
    arguments = ["--init-pypkg", "dist", "--init-lib", "lib", "--init-prefix", "test_stub", tmp_path]
    assert run(monkeypatch, *arguments) == 0
    package = tmp_path / "test_stub"
    text = (package / "_ffi_api.py").read_text()
    ast.parse(text)
    assert 'LIB = _FFI_LOAD_LIB("dist", "lib")' in text and "class Derived(Base):" in text
    assert '    "Base",\n    "Derived",\n' in text
    assert "from ._ffi_api import *" in (package / "__init__.py").read_text()
    assert not (tmp_path / "test_stub_new").exists()
    before = sorted((path, path.read_text()) for path in package.iterdir())
    assert run(monkeypatch, *arguments) == 0
    assert sorted((path, path.read_text()) for path in package.iterdir()) == before


def test_coverage_report(tmp_path):
    report = tmp_path / "coverage.json"
    command = [sys.executable, "-m", "selfsame_ffi.stub.cli", "--coverage-out", str(report)]
    subprocess.run(command, check=True)
    assert json.loads(report.read_text())["ffi.Object"]["verdict"] == "complete"


def test_declared_types_are_complete():
    infos = {key: object_info_from_type_key(key) for key in ("test_stub.Derived", "test_stub.Base", "ffi.Object")}
    assert classify(INFOS)["ffi.Object"].is_complete
    verdict = classify(infos)["test_stub.Derived"]
    assert verdict.is_complete, verdict.detail
    assert [place.name for place in verdict.fields] == ["parent"]
    assert verdict.own_bytes.start == Base.__tvm_ffi_type_info__.total_size


def test_types_come_after_their_ancestors():
    infos = toposort_objects(["test_stub.Derived", "test_stub.Base"])
    assert [info.type_key for info in infos] == ["test_stub.Base", "test_stub.Derived"]


def test_rust_structs_have_the_fields_at_their_places(monkeypatch, tmp_path):
    (tmp_path / "Cargo.toml").write_text("[package]\n")
    (tmp_path / "src").mkdir()
    path = tmp_path / "src" / "shop.rs"
    path.write_text(f"{consts.RUST_SYNTAX.directive('prefix')} test_stub\n")
    assert run(monkeypatch, "--target", "rust", tmp_path) == 0
    text = path.read_text()
    assert "pub struct DerivedObj {\n    base: BaseObj,\n    pub parent: Base,\n}" in text
    assert f"size_of::<DerivedObj>() == {Derived.__tvm_ffi_type_info__.total_size}" in text
    assert "pub fn new(name: impl Into<String>, sizes: impl Into<List<i64>>) -> Self {" in text
    assert "tvm_ffi::impl_object_upcast!(Derived => Base);" in text
    path.write_text(text.replace("use ", "  use ").replace("    pub parent", "pub parent"))
    assert run(monkeypatch, "--target", "rust", "--check", tmp_path) == 0  # only the layout of the text differs
    path.write_text(text.replace("parent: Base,", "parent: Other,"))
    assert run(monkeypatch, "--target", "rust", "--check", tmp_path) == 1


def test_names_in_rust_are_no_keywords():
    names = {"type": "r#type", "self": "self_", "base": "base_", "imports_": "imports", "__dict__": "dict", "_": "_"}
    assert {name: rust_ident(name) for name in names} == names
