"""Counts in wrapped packages what a reviewer of Python interfaces objects to, as a Markdown table.

Usage: python3 -m scripts.wrap.objections FOLDER

Reads the packages that `make wrap` built below FOLDER. Fails when more than a twentieth of what could have a fault
has it.
"""

from __future__ import annotations

import ast
import collections
import pathlib
import re
import sys
from collections.abc import Iterator

from scripts.tools import tables

MOST = 1 / 20
CLASSES, CALLABLES, DOCS, PARAMETERS, EXCEPTIONS = "classes", "callables", "docstrings", "parameters", "exceptions"
GO_WORDS = re.compile(r"\b(goroutines?|panics?|slices?|pointers?|nil|func)\b|\[\][A-Za-z]|\bmap\[|\b\w+ := ")
CAMEL = re.compile(r"\b[a-z]+[a-z0-9]*[A-Z]\w*\b")
HOOKS = re.compile(r"(un)?marshal_(binary|text|json)|gob_(en|de)code")
MEANS = re.compile(
    "Invalid|Malformed|Syntax|Range|Not(Found|Exist|Support|Implement)|NoSuch|Unknown|Timeout|TimedOut|Deadline|Permission|Denied"
)
ITEMS = ("Sequence", "Mapping", "Set", "Iterator", "Iterable", "_Items")


def functions(
    body: list[ast.stmt], of: ast.ClassDef | None = None
) -> Iterator[tuple[ast.ClassDef | None, ast.FunctionDef]]:
    for node in body:
        if isinstance(node, ast.If):
            yield from functions(node.body, of)
        elif isinstance(node, ast.ClassDef):
            yield from functions(node.body, node)
        elif isinstance(node, ast.FunctionDef):
            yield of, node


def classes(body: list[ast.stmt]) -> Iterator[ast.ClassDef]:
    return (node for node in body if isinstance(node, ast.ClassDef))


def keeps_go(doc: str, names: set[str]) -> bool:
    """Whether a docstring has words of Go, or spells a parameter or a function as Go does."""
    spelled = {re.sub(r"(?<!^)(?=[A-Z])", "_", word).lower() for word in CAMEL.findall(doc)}
    return GO_WORDS.search(doc) is not None or bool(spelled & names)


class Count:
    """What was counted: the faults by objection, and of what there were how many."""

    def __init__(self) -> None:
        self.faults: collections.Counter[tuple[str, str]] = collections.Counter()
        self.all: collections.Counter[str] = collections.Counter()

    def add(self, of: str, **found: bool) -> None:
        self.all[of] += 1
        for objection, is_there in found.items():
            self.faults[objection.replace("_", " "), of] += is_there

    def package(self, tree: ast.Module) -> None:
        names = {f.name for _, f in functions(tree.body)}
        for c in classes(tree.body):
            bases = " ".join(ast.unparse(base) for base in c.bases)
            if c.name.endswith("Error"):
                self.add(
                    EXCEPTIONS,
                    a_RuntimeError_with_a_meaning=bases == "RuntimeError" and MEANS.search(c.name) is not None,
                )
            elif c.name != "_GoValue":
                self.klass(c, bases)
        for of, f in functions(tree.body):
            if of is None or not of.name.endswith("Error"):
                self.function(of, f, names)

    def klass(self, c: ast.ClassDef, bases: str) -> None:
        found = [f for _, f in functions(c.body)]
        members = {f.name for f in found}
        # Such as _ffi.register_object("shop.url.URL").
        key = next((text for d in c.decorator_list if "register_object" in (text := ast.unparse(d))), "")
        is_enum = "Enum" in bases or "Flag" in bases
        values = sum(isinstance(node, ast.Assign) for node in c.body) > 2
        is_abc = any(item in bases for item in ITEMS)
        self.add(
            CLASSES,
            of_another_package_in_the_module=key.count(".") > 2 and not c.name.startswith("_"),
            a_twin_of_an_exception=c.name.endswith("ErrorValue"),
            text_beside_str="string" in members and "__str__" in members,
            constants_without_an_enum=values and not is_enum,
            items_without_an_ABC={"__getitem__", "__len__"} <= members and not is_abc,
            equality_without_a_hash="__eq__" in members and "__hash__" not in members and not mutable(found),
            items_without_a_loop="__getitem__" in members and "__iter__" not in members and not is_abc,
        )

    def function(self, of: ast.ClassDef | None, f: ast.FunctionDef, names: set[str]) -> None:
        arguments = [*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs]
        arguments = arguments[1:] if of is not None and arguments and arguments[0].arg == "self" else arguments
        doc = ast.get_docstring(f)
        if doc:
            self.add(DOCS, words_of_Go=keeps_go(doc, names | {a.arg for a in arguments}))
        result = ast.unparse(f.returns) if f.returns else ""
        self.add(
            CALLABLES,
            a_result_of_any_type=result == "_typing.Any",
            a_result_that_is_a_Function="_ffi.Function" in result,
            hooks_of_Go=HOOKS.fullmatch(f.name) is not None,
            set_x_beside_a_property=of is not None
            and f.name.startswith("set_")
            and f.name[4:] in {m.name for _, m in functions(of.body)},
            new_x_in_the_module=of is None and f.name.startswith("new_"),
        )
        for a in arguments:
            text = ast.unparse(a.annotation) if a.annotation else ""
            self.add(
                PARAMETERS,
                of_any_type=text == "_typing.Any",
                a_callable_of_anything="Callable[..., _typing.Any]" in text,
                without_a_name=re.fullmatch(r"arg\d+|_\d+", a.arg) is not None,
            )


def mutable(found: list[ast.FunctionDef]) -> bool:
    """Whether a class has a field that can be set, or elements: Python hashes no such value."""
    setters = any(ast.unparse(d).endswith(".setter") for f in found for d in f.decorator_list)
    return setters or any(f.name in ("__setitem__", "__len__") for f in found)


def main() -> None:
    count, packages = Count(), sorted(pathlib.Path(sys.argv[1]).glob("*/build/*/__init__.py"))
    if not packages:
        sys.exit(f"{sys.argv[1]}: no package; run `make wrap` first")
    for path in packages:
        count.package(ast.parse(path.read_text()))
    rows, worst = [], 0.0
    for (objection, of), n in count.faults.items():
        share = n / count.all[of]
        worst = max(worst, share)
        rows.append([objection, f"{n} of {count.all[of]} {of}", f"{100 * share:.1f} %"])
    print(tables.markdown(["objection", "found", "share"], rows))
    print(f"{len(packages)} packages: {', '.join(path.parent.name for path in packages)}")
    sys.exit(1 if worst > MOST else 0)


if __name__ == "__main__":
    main()
