"""The parts that a target language provides, and the languages that there are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from .consts import MarkerSyntax
from .file_utils import CodeBlock
from .python_generator import PythonGenerator
from .rust_generator import RustGenerator
from .utils import FuncInfo, InitConfig, ObjectInfo, Options


class Generator(Protocol):
    """A target language. The methods that end in ``_block`` change the lines of the block that they are given.

    `imports` is what :meth:`new_imports` made for the file; only the generator knows what is in it.
    """

    name: str
    syntax: MarkerSyntax
    #: Extensions of the files that a search of a directory finds.
    source_exts: frozenset[str]
    #: Directives that :meth:`add_directive` takes, beside those of the command itself.
    directive_kinds: frozenset[str]

    def default_ty_map(self) -> dict[str, str]:
        """Names of native types in the language."""
        ...

    def new_imports(self) -> Any:
        """Whatever collects a file's imports."""
        ...

    def add_directive(self, imports: Any, name: str, payload: str, lineno: int) -> None:
        """Obey a directive of the file."""
        ...

    def canonical_type_name(self, type_key: str) -> str:
        """The full name of a type that a file defines, as imports name it."""
        ...

    def extra_export_names(self, imports: Any) -> set[str]:
        """Public names beside functions and types."""
        ...

    def is_builtin(self, type_key: str) -> bool:
        """Whether the language's package has the type already."""
        ...

    def check_view(self, code_blocks: list[CodeBlock]) -> object:
        """The text that ``--check`` compares."""
        ...

    def generate_global_funcs_block(
        self, code: CodeBlock, global_funcs: list[FuncInfo], ty_map: dict[str, str], imports: Any, opt: Options
    ) -> None:
        """A block ``global/PREFIX``."""
        ...

    def generate_object_block(
        self,
        code: CodeBlock,
        ty_map: dict[str, str],
        imports: Any,
        opt: Options,
        obj_info: ObjectInfo,
        declared: Mapping[str, Path],
    ) -> None:
        """A block ``object/KEY``. `declared`: the files of all types that have a block in this run."""
        ...

    def generate_import_section_block(
        self, code: CodeBlock, imports: Any, opt: Options, defined_types: set[str]
    ) -> None:
        """The imports, without the types that the file defines."""
        ...

    def generate_all_block(self, code: CodeBlock, names: set[str], opt: Options) -> None:
        """The list of public names."""
        ...

    def generate_export_block(self, code: CodeBlock) -> None:
        """A block ``export/SUBMODULE``."""
        ...

    def api_filename(self) -> str:
        """The name of the file that is made for a prefix."""
        ...

    def init_filename(self) -> str:
        """The name of the file that makes a directory a package."""
        ...

    def generate_api_file(
        self,
        code_blocks: list[CodeBlock],
        ty_map: dict[str, str],
        module_name: str,
        object_infos: list[ObjectInfo],
        init_cfg: InitConfig,
        is_root: bool,
    ) -> str:
        """The text to append to the file of a prefix."""
        ...

    def generate_init_file(self, code_blocks: list[CodeBlock], module_name: str, submodule: str) -> str:
        """The text to append to the package's file."""
        ...

    def finalize_init(self, init_path: Path, generated_prefixes: set[str]) -> None:
        """Called when all new files are written."""
        ...


_GENERATORS: dict[str, Generator] = {"python": PythonGenerator(), "rust": RustGenerator()}


def generator_names() -> list[str]:
    """The target languages."""
    return sorted(_GENERATORS)


def get_generator(target: str) -> Generator:
    """The generator of a language. ValueError for one that there is none for."""
    if target not in _GENERATORS:
        raise ValueError(f"no generator for {target!r}. Known generators: {', '.join(generator_names())}")
    return _GENERATORS[target]
