# Run by the interpreter that has a module: prints what its stubs say of it, as JSON. The package typeshed_client finds
# and reads the stubs; those of the standard library come with it.
import ast
import importlib
import inspect
import json
import sys

from typeshed_client import ImportedName, OverloadedName, get_search_context, get_stub_names

NUMBERS = {"int": "int", "float": "float", "bool": "bool", "str": "str", "bytes": "bytes", "None": "none"}
SEQUENCES = {
    "list",
    "List",
    "Sequence",
    "MutableSequence",
    "Collection",
    "Iterable",
    "Set",
    "set",
    "frozenset",
    "AbstractSet",
}
ITERATORS = {"Iterator", "Iterable", "Generator"}
MAPPINGS = {"dict", "Dict", "Mapping", "MutableMapping"}
WRAPPERS = {"ClassVar", "Final", "Annotated", "ReadOnly", "Required", "NotRequired"}
# Python calls itself where something has to be an index or a number.
PROTOCOLS = {
    "SupportsIndex": "int",
    "ConvertibleToInt": "int",
    "ConvertibleToFloat": "float",
    "StrPath": "str",
    "StrOrBytesPath": "str",
}


def name_of(node):
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


class Module:
    def __init__(self, name):
        self.name = name
        self.module = importlib.import_module(name)
        self.context = get_search_context(version=sys.version_info[:2])
        self.names = {
            n: self.resolved(info) for n, info in (get_stub_names(name, search_context=self.context) or {}).items()
        }
        self.classes = {
            n for n, info in self.names.items() if isinstance(info.ast, ast.ClassDef) and self.is_public(n, info)
        }
        self.left_out = []

    def resolved(self, info):
        """What a name stands for that the module takes from another module of its package."""
        for _ in range(5):
            of = info.ast
            if not isinstance(of, ImportedName) or of.name is None or of.module_name[0] != self.name.split(".")[0]:
                break
            found = (get_stub_names(".".join(of.module_name), search_context=self.context) or {}).get(of.name)
            if found is None:
                break
            info = found._replace(is_exported=info.is_exported)
        return info

    def is_public(self, name, info):
        return info.is_exported and not name.startswith("_") and hasattr(self.module, name)

    # ---- types: ["int"], ["list", element], ["class", name], and ["any", reason] for what stays dynamic ----

    def type(self, node, of="", result=False, depth=0):
        if node is None:
            return ["any", "it has no type"]
        if depth > 8:
            return ["any", "its type is too deep"]
        inner = lambda part: self.type(part, of, result, depth + 1)  # noqa: E731
        if isinstance(node, ast.Constant):
            if node.value is None:
                return ["none"]
            if isinstance(node.value, str):
                return inner(ast.parse(node.value, mode="eval").body)
            return ["any", "its type is a constant"]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.union([inner(node.left), inner(node.right)])
        if isinstance(node, ast.Subscript):
            return self.generic(node, of, result, inner)
        name = name_of(node)
        if name in NUMBERS:
            return [NUMBERS[name]]
        if name in PROTOCOLS and not result:
            return [PROTOCOLS[name]]
        if name == "Self" and of:
            return ["class", of]
        if name in self.classes:
            return ["class", name]
        if self.aliased(name) is not None:
            return inner(self.aliased(name))
        return ["any", "any object" if name in ("Any", "object") else f"its type is {ast.unparse(node)}"]

    def aliased(self, name):
        """The value of an alias of a type; None for any other name. A call makes a TypeVar."""
        known = self.names.get(name)
        if (
            known is None
            or not isinstance(known.ast, (ast.Assign, ast.AnnAssign))
            or isinstance(known.ast.value, ast.Call)
        ):
            return None
        return known.ast.value

    def generic(self, node, of, result, inner):
        name = name_of(node.value)
        known = self.names.get(name)
        if known is not None and isinstance(known.ast, ImportedName) and known.ast.name:  # Literal as L
            name = known.ast.name
        if self.aliased(name) is not None:
            return inner(self.aliased(name))
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name == "Optional":
            return self.union([inner(parts[0]), ["none"]])
        if name == "Union":
            return self.union([inner(part) for part in parts])
        if name in WRAPPERS:
            return inner(parts[0])
        if name == "Literal":
            kinds = {type(part.value).__name__ for part in parts if isinstance(part, ast.Constant)}
            return [kinds.pop()] if len(kinds) == 1 and kinds <= set(NUMBERS) else ["any", "its type is a union"]
        if result and name in ITERATORS:
            return ["iterator", inner(parts[0])]
        if name in SEQUENCES:
            return ["list", inner(parts[0])]
        if name in MAPPINGS and len(parts) == 2:
            key = inner(parts[0])
            return (
                ["dict", key, inner(parts[1])]
                if key[0] in ("str", "int")
                else ["any", "its type is a dict of other keys"]
            )
        if name in self.classes:
            return ["class", name]
        return ["any", f"its type is {ast.unparse(node)}"]

    def union(self, types):
        flat = []
        for one in types:
            for part in one[1:] if one[0] == "optional" else [one]:
                if part not in flat:
                    flat.append(part)
            if one[0] == "optional" and ["none"] not in flat:
                flat.append(["none"])
        rest = [one for one in flat if one != ["none"]]
        if ["float"] in rest and ["int"] in rest:  # an int is a float wherever one is wanted
            rest.remove(["int"])
        if len(rest) != 1:
            return ["any", "its type is a union"]
        if rest[0][0] == "any" or ["none"] not in flat:
            return rest[0]
        return ["optional", rest[0]]

    # ---- functions ----

    def function(self, name, node, of="", bound=False):
        """A def, or several of an overloaded one."""
        defs = node.definitions if isinstance(node, OverloadedName) else [node]
        defs = [d for d in defs if isinstance(d, (ast.FunctionDef, ast.AsyncFunctionDef))]
        all_params = [self.parameters(d, of, bound) for d in defs]
        longest = max(all_params, key=len)
        for param in longest:
            same = [p for params in all_params for p in params if p["name"] == param["name"]]
            if any(p["type"] != param["type"] for p in same):
                param["type"] = ["any", "its overloads differ"]
            # One that some overload can do without is an option.
            if len(same) < len(defs) or any(not p["required"] for p in same):
                param["required"] = param["required"] and param["kind"] == "positional-only"
        results = [self.type(d.returns, of, True) for d in defs]
        if any(isinstance(d, ast.AsyncFunctionDef) for d in defs):
            results = [["any", "it is a coroutine: await it"]]
        same = all(r == results[0] for r in results)
        return {"name": name, "params": longest, "result": results[0] if same else ["any", "its overloads differ"]}

    def parameters(self, node, of, bound):
        args = node.args
        positional = args.posonlyargs + args.args
        defaults = [None] * (len(positional) - len(args.defaults)) + list(args.defaults)
        out = []
        for i, (arg, default) in enumerate(zip(positional, defaults)):
            if i == 0 and bound:
                continue
            only = i < len(args.posonlyargs) or arg.arg.startswith("__")
            out.append(self.parameter(arg, "positional-only" if only else "positional", default is None, of))
        if args.vararg:
            out.append(self.parameter(args.vararg, "varargs", False, of))
        for arg, default in zip(args.kwonlyargs, args.kw_defaults):
            out.append(self.parameter(arg, "keyword", default is None, of))
        return out

    def parameter(self, arg, kind, required, of):
        return {"name": arg.arg.lstrip("_"), "type": self.type(arg.annotation, of), "kind": kind, "required": required}

    # ---- classes ----

    def class_(self, name, info):
        made = {"name": name, "bases": [], "methods": [], "statics": [], "properties": [], "init": None}
        made["bases"] = [base for base in map(name_of, info.ast.bases) if base in self.classes][:1]
        children = info.child_nodes or {}
        for child, at in children.items():
            where = f"{name}.{child}"
            node = at.ast
            if isinstance(node, ImportedName):
                continue
            if child in ("__init__", "__new__"):
                if made["init"] is None or child == "__init__":
                    made["init"] = {**self.function(name, node, name, True), "doc": ""}
                continue
            if child.startswith("_"):
                continue
            if isinstance(node, ast.AnnAssign):
                made["properties"].append(
                    {"name": child, "type": self.type(node.annotation, name, True), "settable": False, "doc": ""}
                )
                continue
            first = node.definitions[0] if isinstance(node, OverloadedName) else node
            if not isinstance(first, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.left_out.append([where, "it is no function"])
                continue
            decorators = {name_of(d) for d in first.decorator_list}
            doc = self.doc(name, child)
            if decorators & {"property", "cached_property", "getter"}:
                settable = isinstance(node, OverloadedName) and len(node.definitions) > 1
                made["properties"].append(
                    {"name": child, "type": self.type(first.returns, name, True), "settable": settable, "doc": doc}
                )
            elif "staticmethod" in decorators or "classmethod" in decorators:
                made["statics"].append({**self.function(child, node, name, "classmethod" in decorators), "doc": doc})
            else:
                made["methods"].append({**self.function(child, node, name, True), "doc": doc})
        return {**made, "doc": self.doc(name)}

    def doc(self, *path):
        found = self.module
        for name in path:
            found = inspect.getattr_static(found, name, None)
        text = getattr(found, "__doc__", None)
        return inspect.cleandoc(text) if isinstance(text, str) else ""

    # ---- all of it ----

    def described(self):
        functions, classes, constants = [], [], []
        for name, info in self.names.items():
            if name.startswith("_") or not info.is_exported:
                continue
            if isinstance(info.ast, ImportedName):
                self.left_out.append([name, f"it belongs to the module {'.'.join(info.ast.module_name)}"])
                continue
            if not hasattr(self.module, name):
                if not isinstance(info.ast, (ast.Assign, ast.AnnAssign, ast.ClassDef)):
                    self.left_out.append([name, "the module that is installed does not have it"])
                continue
            node = info.ast.definitions[0] if isinstance(info.ast, OverloadedName) else info.ast
            if isinstance(node, ast.ClassDef):
                classes.append(self.class_(name, info))
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                functions.append({**self.function(name, info.ast), "doc": self.doc(name)})
            elif isinstance(node, ast.AnnAssign) and name_of(node.annotation) == "TypeAlias":
                pass
            elif isinstance(node, ast.AnnAssign):
                constants.append(
                    {"name": name, "type": self.type(node.annotation, "", True), "settable": False, "doc": ""}
                )
            else:
                self.left_out.append([name, "it has no type"])
        return {
            "module": self.name,
            "doc": inspect.getdoc(self.module) or "",
            "functions": functions,
            "classes": classes,
            "constants": constants,
            "left_out": self.left_out,
            "stubs": bool(self.names),
        }


print(json.dumps(Module(sys.argv[1]).described()))
