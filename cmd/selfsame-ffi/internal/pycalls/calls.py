# Run by any Python 3.9 or later: prints what the sources of Python packages say of the native functions that they call,
# as JSON. Nothing of the packages is imported. Arguments: names of packages, or their folders.
import ast
import importlib.util
import json
import pathlib
import re
import sys

SCALARS = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "bytes": "bytes",
    "Tensor": "Tensor",
    "Device": "Device",
}
SEQUENCES = {"list", "List", "Sequence", "Iterable", "Array", "tuple", "Tuple"}
MAPPINGS = {"dict", "Dict", "Mapping", "Map"}
REGISTERS = {"register_object", "_FFI_REG_OBJ", "c_class"}
CONSTRUCTORS = {"__init_handle_by_constructor__"}


def folder_of(name):
    if pathlib.Path(name).is_dir():
        return pathlib.Path(name)
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        sys.exit(f"there is no Python package {name}")
    return pathlib.Path(next(iter(spec.submodule_search_locations)))


def dotted(node):
    """The names of a.b.c; None for any other expression."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node.id, *reversed(names)] if isinstance(node, ast.Name) else None


def text_of(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


class Sources:
    def __init__(self):
        self.trees = {}  # by module
        self.imports = {}  # what a module's names stand for: (module, name or None for the module itself)
        self.prefixes = {}  # of the functions that a module has: init_ffi_api
        self.keys = {}  # type keys by (module, class)
        self.by_class = {}  # type keys by the name of a class alone; "" when several have it
        self.found = {}

    def read(self, folder):
        for path in sorted(folder.rglob("*.py")):
            parts = [folder.name, *path.relative_to(folder).with_suffix("").parts]
            package = parts[-1] == "__init__"
            module = ".".join(parts[:-1] if package else parts)
            try:
                tree = ast.parse(path.read_text(errors="replace"))
            except (SyntaxError, ValueError):
                continue
            self.trees[module] = tree
            self.imports[module] = {}
            for node in ast.walk(tree):
                self.note(module, package, node)

    def note(self, module, package, node):
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = module.split(".")
                up = up[: len(up) - node.level + package]
                base = ".".join([*up, *([base] if base else [])])
            for one in node.names:
                self.imports[module][one.asname or one.name] = (base, one.name)
        elif isinstance(node, ast.Import):
            for one in node.names:
                self.imports[module][one.asname or one.name.split(".")[0]] = (
                    one.name if one.asname else one.name.split(".")[0],
                    None,
                )
        elif (
            isinstance(node, ast.Call)
            and (dotted(node.func) or [""])[-1] in ("init_ffi_api", "_FFI_INIT_FUNC", "_init_api")
            and node.args
        ):
            prefix = text_of(node.args[0])
            target = text_of(node.args[1]) if len(node.args) > 1 else None
            if prefix:
                self.prefixes[target or module] = re.sub(r"^tvm\.", "", prefix)
        elif isinstance(node, ast.ClassDef):
            for decorator in node.decorator_list:
                if (
                    isinstance(decorator, ast.Call)
                    and (dotted(decorator.func) or [""])[-1] in REGISTERS
                    and decorator.args
                ):
                    key = text_of(decorator.args[0])
                    if key:
                        self.keys[module, node.name] = key
                        self.by_class[node.name] = "" if self.by_class.get(node.name, key) != key else key

    def native(self, module, names, depth=0):
        """The registered name that a dotted name stands for in a module; None for what is not native."""
        if names is None or depth > 8:
            return None
        for i in range(len(names), 0, -1):  # a module that has functions, by its whole name
            prefix = self.prefixes.get(".".join([module, *names[:i]]))
            if prefix is not None and i < len(names):
                return ".".join([prefix, *names[i:]])
        if module in self.prefixes and depth and names[0] not in self.imports.get(module, {}):
            return ".".join([self.prefixes[module], *names])
        if (module, names[0]) in self.keys:
            return ".".join([self.keys[module, names[0]], *names[1:]])
        origin = self.imports.get(module, {}).get(names[0])
        if origin is None:
            inner = ".".join([module, names[0]])
            return (
                self.native(inner, names[1:], depth + 1) if depth and len(names) > 1 and inner in self.trees else None
            )
        base, name = origin
        if name is None:
            return self.native(base, names[1:], depth + 1) if len(names) > 1 else None
        whole = f"{base}.{name}"
        if whole in self.trees or whole in self.prefixes:
            return self.native(whole, names[1:], depth + 1) if len(names) > 1 else None
        return self.native(base, [name, *names[1:]], depth + 1) if base in self.trees else None

    # ---- what a call says ----

    def functions(self):
        for module, tree in self.trees.items():
            self.visit(module, tree, None)

    def visit(self, module, node, owner):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                self.visit(module, child, child.name)
            elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.body(module, child, owner)
                self.visit(module, child, owner)
            elif not isinstance(child, ast.expr):
                self.visit(module, child, owner)

    def body(self, module, function, owner):
        calls = []
        for node in ast.walk(function):
            if isinstance(node, ast.Call):
                name, args = self.called(module, node, owner)
                if name is not None:
                    calls.append((name, args))
        for name, args in calls:
            entry = {"args": [], "doc": "", "result": ""}
            described = Described(self, module, function, owner)
            for arg in args:
                if isinstance(arg, ast.Starred):
                    break
                entry["args"].append(described.argument(arg))
            if len(set(name for name, _ in calls)) == 1:
                entry["doc"] = described.summary
                entry["result"] = described.result
            self.found.setdefault(name, []).append(entry)

    def called(self, module, node, owner):
        names = dotted(node.func)
        if names and names[-1] in CONSTRUCTORS and node.args:
            return self.native(module, dotted(node.args[0])), node.args[1:]
        if names and len(names) > 2 and names[0] in ("self", "cls") and names[1] in ("_handle", "handle") and owner:
            return "*." + owner + "." + names[2], node.args  # a method of the class that this one holds a handle of
        if names and names[-1] == "__ffi_init__" and owner and (module, owner) in self.keys:
            return self.keys[module, owner] + ".__init__", node.args[names[0] != "self" :]
        if (
            isinstance(node.func, ast.Call)
            and (dotted(node.func.func) or [""])[-1] == "get_global_func"
            and node.func.args
        ):
            return text_of(node.func.args[0]), node.args
        return self.native(module, names), node.args


def is_class(node):
    names = dotted(node)
    return bool(names) and names[-1][0].isupper() and names[-1] not in ("Any", "Callable", "Union")


class Described:
    """A function of Python that calls a native one."""

    def __init__(self, sources, module, function, owner):
        self.sources, self.module, self.owner = sources, module, owner
        self.known = set(sources.keys.values())
        spec = function.args
        positional = spec.posonlyargs + spec.args
        defaults = [None] * (len(positional) - len(spec.defaults)) + spec.defaults
        self.params = {
            a.arg: (a.annotation, d) for a, d in [*zip(positional, defaults), *zip(spec.kwonlyargs, spec.kw_defaults)]
        }
        stored = {
            node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        for name in stored & self.params.keys():  # the call gets another value than the parameter's default
            self.params[name] = (self.params[name][0], None)
        doc = ast.get_docstring(function) or ""
        self.types = dict(re.findall(r"^(\w+) *: *([^\n]+)$", doc, re.MULTILINE))
        self.summary = " ".join(re.split(r"\n\s*\n", doc.strip())[0].split())
        returned = re.search(r"^Returns\n-+\n(?:\w+ *: *)?([^\n]+)$", doc, re.MULTILINE)
        self.result = self.type(function.returns) or (self.of_doc(returned[1]) if returned else "")

    def argument(self, node):
        name = self.name(node)
        annotation, default = self.params.get(name, (None, None))
        kind = self.type(annotation) or self.of_doc(self.types.get(name, ""))
        if name == "self":
            kind, name = (
                self.sources.keys.get((self.module, self.owner), ""),
                re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", self.owner or "").lower(),
            )
        optional = isinstance(default, ast.Constant) and default.value is None or kind.startswith("Optional[")
        plain = isinstance(node, ast.Name) and isinstance(default, ast.Constant)
        literal = repr(default.value) if plain and isinstance(default.value, (bool, int, float, type(None))) else ""
        if plain and isinstance(default.value, str):
            literal = json.dumps(default.value)
        if (
            isinstance(node, ast.Name)
            and isinstance(default, ast.UnaryOp)
            and isinstance(default.operand, ast.Constant)
        ):
            literal = ast.unparse(default)
        return {"name": name, "type": kind, "optional": optional, "default": literal}

    def name(self, node):
        """A name for the value of an expression; "" for none."""
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute):
            return self.name(node.value) if node.attr.startswith("_") or node.attr in ("value", "handle") else node.attr
        if isinstance(node, ast.Call):
            of = [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
            return next(filter(None, map(self.name, of)), "")
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return self.name(node.generators[0].iter)
        if isinstance(node, ast.IfExp):
            return self.name(node.body) or self.name(node.orelse)
        if isinstance(node, (ast.Subscript, ast.Starred)):
            return self.name(node.value)
        if isinstance(node, ast.BoolOp):
            return next(filter(None, map(self.name, node.values)), "")
        return ""

    # ---- types, as overrides write them; "" for what has none ----

    def type(self, node):
        if node is None:
            return ""
        if isinstance(node, ast.Constant):
            if node.value is None:
                return "None"
            try:
                return self.type(ast.parse(node.value, mode="eval").body) if isinstance(node.value, str) else ""
            except SyntaxError:
                return ""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.union([node.left, node.right])
        names = dotted(node.value if isinstance(node, ast.Subscript) else node)
        if names is None:
            return ""
        last = names[-1]
        if isinstance(node, ast.Subscript):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            if last in ("Optional", "Union"):
                return self.union([*parts, *([ast.Constant(None)] if last == "Optional" else [])])
            if last in SEQUENCES:
                inner = self.type(parts[0]) if len(parts) == 1 or isinstance(parts[-1], ast.Constant) else ""
                return f"Array[{inner or 'Any'}]"
            if last in MAPPINGS:
                return "Map[" + ", ".join(self.type(part) or "Any" for part in parts[:2]) + "]"
            return ""
        key = self.sources.native(self.module, names)
        if key is not None and key in self.known:
            return key
        if last in SEQUENCES:
            return "Array"
        return SCALARS.get(last) if last in SCALARS and len(names) == 1 else self.sources.by_class.get(last, "")

    def union(self, parts):
        kinds = [self.type(part) for part in parts]
        rest = list(dict.fromkeys(kind for kind in kinds if kind != "None"))
        objects = [kind in self.known for kind in kinds] + [
            not kind and is_class(part) for kind, part in zip(kinds, parts)
        ]
        found = (
            rest[0] if len(rest) == 1 else "Object" if any(objects[: len(parts)]) and sum(objects) == len(rest) else ""
        )
        return f"Optional[{found}]" if found and "None" in kinds and not found.startswith("Optional[") else found

    def of_doc(self, text):
        """The type that a docstring names: `tvm.te.Tensor or Expr, optional`."""
        text = re.sub(r"[`.]$|:\w+:`|`", "", text.strip())
        parts = [part.strip() for part in re.split(r",|\bor\b|\|", text) if part.strip()] if "[" not in text else [text]
        optional = any(part in ("optional", "None") for part in parts)
        nodes = []
        for part in parts:
            if part in ("optional", "None") or part.startswith(("default", "required")):
                continue
            elements = re.match(r"(?:list|tuple|array|sequence)s? of (\S+?)s?$", part, re.IGNORECASE)
            try:
                nodes.append(ast.parse(f"list[{elements[1]}]" if elements else part, mode="eval").body)
            except SyntaxError:
                return ""
        found = self.union(nodes) if nodes else ""
        return f"Optional[{found}]" if optional and found and not found.startswith("Optional[") else found


def main():
    sources = Sources()
    for name in sys.argv[1:]:
        sources.read(folder_of(name))
    sources.functions()
    print(json.dumps(sources.found))


main()
