"""Each program finds the modules of the repository that it imports: programs of bench/ and scripts/ run in no suite.

The programs of scripts/ are one package, whose modules are named by their whole path. Programs of bench/ and
conformance/ name the modules beside them.
"""

import ast
import os
import pathlib
import re
import sys
from pathlib import Path

import pytest
from repository import ROOT

FOLDERS = ("bench", "scripts", "conformance")
PROGRAMS = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")) if "build" not in path.parts]
MODULES = {path.stem for path in PROGRAMS} | {
    path.stem for path in (ROOT / "python" / "tests" / "support").glob("*.py")
}


def inserted_folders(program: Path) -> list[Path]:
    """Return the folders that the program puts on sys.path, without those that its caller names."""
    tree = ast.parse(program.read_text(encoding="utf-8"))
    names: dict = {
        "os": os,
        "__file__": str(program),
        "Path": Path,
        "pathlib": pathlib,
        "str": str,
        "ROOT": ROOT,
    }
    for node in tree.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and "__file__" in ast.unparse(node.value)
        ):
            names[node.targets[0].id] = eval(ast.unparse(node.value), names)  # noqa: S307 (the text is ours)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"sys.path.insert", "sys.path.append"}:
            try:
                found.append(Path(eval(ast.unparse(node.args[-1]), names)))  # noqa: S307 (the text is ours)
            except (NameError, KeyError):  # a variable of the program, or one of the environment
                continue
    return found


def imported_modules(tree: ast.Module) -> set[str]:
    """Return the first names of the modules that are imported at the top of the program."""
    names = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def missing_modules(program: Path) -> list[str]:
    """Return the modules of the repository that the program imports and that no folder on its path has."""
    imported = imported_modules(ast.parse(program.read_text(encoding="utf-8")))
    folders = [program.parent]
    # A module beside the program, and the conftest.py of its folder, may extend the path as well.
    for source in [program, program.with_name("conftest.py"), *(program.with_name(f"{name}.py") for name in imported)]:
        if source.exists():
            folders += inserted_folders(source)
    ours = (imported & MODULES) - set(sys.stdlib_module_names)
    return sorted(
        name
        for name in ours
        if not any((folder / f"{name}.py").exists() or (folder / name).is_dir() for folder in folders)
    )


def unknown_names(program: Path) -> list[str]:
    """Return what the program imports from a package of the repository that has no such module or name."""
    found = []
    for node in ast.walk(ast.parse(program.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or (node.module or "").split(".")[0] not in ("scripts", "conformance"):
            continue
        folder = ROOT.joinpath(*str(node.module).split("."))
        source = folder.with_suffix(".py")
        text = source.read_text(encoding="utf-8") if source.is_file() else ""
        tree = ast.parse(text)
        defined = {
            target.id
            for each in ast.walk(tree)
            if isinstance(each, (ast.Assign, ast.AnnAssign))
            for target in ast.walk(each)
            if isinstance(target, ast.Name)
        }
        defined |= {each.name for each in tree.body if isinstance(each, (ast.FunctionDef, ast.ClassDef))}
        for alias in node.names:
            if alias.name not in defined and not (folder / f"{alias.name}.py").is_file():
                found.append(f"{node.module}.{alias.name}")
    return found


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_program_finds_what_it_imports(program):
    assert missing_modules(program) == []


def test_a_module_that_has_moved_is_missed(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import sys\nsys.path.insert(0, 'elsewhere')\nimport native_build\n", encoding="utf-8")
    assert missing_modules(program) == ["native_build"]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_of_the_package_are_there(program):
    assert unknown_names(program) == []


def test_a_name_that_has_moved_is_missed(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("from scripts.tools.commands import nowhere, run\nfrom scripts.wheels import targets, gone\n")
    assert unknown_names(program) == ["scripts.tools.commands.nowhere", "scripts.wheels.gone"]


def test_no_program_of_the_package_changes_the_path():
    """Only the helpers of the test suites, and what runs in another system's Python, stand outside of the package."""
    outside = {"checks/conftest.py", "checks/test_fast_paths.py", "checks/test_program_imports.py"}
    outside |= {f"{system}/checks.py" for system in ("musl", "windows")}
    found = {
        path.relative_to(ROOT / "scripts").as_posix()
        for path in PROGRAMS
        if (ROOT / "scripts") in path.parents and re.search(r"^\s*sys\.path", path.read_text(), re.MULTILINE)
    }
    assert found <= outside
