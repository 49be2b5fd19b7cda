"""The generator of bindings in Rust."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .. import consts
from ..file_utils import CodeBlock
from ..target import Generator
from ..utils import ObjectInfo, Options
from . import codegen
from . import consts as C
from .utils import RustImports, RustUse, check_tokens, is_crate_type_key, rust_module_path
from .words import is_path


class _Modules(Mapping[str, "tuple[str, ...]"]):
    """Modules of types, from their files; asked for one by one, because a file may be outside of any crate."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = files

    def __getitem__(self, key: str) -> tuple[str, ...]:
        return rust_module_path(self._files[key])

    def __contains__(self, key: object) -> bool:
        return key in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


class RustGenerator(Generator):
    """Functions are called by name, so they have no stubs; what is public says ``pub``."""

    name = "rust"
    syntax = consts.RUST_SYNTAX
    source_exts = frozenset({".rs"})
    directive_kinds = C.RUST_DIRECTIVE_KINDS

    def default_ty_map(self) -> dict[str, str]:
        return dict(C.RUST_TY_MAP_DEFAULTS)

    def new_imports(self) -> RustImports:
        return RustImports()

    def add_directive(self, imports: RustImports, name: str, payload: str, lineno: int) -> None:
        if name == "import-object":
            imports.record(payload.partition(";")[0].strip())
        else:
            imports.directives.add(name, payload, lineno)

    def canonical_type_name(self, type_key: str) -> str:
        return RustUse(type_key).path

    def can_name(self, path: str) -> bool:
        return is_path(path)

    def is_builtin(self, type_key: str) -> bool:
        return is_crate_type_key(type_key)

    def check_view(self, code_blocks: list[CodeBlock]) -> object:
        views = {
            (block.kind, block.param): check_tokens(block.lines[1:-1])
            for block in code_blocks
            if block.kind in ("object", "import-section")
        }
        return {block: tokens for block, tokens in views.items() if tokens}

    def generate_object_block(
        self,
        code: CodeBlock,
        ty_map: dict[str, str],
        imports: RustImports,
        opt: Options,
        obj_info: ObjectInfo,
        declared: Mapping[str, Path],
    ) -> None:
        codegen.generate_rust_object(code, ty_map, imports, opt, obj_info, _Modules(declared))

    def generate_import_section_block(
        self, code: CodeBlock, imports: RustImports, opt: Options, defined_types: set[str]
    ) -> None:
        codegen.generate_rust_import_section(code, imports, opt, defined_types)

    def api_filename(self) -> str:
        return "mod.rs"

    def init_filename(self) -> str:
        return "mod.rs"

    def generate_api_file(self, *what: Any, **named: Any) -> str:
        return codegen.generate_rust_api_file(*what, **dict(named, syntax=self.syntax))

    def finalize_init(self, init_path: Path, generated_prefixes: set[str]) -> None:
        codegen.finalize_rust_module_tree(init_path, generated_prefixes)
