"""Functions: their parameters and results, from one def or from several with overloads."""

import ast
import inspect

from .names import decorators, definitions, name_of


class Functions:
    def __init__(self, types):
        self.types = types

    def function(self, name, node, scope, of="", bound=False):
        """A def, or several of an overloaded one, in the module `scope` and the class `of`."""
        defs = definitions(node)
        all_params = [self.parameters(d, scope, of, bound) for d in defs]
        longest = max(all_params, key=len)
        needed = False  # whether one behind it, which is given by its place too, is required
        for param in reversed(longest):
            same = [p for params in all_params for p in params if p["name"] == param["name"]]
            if any(p["type"] != param["type"] for p in same):
                param["type"] = self.joined([p["type"] for p in same])
            placed = param["kind"] == "positional-only"
            # One that some overload can do without is an option.
            if len(same) < len(defs) or any(not p["required"] for p in same):
                param["required"] = param["required"] and placed and needed
            needed = needed or (placed and param["required"])
        results = [self.result(d, scope, of) for d in defs]
        return {"name": name, "params": longest, "result": self.joined(results), "async": any(map(awaited, defs))}

    def joined(self, types):
        """The type that overloads agree on: one that some of them leave out is optional."""
        rest = [one for one in types if one != ["none"]]
        inside = [one[1] if one[0] == "optional" else one for one in rest]
        if rest and all(one == inside[0] for one in inside) and inside[0][0] != "any":
            return inside[0] if inside == types else ["optional", inside[0]]
        return types[0] if all(one == types[0] for one in types) else ["any", "its overloads differ"]

    def result(self, node, scope, of):
        made = self.types.type(node.returns, scope, of, True)
        if made[0] == "iterator" and "contextmanager" in decorators(node):
            return ["context", made[1]]
        if made[0] == "async-iterator" and "asynccontextmanager" in decorators(node):
            return ["any", "it is an asynchronous context manager"]
        return made

    def parameters(self, node, scope, of, bound):
        args = node.args
        positional = args.posonlyargs + args.args
        defaults = [None] * (len(positional) - len(args.defaults)) + list(args.defaults)
        out = []
        for i, (arg, default) in enumerate(zip(positional, defaults)):
            if i == 0 and bound:
                continue
            only = i < len(args.posonlyargs) or arg.arg.startswith("__")
            out.append(self.parameter(arg, "positional-only" if only else "positional", default is None, scope, of))
        if args.vararg:
            out.append(self.parameter(args.vararg, "varargs", False, scope, of))
        for arg, default in zip(args.kwonlyargs, args.kw_defaults):
            out.append(self.parameter(arg, "keyword", default is None, scope, of))
        if args.kwarg:
            out.append({**self.parameter(args.kwarg, "keywords", False, scope, of), "type": ["any", "any object"]})
        return out

    def parameter(self, arg, kind, required, scope, of):
        made = self.types.type(arg.annotation, scope, of)
        by_place = kind in ("positional-only", "varargs", "keywords")  # what is given by its name keeps it
        name = by_place and arg.arg.lstrip("_") or arg.arg
        return {"name": name, "type": made, "kind": kind, "required": required}


def awaited(node):
    """Whether a def is a coroutine. A def that yields is a generator, which is not awaited."""
    if not isinstance(node, ast.AsyncFunctionDef) or "asynccontextmanager" in decorators(node):
        return False
    own = [*node.body]
    while own:
        part = own.pop()
        if isinstance(part, (ast.Yield, ast.YieldFrom)):
            return False
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            own.extend(ast.iter_child_nodes(part))
    return True


def introspected(name, function):
    """A def without types that has the parameters of a function; None where it does not tell them."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    params = [
        p.replace(annotation=p.empty, default=p.empty if p.default is p.empty else None)
        for p in signature.parameters.values()
    ]
    if not all(p.name.isidentifier() for p in params):
        return None
    text = f"def {name}{inspect.Signature(params)}: ..."
    try:
        return ast.parse(text).body[0]
    except SyntaxError:
        return None


def assigned(cls):
    """The attributes that the methods of a class store, with their types: by an annotation, or by that of a
    parameter that __init__ stores, where nothing else is stored; None for others.
    """
    annotated, stored = {}, {}
    for method in (one for one in cls.body if isinstance(one, ast.FunctionDef) and one.args.args):
        own, *params = method.args.posonlyargs + method.args.args + method.args.kwonlyargs
        types = {p.arg: p.annotation for p in params if method.name == "__init__"}
        for node in ast.walk(method):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            parts = [part for one in targets for part in (one.elts if isinstance(one, ast.Tuple) else [one])]
            for target in parts:
                if (
                    not isinstance(target, ast.Attribute)
                    or name_of(target.value) != own.arg
                    or target.attr.startswith("_")
                ):
                    continue
                if isinstance(node, ast.AnnAssign):
                    annotated[target.attr] = node.annotation
                else:
                    value = getattr(node, "value", None) if parts == targets else None
                    stored.setdefault(target.attr, []).append(
                        types.get(value.id) if isinstance(value, ast.Name) else None
                    )
    return {**{name: of[0] if len(of) == 1 else None for name, of in stored.items()}, **annotated}


def fields(children):
    """The parameters that the fields of a data class make: annotation, name by keyword, whether it is required."""
    for name, (scope, info) in children.items():
        field = info.ast
        if not isinstance(field, ast.AnnAssign) or name.startswith("_"):
            continue
        outer = field.annotation.value if isinstance(field.annotation, ast.Subscript) else field.annotation
        if name_of(outer) in ("ClassVar", "KW_ONLY"):
            continue
        required, keyword = field.value is None, name
        if isinstance(field.value, ast.Call) and name_of(field.value.func) in ("field", "Field", "ib", "attrib"):
            given = {one.arg: one.value for one in field.value.keywords}
            first = field.value.args[:1]
            required = not given.keys() & {"default", "default_factory", "factory"} and (
                not first or isinstance(first[0], ast.Constant) and first[0].value is ...
            )
            if isinstance(given.get("init"), ast.Constant) and given["init"].value is False:
                continue
            if isinstance(given.get("alias"), ast.Constant):
                keyword = given["alias"].value
        yield scope, field.annotation, keyword, required
