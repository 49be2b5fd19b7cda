"""Markers in source files, and names that mean the same in every target language."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class MarkerSyntax:
    """How a language's comments spell the markers. `comment` begins a comment that ends with its line."""

    comment: str

    @property
    def prefix(self) -> str:
        """The beginning of every marker."""
        return f"{self.comment} tvm-ffi-stubgen("

    def directive(self, name: str) -> str:
        """Return the marker of a directive, which is one line: its text follows."""
        return f"{self.prefix}{name}):"

    @property
    def begin(self) -> str:
        """The first line of a generated block; what the block is follows."""
        return self.directive("begin")

    @property
    def end(self) -> str:
        """The last line of a generated block."""
        return f"{self.prefix}end)"

    @property
    def skip_file(self) -> str:
        """A line that keeps the command away from the file."""
        return f"{self.prefix}skip-file)"

    @property
    def ty_map(self) -> str:
        """The directive that names another type for a native type: ``native.Name -> module.Name``."""
        return self.directive("ty-map")

    @property
    def import_object(self) -> str:
        """The directive that imports a name: ``module.Name;only for type checking;alias``."""
        return self.directive("import-object")


PYTHON_SYNTAX = MarkerSyntax("#")
RUST_SYNTAX = MarkerSyntax("//")

#: The syntax of a file, by extension.
SYNTAX_BY_EXT = {".py": PYTHON_SYNTAX, ".pyi": PYTHON_SYNTAX, ".rs": RUST_SYNTAX}

#: Directives that the command itself obeys; a generator names the others that it knows.
PIPELINE_DIRECTIVE_KINDS = frozenset({"ty-map", "prefix", "skip"})

#: Types for which the package has classes itself, so that no stub is made.
BUILTIN_TYPE_KEYS = frozenset(
    f"ffi.{name}"
    for name in (
        "BigInt",
        "Bytes",
        "Error",
        "Function",
        "Object",
        "OpaquePyObject",
        "SmallBytes",
        "SmallStr",
        "String",
        "Tensor",
    )
)
