"""What a module has, as JSON for the tool."""

import ast
import enum
import importlib
import inspect
import types

from typeshed_client import ImportedName, NameInfo, OverloadedName

from .functions import Functions, assigned, fields, introspected
from .names import Names, decorators, definitions, name_of
from .numpydoc import annotated, annotation, items
from .types import Types

RECORDS = {"dataclass", "define", "frozen", "mutable", "attrs", "s"}
OBJECT = ["any", "any object"]
UNTYPED = ["any", "it has no type"]
SCALARS = {bool: "bool", int: "int", float: "float", str: "str", bytes: "bytes"}


class Module:
    def __init__(self, name, overrides=""):
        self.name = name
        self.module = importlib.import_module(name)
        self.names = Names(name, overrides)
        self.found = {n: self.names.find(name, n) for n in self.public()}
        self.classes = {}  # (module, name) -> the first public name
        for public, (scope, defined, info) in self.found.items():
            if info is not None and isinstance(info.ast, ast.ClassDef):
                self.classes.setdefault((scope, defined), public)
        self.types = Types(self.names, self.classes)
        self.functions = Functions(self.types)
        self.left_out = []

    def public(self):
        """The public names: those of __all__, else those that the stub or the source defines, else all."""
        known = self.names.of(self.name)
        listed = getattr(self.module, "__all__", None)
        if isinstance(listed, (list, tuple)) and listed:
            listed = [
                n for n in dict.fromkeys(listed) if isinstance(n, str) and n.isidentifier() and not n.startswith("_")
            ]
            order = {n: i for i, n in enumerate(known)}  # __all__ may come from a set, as NumPy's does
            listed.sort(key=lambda n: (order.get(n, len(order)), n))
            # Types that are in the stub only have uses too.
            return listed + [n for n, i in known.items() if n not in listed and self.is_type(n, i)]
        if not known:
            return [n for n in dir(self.module) if not n.startswith("_")]
        return [n for n, i in known.items() if not n.startswith("_") and (i.is_exported or self.is_own(i))]

    def is_type(self, name, info):
        return (
            info.is_exported
            and not name.startswith("_")
            and isinstance(info.ast, ast.ClassDef)
            and not hasattr(self.module, name)
        )

    def is_own(self, info):
        """Whether a package takes a name from another module of its own."""
        own = self.name.split(".")[0]
        return (
            hasattr(self.module, "__path__")
            and isinstance(info.ast, ImportedName)
            and info.ast.module_name[:1] == (own,)
        )

    # ---- classes ----

    def class_(self, public, scope, info):
        cls = getattr(self.module, public, None)
        members, base, bases = self.members(scope, info)
        self.types.variables = self.variables(scope, info)
        made = {
            "name": public,
            "bases": [base] if base else [],
            "methods": [],
            "statics": [],
            "properties": [],
            "init": None,
            "members": [],
            "kind": self.kind(info, bases),
            "exists": cls is not None,
            "doc": doc(cls),
        }
        if made["kind"] == "protocol" and base:
            made["bases"] = []  # the base's members are among its own
        if isinstance(cls, type) and issubclass(cls, enum.Enum):
            self.enum(cls, made)
        for child, (where, at) in members.items():
            if isinstance(at.ast, ast.Assign) and isinstance(at.ast.value, ast.Name):
                where, at = members.get(at.ast.value.id, (where, at))  # another name of a member
            if not (child in made["members"] or child.startswith("_") and child not in SPECIAL):
                self.member(public, child, where, at.ast, cls, made)
        if made["kind"] == "typeddict":
            made["properties"] = [
                {"name": name, "type": self.types.type(of, where, public, True), "settable": True, "doc": ""}
                for where, of, name, _ in fields(self.all_members(scope, info))
            ]
        known = {one["name"]: one for one in made["properties"] + made["methods"]}
        for name, words in items(made["doc"], "Attributes"):
            told = {"type": self.types.type(annotation(words), scope, public, True), "doc": words}
            if name in known and known[name].get("type") == UNTYPED:
                known[name].update(told)
            elif name not in known and not name.startswith("_"):
                made["properties"].append({**self.constant(name, UNTYPED), **told})
        if not made["members"] and made["kind"] != "protocol":
            made["init"] = self.constructor(public, scope, info, cls, bases)
        self.types.variables = {}
        return made

    def members(self, scope, info):
        """The members of a class and of bases that are no classes of the package; its one base; all bases' names."""
        members = {name: (scope, child) for name, child in (info.child_nodes or {}).items()}
        inherited = self.inherited(scope, info)
        for name, of in assigned(info.ast).items():
            node = ast.AnnAssign(target=ast.Name(name), annotation=of, value=None, simple=1)
            if of is not None or name not in inherited:  # what a base tells is more than no type
                members.setdefault(name, (scope, NameInfo(name, True, node)))
        first, names = "", []
        for node in info.ast.bases:
            node = node.value if isinstance(node, ast.Subscript) else node
            where, name, base = self.names.resolve(scope, node)
            names.append((where, name))
            if base is None or not isinstance(base.ast, ast.ClassDef):
                continue
            public = self.classes.get((where, name), "")
            if public and not first and base is not info:
                first = public
                names += self.members(where, base)[2]
                continue
            own, inner, more = self.members(where, base)
            names += more
            if public or where.split(".")[0] == self.name.split(".")[0]:
                first = first or inner
                for child, at in own.items():
                    members.setdefault(child, at)
        return members, first, names

    def variables(self, scope, info):
        """What stands for the type variables of a class's bases: module and name -> type."""
        made = {}
        for node in info.ast.bases:
            generic = isinstance(node, ast.Subscript)
            where, _, base = self.names.resolve(scope, node.value if generic else node)
            if base is None or not isinstance(base.ast, ast.ClassDef) or base is info:
                continue
            own = {}
            if generic:
                parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                own = dict(zip(self.types.own_variables(where, base), [self.types.type(p, scope) for p in parts]))
            before, self.types.variables = self.types.variables, own
            inner = self.variables(where, base)
            self.types.variables = before
            for name, of in {**inner, **own}.items():
                # One variable may stand for several types in several bases: no type is known then.
                made[name] = (
                    of if made.get(name, of) == of and inner.get(name, of) == of else ["any", "its bases differ"]
                )
        return made

    def bases(self, scope, info):
        """The bases of a class that are written in Python, each with its module."""
        for node in info.ast.bases:
            where, _, base = self.names.resolve(scope, node.value if isinstance(node, ast.Subscript) else node)
            if (
                base is not None
                and isinstance(base.ast, ast.ClassDef)
                and where not in ("builtins", "typing", "pydantic.main")
            ):
                yield where, base

    def all_members(self, scope, info):
        """The members with those of all bases, the bases' first."""
        made = {}
        for where, base in reversed(list(self.bases(scope, info))):
            made.update(self.all_members(where, base))
        made.update({name: (scope, child) for name, child in (info.child_nodes or {}).items()})
        return made

    def inherited(self, scope, info):
        """The names of what a class has of its bases, and of the attributes that their methods store."""
        made = set()
        for where, base in self.bases(scope, info):
            made |= {*(base.child_nodes or {}), *assigned(base.ast)} | self.inherited(where, base)
        return made

    def kind(self, info, bases):
        names = {name for _, name in bases}
        own = {name_of(node.value if isinstance(node, ast.Subscript) else node) for node in info.ast.bases}
        if "TypedDict" in names:
            return "typeddict"
        if "Protocol" in own:
            return "protocol"
        if names & {"NamedTuple", "BaseModel"} or decorators(info.ast) & RECORDS:
            return "record"
        return ""

    def enum(self, cls, made):
        made["members"] = list(cls.__members__)
        kinds = {type(member.value) for member in cls}
        value = [SCALARS[kinds.pop()]] if len(kinds) == 1 and kinds <= set(SCALARS) else OBJECT
        if not made["bases"]:
            for name, of in (("name", ["str"]), ("value", value)):
                made["properties"].append({"name": name, "type": of, "settable": False, "doc": ""})

    def constructor(self, public, scope, info, cls, bases):
        """The constructor of a class, its own or that of its bases; None for one that cannot be made."""
        kind = self.kind(info, bases)
        everything = self.all_members(scope, info)
        if kind == "typeddict":
            total = not any(
                k.arg == "total" and isinstance(k.value, ast.Constant) and k.value.value is False
                for k in info.ast.keywords
            )
            return self.record(public, everything, total)
        if cls is None or inspect.isabstract(cls):
            return None
        for child in ("__init__", "__new__"):
            self.annotate(everything.get(child), getattr(cls, "__doc__", None), public)
            if child in (info.child_nodes or {}) and definitions(info.child_nodes[child].ast):
                return {**self.functions.function(child, info.child_nodes[child].ast, scope, public, True), "doc": ""}
        if kind == "record" or any(name == "NamedTuple" for _, name in bases):
            return self.record(public, everything, True)
        for child in ("__init__", "__new__"):
            if child in everything and definitions(everything[child][1].ast):
                where, at = everything[child]
                return {**self.functions.function(child, at.ast, where, public, True), "doc": ""}
        node = introspected("init", cls)
        return {**self.functions.function("__init__", node, scope, public), "doc": ""} if node is not None else None

    def record(self, public, members, total):
        """The constructor that fields make. Those without a default are required, in a TypedDict those it must have."""
        params = []
        for where, of, name, required in fields(members):
            outer = name_of(of.value) if isinstance(of, ast.Subscript) else ""
            required = required and (total or outer == "Required") and outer != "NotRequired"
            params.append(
                {
                    "name": name,
                    "type": self.types.type(of, where, public),
                    "kind": "keyword",
                    "required": required,
                }
            )
        return {"name": "__init__", "params": params, "result": ["none"], "doc": "", "async": False}

    def member(self, public, child, where, node, cls, made):
        """Add a member to the class, or to what is left out."""
        text = doc(inspect.getattr_static(cls, child, None)) if cls is not None else ""
        if isinstance(node, ast.AnnAssign):
            value = inspect.getattr_static(cls, child, None)
            if name_of(node.annotation) == "Final" and type(value) in SCALARS:
                of = [SCALARS[type(value)]]
            else:
                of = self.types.type(node.annotation, where, public, True)
            final = node.annotation is None or "Final" in ast.dump(node.annotation) or self.is_frozen(cls)
            made["properties"].append(
                {"name": child, "type": of, "settable": made["kind"] == "record" and not final, "doc": ""}
            )
            return
        if isinstance(node, ImportedName):
            return
        first = node.definitions[0] if isinstance(node, OverloadedName) else node
        if not isinstance(first, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if not child.startswith("_"):
                self.untyped(public, child, where, isinstance(first, ast.ClassDef), cls, made)
            return
        has = decorators(first)
        if has & {"property", "cached_property", "getter", "cache_readonly", "abstractproperty"}:
            settable = isinstance(node, OverloadedName) and any("setter" in decorators(one) for one in node.definitions)
            of = self.types.type(first.returns, where, public, True)
            made["properties"].append({"name": child, "type": of, "settable": settable, "doc": text})
            return
        self.annotate((where, node), text, public)
        static, of_class = "staticmethod" in has, "classmethod" in has
        function = {**self.functions.function(child, node, where, public, not static), "doc": text}
        if child in SPECIAL:
            self.special(child, function, made)
        else:
            made["statics" if static or of_class else "methods"].append(function)

    def untyped(self, public, child, where, is_class, cls, made):
        """A member without a type: a method where the class has a function, else an attribute. A subclass or an
        object may have a value of another type than the class, so that one says nothing.
        """
        if not hasattr(cls, child):
            self.left_out.append([f"{public}.{child}", "the class that is installed does not have it"])
            return
        value = inspect.getattr_static(cls, child)
        static = isinstance(value, (staticmethod, classmethod))
        function = getattr(cls, child) if static else value
        node = introspected(child, function) if callable_of(function) else None
        if node is None:
            of = ["any", "it is a class in a class"] if is_class else UNTYPED
            made["properties"].append(self.constant(child, of))
            return
        described = self.functions.function(child, node, where, public, not static)
        made["statics" if static else "methods"].append({**described, "doc": doc(value)})

    def annotate(self, at, text, own=""):
        """Give defs without types those that a docstring tells."""
        node = at and getattr(at[1], "ast", at[1])
        for one in definitions(node) if node is not None else ():
            annotated(one, text, own)

    def special(self, child, function, made):
        """Methods that Python's syntax calls become those of an object, with types."""
        result, params = function["result"], function["params"]
        if child == "__iter__" and result[0] == "iterator":
            made["iterates"] = result[1]
        elif child == "__enter__" and result[0] == "class":
            made["enters"] = result
        elif child == "__getitem__" and len(params) == 1 and "any" not in (params[0]["type"][0], result[0]):
            made["item"] = function
        elif child == "__call__":
            made["methods"].append({**function, "doc": ""})

    def is_frozen(self, cls):
        made = getattr(cls, "__dataclass_params__", None)
        return bool(made is not None and made.frozen) or isinstance(cls, type) and issubclass(cls, tuple)

    # ---- all of it ----

    def described(self):
        functions, classes, constants = [], [], []
        for name, (scope, defined, info) in self.found.items():
            node = first_of(info)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
                other = self.found.get(node.value.id)
                if other and isinstance(first_of(other[2]), (ast.FunctionDef, ast.AsyncFunctionDef)):
                    scope, _, info = other  # another name of a function
                    node = first_of(info)
            if isinstance(node, ast.ClassDef):
                if self.classes[scope, defined] == name:
                    classes.append(self.class_(name, scope, info))
                else:
                    self.left_out.append([name, f"it is {self.classes[scope, defined]}"])
                continue
            if not hasattr(self.module, name):
                if node is None or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    self.left_out.append([name, "the module that is installed does not have it"])
                continue
            value = getattr(self.module, name)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.annotate((scope, info), doc(value))
                functions.append({**self.functions.function(name, info.ast, scope), "doc": doc(value)})
            elif isinstance(node, ast.AnnAssign) and name_of(node.annotation) not in ("TypeAlias", "Final"):
                constants.append(self.constant(name, self.types.type(node.annotation, scope, "", True)))
            else:
                self.dynamic(name, value, functions, constants)
        return {
            "module": self.name,
            "doc": doc(self.module),
            "functions": functions,
            "classes": classes,
            "constants": constants,
            "left_out": self.left_out,
        }

    def constant(self, name, of):
        return {"name": name, "type": of, "settable": False, "doc": ""}

    def dynamic(self, name, value, functions, constants):
        """A name of which no type is known: what the module has says what it is."""
        if isinstance(value, types.ModuleType):
            self.left_out.append([name, f"it is the module {value.__name__}: bind that"])
        elif type(value) in SCALARS:
            constants.append(self.constant(name, [SCALARS[type(value)]]))
        elif type(value).__module__ in ("typing", "types", "typing_extensions") and not callable_of(value):
            self.left_out.append([name, "it is a type"])
        else:
            node = introspected(name, value) if callable(value) else None
            if node is None:
                constants.append(self.constant(name, UNTYPED))
            else:
                functions.append({**self.functions.function(name, node, self.name), "doc": doc(value)})


SPECIAL = {"__iter__", "__enter__", "__getitem__", "__call__"}


def first_of(info):
    """The node of a name, and of overloads the first one; None for a name without a node."""
    node = info.ast if info is not None else None
    return node.definitions[0] if isinstance(node, OverloadedName) else node


def callable_of(value):
    return isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType))


def doc(of):
    try:
        text = (
            inspect.getdoc(of)
            if isinstance(of, (type, types.ModuleType)) or callable(of)
            else getattr(of, "__doc__", None)
        )
    except Exception:  # an object whose attributes fail
        return ""
    return inspect.cleandoc(text) if isinstance(text, str) else ""
