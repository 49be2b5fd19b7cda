"""Where names are defined: in stubs, else in sources. The package typeshed_client finds and reads both."""

import ast
import importlib.util
import os
import sys
from pathlib import Path

from typeshed_client import ImportedName, NameInfo, OverloadedName, get_search_context, get_stub_names
from typeshed_client.parser import parse_ast


class Names:
    """The names of modules, each read once. Overrides, the text of a stub, go before those of the module described."""

    def __init__(self, module, overrides=""):
        paths = [Path(path or os.getcwd()) for path in sys.path]
        self.context = get_search_context(version=sys.version_info[:2], search_path=paths, allow_py_files=True)
        self.known = {}
        if overrides:
            tree = ast.parse(overrides, "the overrides")
            own = parse_ast(tree, self.context, tuple(module.split(".")), file_path=Path("overrides.pyi"))
            self.known[module] = merged(self.of(module), own)

    def of(self, module):
        """The names of a module; none where it has neither a stub nor a source."""
        if module not in self.known:
            self.known[module] = {}
            try:
                self.known[module] = self.read(module)
            except Exception as error:  # what is no valid stub, and whatever else the text of others may cause
                print(f"{module}: {error}", file=sys.stderr)
        return self.known[module]

    def read(self, module):
        found = get_stub_names(module, search_context=self.context)
        if found is None and "." not in module:  # a module of one file
            spec = importlib.util.find_spec(module)
            path = Path(spec.origin) if spec is not None and spec.has_location else None
            if path is not None:
                path = path.with_suffix(".pyi") if path.with_suffix(".pyi").is_file() else path
            if path is not None and path.suffix in (".py", ".pyi"):
                tree = ast.parse(path.read_text(encoding="utf-8"))
                found = parse_ast(tree, self.context, (module,), file_path=path)
        return found or {}

    def find(self, module, name):
        """The module that defines a name, the name there, and what is known of it: None where it is not known."""
        for _ in range(20):
            info = self.of(module).get(name)
            if info is None:
                break
            of = info.ast
            if isinstance(of, OverloadedName) and all(isinstance(one, ImportedName) for one in of.definitions):
                of = of.definitions[0]
            if not isinstance(of, ImportedName):
                return module, name, info
            if of.name is None:
                return ".".join(of.module_name), "", None
            module, name = ".".join(of.module_name), of.name
        if not self.of(module) or self.is_module(f"{module}.{name}"):
            return (f"{module}.{name}", "", None) if self.is_module(f"{module}.{name}") else (module, name, None)
        return module, name, None

    def is_module(self, name):
        if name in self.known:
            return bool(self.known[name])
        parent = sys.modules.get(name.rpartition(".")[0])
        return parent is not None and hasattr(parent, "__path__") and bool(self.of(name))

    def resolve(self, module, node):
        """What an expression of a type names, as `find` returns it."""
        if isinstance(node, ast.Name):
            found = self.find(module, node.id)
            if found[2] is None and found[0] == module and found[1]:
                builtin = self.of("builtins").get(node.id)
                return ("builtins", node.id, builtin) if builtin is not None else found
            return found
        if isinstance(node, ast.Attribute):
            of, name, _ = self.resolve(module, node.value)
            return self.find(of, node.attr) if not name else (of, f"{name}.{node.attr}", None)
        return module, "", None


def merged(names, own):
    """Names with those of overrides in their place; a class of the overrides replaces only the members that it has."""
    made = dict(names)
    for name, info in own.items():
        before = names.get(name)
        if info.child_nodes and before is not None and before.child_nodes:
            children = {**before.child_nodes, **info.child_nodes}
            made[name] = NameInfo(name, True, before.ast, children)
        elif not isinstance(info.ast, ImportedName) or before is None:
            made[name] = info
    return made


def definitions(node):
    """The defs of a name: of one with overloads these, not what implements them."""
    all_of = node.definitions if isinstance(node, OverloadedName) else [node]
    defs = [one for one in all_of if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    overloads = [one for one in defs if "overload" in decorators(one)]
    return overloads or defs


def decorators(node):
    """The last names of a definition's decorators."""
    made = set()
    for decorator in getattr(node, "decorator_list", ()):
        of = decorator.func if isinstance(decorator, ast.Call) else decorator
        made.add(name_of(of))
    return made


def name_of(node):
    """The last part of a name; empty for any other expression."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
