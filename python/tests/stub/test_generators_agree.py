"""The two generators of Python code, selfsame-ffi build and the stubs of tvm-ffi-stubgen, on the same library.

RATIONALE.md, "Why there are two generators of Python code, and two of Rust".
"""

# Requirement: G2

import ast
import os
import subprocess
import sys

import pytest


class _Common(ast.NodeTransformer):
    """Annotations without modules, in the words that both generators have for a type."""

    WORDS = {
        "Array": "Sequence",
        "List": "MutableSequence",
        "Map": "Mapping",
        "Dict": "MutableMapping",
        "Tuple": "tuple",
        "Function": "Callable",
        "AbstractSet": "Set",
        "SupportsDLPack": "Tensor",  # what a parameter takes besides
        "Buffer": "bytes",
    }

    def visit_Attribute(self, node):
        # typing's Set is the builtin one.
        return self.visit(ast.Name("set" if ast.unparse(node) == "_typing.Set" else node.attr))

    def visit_Name(self, node):
        name = node.id.removeprefix("_")
        return ast.Name(self.WORDS.get(name, name))

    def visit_BinOp(self, node):
        """Stubs name Errors and containers alone, as the published generator writes them; a call takes more."""
        node = self.generic_visit(node)
        return node.left if ast.unparse(node.right) in ("BaseException", "Tensor", "bytes", "SupportsArrow") else node

    def visit_Subscript(self, node):
        node = self.generic_visit(node)
        return node.value if ast.unparse(node.value) == "Callable" else node


def signatures_in(text):
    """The types of parameters and result of each function and method of a module, and of each field."""
    found = {}

    def spelled(annotation):
        return ast.unparse(_Common().visit(annotation))

    def of_function(node):
        arguments = node.args
        given = [*arguments.posonlyargs, *arguments.args, *filter(None, [arguments.vararg]), *arguments.kwonlyargs]
        return [spelled(each.annotation) for each in given if each.arg != "self"] + [spelled(node.returns)]

    def look(body, prefix):
        for node in [each for top in body for each in (top.body if isinstance(top, ast.If) else [top])]:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                found.setdefault(prefix + node.name, of_function(node))  # the getter of a property, not its setter
            elif isinstance(node, ast.AnnAssign) and prefix and "ClassVar" not in ast.unparse(node.annotation):
                # A name that the module needs itself has an underscore there.
                found[prefix + node.target.id.rstrip("_")] = [spelled(node.annotation)]
            elif isinstance(node, ast.ClassDef):
                look(node.body, node.name + ".")

    look(ast.parse(text).body, "")
    return found


@pytest.mark.parametrize("package", ["forking", "geo", "goclasses", "inventory", "shop", "signatures"])
def test_both_generators_give_the_same_types(go_packages, tmp_path, package):
    new_files = ["--init-pypkg", "dist", "--init-lib", "lib", "--init-prefix", package, str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "selfsame_ffi.stub.cli", "--imports", package, *new_files],
        capture_output=True,
        text=True,
        timeout=1800,
        env={**os.environ, "PYTHONPATH": str(go_packages)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    built = signatures_in((go_packages / package / "__init__.py").read_text(encoding="utf-8"))
    stubs = signatures_in((tmp_path / package / "_ffi_api.py").read_text(encoding="utf-8"))
    assert {name: types for name, types in stubs.items() if name in built} == {
        name: types for name, types in built.items() if name in stubs
    }
    # Only modules have the properties of an enum, and properties instead of the methods that implement them.
    only_built, only_stubs = built.keys() - stubs.keys(), stubs.keys() - built.keys()
    assert {name.partition(".")[2] for name in only_built} <= {"name", "value"}
    assert all(name.replace(".set_", ".") in built for name in only_stubs)
    assert len(built) > 2 * len(only_built)
