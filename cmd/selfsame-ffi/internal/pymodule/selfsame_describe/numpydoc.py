"""Types that docstrings in NumPy's style tell, for names without an annotation."""

import ast
import inspect
import re

SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
ITEM = re.compile(r"^(\w+(?:, *\w+)*) *: *(.+)$", re.MULTILINE)
TYPES = {
    "bool": "bool",
    "boolean": "bool",
    "int": "int",
    "float": "float",
    "str": "str",
    "string": "str",
    "dict": "dict",
}


def items(text, wanted):
    """The names in a section of a docstring, with the words that stand for their types."""
    parts = SECTION.split(inspect.cleandoc(text)) if isinstance(text, str) else []
    for title, body in zip(parts[1::2], parts[2::2]):
        if title == wanted:
            for names, words in ITEM.findall(body):
                for name in names.split(","):
                    yield name.strip(), words


def annotation(words):
    """The expression of a type; None for words that are more than the name of one type and its default."""
    name, optional = words.split(",")[0].strip(), "None" in words
    name, _, other = name.partition(" or ")
    if (
        TYPES.get(name) is None
        or other not in ("", "None")
        or not re.fullmatch(r"[^,]*(, *(optional|default\S* ?\S*))*", words)
    ):
        return None
    return ast.parse(TYPES[name] + (" | None" if optional else ""), mode="eval").body


def annotated(node, text, own=""):
    """Give the parameters and the result of a def that lack a type the one that the docstring tells."""
    told = {name: annotation(words) for name, words in items(text, "Parameters")}
    for arg in node.args.posonlyargs + node.args.args + node.args.kwonlyargs:
        if arg.annotation is None:
            arg.annotation = told.get(arg.arg)
    if node.returns is None:
        results = [annotation(words) if name != "self" else ast.Name("Self") for name, words in items(text, "Returns")]
        if len(results) == 1 and (own or not isinstance(results[0], ast.Name) or results[0].id != "Self"):
            node.returns = results[0]
