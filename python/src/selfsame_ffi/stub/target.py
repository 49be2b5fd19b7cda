"""What a target language gives."""

# ruff: noqa: B027  a method without a body is for what a language may leave out

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .consts import MarkerSyntax
from .file_utils import CodeBlock
from .utils import FuncInfo, InitConfig, ObjectInfo, Options


class Generator(ABC):
    """A target language. The methods that end in ``_block`` change the lines of the block that they are given.

    `imports` is what :meth:`new_imports` made for the file; only the generator knows what is in it. The methods
    that are not abstract are for what not every language has; they change nothing.
    """

    name: str
    syntax: MarkerSyntax
    #: Extensions of the files that a search of a directory finds.
    source_exts: frozenset[str]
    #: Directives that :meth:`add_directive` takes, beside those of the command itself.
    directive_kinds: frozenset[str]

    @abstractmethod
    def default_ty_map(self) -> dict[str, str]:
        """Names of native types in the language."""

    @abstractmethod
    def new_imports(self) -> Any:
        """Whatever collects a file's imports."""

    @abstractmethod
    def add_directive(self, imports: Any, name: str, payload: str, lineno: int) -> None:
        """Obey a directive of the file."""

    @abstractmethod
    def canonical_type_name(self, type_key: str) -> str:
        """Return the full name of a type that a file defines, as imports name it."""

    def extra_export_names(self, imports: Any) -> set[str]:
        """Public names beside functions and types."""
        return set()

    @abstractmethod
    def can_name(self, path: str) -> bool:
        """Say whether the language can write a type key, or the prefix of one, as names."""

    @abstractmethod
    def is_builtin(self, type_key: str) -> bool:
        """Say whether the language's package has the type already."""

    @abstractmethod
    def check_view(self, code_blocks: list[CodeBlock]) -> object:
        """Return the text that ``--check`` compares."""

    def generate_global_funcs_block(
        self, code: CodeBlock, global_funcs: list[FuncInfo], ty_map: dict[str, str], imports: Any, opt: Options
    ) -> None:
        """Write a block ``global/PREFIX``."""

    @abstractmethod
    def generate_object_block(
        self,
        code: CodeBlock,
        ty_map: dict[str, str],
        imports: Any,
        opt: Options,
        obj_info: ObjectInfo,
        declared: Mapping[str, Path],
    ) -> None:
        """Write a block ``object/KEY``. `declared`: the files of all types that have a block in this run."""

    @abstractmethod
    def generate_import_section_block(
        self, code: CodeBlock, imports: Any, opt: Options, defined_types: set[str]
    ) -> None:
        """Write the imports, without the types that the file defines."""

    def generate_all_block(self, code: CodeBlock, names: set[str], opt: Options) -> None:
        """Write the list of public names."""

    def generate_export_block(self, code: CodeBlock) -> None:
        """Write a block ``export/SUBMODULE``."""

    @abstractmethod
    def api_filename(self) -> str:
        """Return the name of the file that is made for a prefix."""

    @abstractmethod
    def init_filename(self) -> str:
        """Return the name of the file that makes a directory a package."""

    @abstractmethod
    def generate_api_file(
        self,
        code_blocks: list[CodeBlock],
        ty_map: dict[str, str],
        module_name: str,
        object_infos: list[ObjectInfo],
        init_cfg: InitConfig,
        is_root: bool,
    ) -> str:
        """Return the text to append to the file of a prefix."""

    def generate_init_file(self, code_blocks: list[CodeBlock], module_name: str, submodule: str) -> str:
        """Return the text to append to the package's file."""
        return ""

    def finalize_init(self, init_path: Path, generated_prefixes: set[str]) -> None:
        """Called when all new files are written."""
