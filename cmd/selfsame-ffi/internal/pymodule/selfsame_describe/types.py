"""Types: ["int"], ["list", element], ["class", name], and ["any", reason] for what stays dynamic."""

import ast

from typeshed_client import ImportedName

from .names import name_of

SIMPLE = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "bytes": "bytes",
    "complex": "complex",
    "None": "none",
}
STANDARD = set(
    """
    builtins typing typing_extensions types collections collections.abc _collections_abc contextlib _typeshed os
    numbers
    """.split()
)
SEQUENCES = set(
    """
    list List Sequence MutableSequence Collection Iterable Set set frozenset FrozenSet AbstractSet MutableSet
    Container Reversible deque Deque KeysView ValuesView
    """.split()
)
ITERATORS = {"Iterator", "Iterable", "Generator"}
ASYNC_ITERATORS = {"AsyncIterator", "AsyncIterable", "AsyncGenerator"}
AWAITABLES = {"Awaitable", "Coroutine", "CoroutineType", "Future", "Task"}
CONTEXTS = {"AbstractContextManager", "ContextManager", "_GeneratorContextManager"}
MAPPINGS = {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "DefaultDict"}
WRAPPERS = {"ClassVar", "Final", "Annotated", "ReadOnly", "Required", "NotRequired", "InitVar", "Mapped"}
# Python calls itself where something has to be an index or a number.
PROTOCOLS = {
    **dict.fromkeys("SupportsIndex SupportsInt ConvertibleToInt".split(), "int"),
    **dict.fromkeys("SupportsFloat ConvertibleToFloat".split(), "float"),
    **dict.fromkeys("StrPath StrOrBytesPath PathLike LiteralString AnyStr Text".split(), "str"),
    **dict.fromkeys("ReadableBuffer Buffer".split(), "bytes"),
}
VARIABLES = {"TypeVar", "ParamSpec", "TypeVarTuple"}


class Types:
    """Reads annotations. `classes` has the Go packages' classes: (module, name) -> the name in the module described."""

    def __init__(self, names, classes):
        self.names = names
        self.classes = classes
        self.variables = {}  # those of the bases of the class that is read: module and name -> type

    def type(self, node, scope, of="", result=False, depth=0):
        """The type of an annotation in the module `scope`, within the class `of`."""
        if node is None:
            return ["any", "it has no type"]
        if depth > 8:
            return ["any", "its type is too deep"]

        def inner(part, within=scope):
            return self.type(part, within, of, result, depth + 1)

        if isinstance(node, ast.Constant):
            if node.value is None:
                return ["none"]
            if isinstance(node.value, str):
                try:
                    return inner(ast.parse(node.value.strip(), mode="eval").body)
                except SyntaxError:
                    pass
            return ["any", "its type is a constant"]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.union([inner(node.left), inner(node.right)], node)
        if isinstance(node, ast.Subscript):
            return self.generic(node, scope, result, inner)
        return self.named(node, scope, of, result, inner)

    def named(self, node, scope, of, result, inner):
        where, name, info = self.names.resolve(scope, node)
        if (where, name) in self.variables:
            return self.variables[where, name]
        if (where, name) in self.classes:
            return ["class", self.classes[where, name]]
        if (where, name) == ("datetime", "timedelta"):
            return ["duration"]
        if (where, name) == ("datetime", "datetime"):
            return ["any", "a datetime may lack a time zone"] if result else ["time"]
        if name == "Self" and of:
            return ["class", of]
        if where in STANDARD:
            if name in SIMPLE:
                return [SIMPLE[name]]
            if name in PROTOCOLS and not (
                result and name.startswith(("Supports", "Convertible", "Str", "PathLike", "Readable"))
            ):
                return [PROTOCOLS[name]]
            if name in ("Any", "object", "Incomplete", "Unused", "MaybeNone"):
                return ["any", "any object"]
            if name in ("NoReturn", "Never"):
                return ["none"]
            if name in SEQUENCES and not (result and name in ITERATORS):
                return ["list", ["any", "any object"]]
            if name in MAPPINGS:
                return (
                    ["dict", ["str"], ["any", "any object"]]
                    if not result
                    else ["any", "its type is a dict of any keys"]
                )
        value = alias_value(info)
        if isinstance(value, ast.Call):
            return self.made(value, where, name, inner)
        if value is not None:
            return inner(value, where)
        if info is not None and isinstance(info.ast, ast.ClassDef):
            base = self.base(where, info) if result else None
            return ["class", base] if base else ["any", f"its type is the class {name} of {where}"]
        return ["any", f"its type is {shown(node)}"]

    def own_variables(self, scope, info):
        """The type variables of a class, in the order of its parameters: module and name of each."""
        made = [(scope, one.name) for one in getattr(info.ast, "type_params", ())]
        # Generic and Protocol say the order, else that of the bases does.
        bases = sorted(
            info.ast.bases, key=lambda node: name_of(getattr(node, "value", None)) not in ("Generic", "Protocol")
        )
        for part in (part for node in bases if isinstance(node, ast.Subscript) for part in ast.walk(node.slice)):
            where, name, of = self.names.resolve(scope, part)
            value = alias_value(of)
            if isinstance(value, ast.Call) and name_of(value.func) in VARIABLES and (where, name) not in made:
                made.append((where, name))
        return made

    def base(self, scope, info, depth=0):
        """The nearest base of a class that the package has: results are handles of that. None where there is none."""
        for node in info.ast.bases if depth < 8 else ():
            where, name, of = self.names.resolve(scope, node.value if isinstance(node, ast.Subscript) else node)
            if (where, name) in self.classes:
                return self.classes[where, name]
            found = self.base(where, of, depth + 1) if of is not None and isinstance(of.ast, ast.ClassDef) else None
            if found:
                return found
        return None

    def made(self, call, where, name, inner):
        """The type of a name that a call makes: a type variable's bound, or what a NewType is of."""
        if name_of(call.func) == "NewType" and len(call.args) == 2:
            return inner(call.args[1], where)
        if name_of(call.func) in VARIABLES:
            for keyword in call.keywords:
                if keyword.arg == "bound":
                    return inner(keyword.value, where)
            if len(call.args) > 2:
                return self.union([inner(part, where) for part in call.args[1:]], call)
            return ["any", f"its type is the type variable {name}"]
        return ["any", f"its type is {name}"]

    def generic(self, node, scope, result, inner):
        where, name, info = self.names.resolve(scope, node.value)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if (where, name) in self.classes:
            return ["class", self.classes[where, name]]
        if where in STANDARD or where in ("dataclasses", "asyncio", "asyncio.futures", "asyncio.tasks"):
            made = self.standard(name, parts, node, result, inner)
            if made is not None:
                return made
        value = alias_value(info)
        if value is not None and not isinstance(value, ast.Call):
            return inner(value, where)
        return ["any", f"its type is {shown(node)}"]

    def standard(self, name, parts, node, result, inner):
        if name == "Optional":
            return self.union([inner(parts[0]), ["none"]], node)
        if name == "Union":
            return self.union([inner(part) for part in parts], node)
        if name in WRAPPERS:
            return inner(parts[0])
        if name in ("TypeGuard", "TypeIs"):
            return ["bool"]
        if name == "Literal":
            kinds = {type(part.value).__name__ for part in parts if isinstance(part, ast.Constant)}
            kinds.discard("NoneType")
            return (
                [SIMPLE[kinds.pop()]]
                if len(kinds) == 1 and kinds <= set(SIMPLE)
                else ["any", f"its type is {shown(node)}"]
            )
        if result and name in ITERATORS:
            return ["iterator", inner(parts[0])]
        if result and name in ASYNC_ITERATORS:
            return ["async-iterator", inner(parts[0])]
        if result and name in AWAITABLES:
            return ["awaitable", inner(parts[-1])]
        if result and name in CONTEXTS:
            return ["context", inner(parts[0])]
        if name in SEQUENCES:
            return ["list", inner(parts[0])]
        if name in ("tuple", "Tuple"):
            return self.tuple(parts, node, inner)
        if name in MAPPINGS and len(parts) == 2:
            key = inner(parts[0])
            return (
                ["dict", key, inner(parts[1])]
                if key[0] in ("str", "int")
                else ["any", "its type is a dict of other keys"]
            )
        if name == "Callable" and not result and len(parts) == 2 and isinstance(parts[0], ast.List):
            return ["callable", [inner(part) for part in parts[0].elts], inner(parts[1])]
        if name == "PathLike" and not result:
            return ["str"]
        return None

    def tuple(self, parts, node, inner):
        """A tuple of one type: a slice, or an array where its length is known."""
        elements = [inner(part) for part in parts if not (isinstance(part, ast.Constant) and part.value is ...)]
        if not elements or any(one != elements[0] for one in elements):
            return ["any", f"its type is {shown(node)}"]
        return ["list", elements[0]] if len(elements) < len(parts) else ["tuple", elements[0], len(elements)]

    def union(self, types, node):
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
        if ["int"] in rest and ["bool"] in rest:
            rest.remove(["bool"])
        if not rest:
            return ["none"]
        if len(rest) != 1:
            return ["any", f"its type is the union {shown(node)}"]
        if rest[0][0] == "any" or ["none"] not in flat:
            return rest[0]
        return ["optional", rest[0]]


def alias_value(info):
    """The value of an alias of a type; None for any other name."""
    if info is None or isinstance(info.ast, ImportedName):
        return None
    if isinstance(info.ast, (ast.Assign, ast.AnnAssign)) or type(info.ast).__name__ == "TypeAlias":
        return info.ast.value
    return None


def shown(node):
    """The text of an expression, cut where it is long."""
    text = ast.unparse(node)
    return text if len(text) <= 60 else text[:57] + "..."
