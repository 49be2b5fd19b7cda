"""The generator of stubs in Python."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .. import consts
from ..file_utils import CodeBlock
from ..target import Generator
from ..utils import FuncInfo, ObjectInfo, Options
from . import codegen
from . import consts as C
from .utils import ImportItem, PythonImports
from .words import is_path


class PythonGenerator(Generator):
    """Packages find their submodules by themselves."""

    name = "python"
    syntax = consts.PYTHON_SYNTAX
    source_exts = frozenset({".py", ".pyi"})
    directive_kinds = frozenset({"import-object"})

    def default_ty_map(self) -> dict[str, str]:
        return dict(C.TY_MAP_DEFAULTS)

    def new_imports(self) -> PythonImports:
        return PythonImports()

    def add_directive(self, imports: PythonImports, name: str, payload: str, lineno: int) -> None:
        full_name, only_checked, alias = ([part.strip() for part in payload.split(";")] + ["", ""])[:3]
        imports.items.append(ImportItem(full_name, only_checked.lower() == "true", alias or None))
        if alias == "_FFI_LOAD_LIB" or full_name.endswith("libinfo.load_lib_module"):
            imports.has_lib_load = True

    def canonical_type_name(self, type_key: str) -> str:
        return ImportItem(type_key).full_name

    def extra_export_names(self, imports: PythonImports) -> set[str]:
        return imports.exported | ({"LIB"} if imports.has_lib_load else set())

    def can_name(self, path: str) -> bool:
        return is_path(path)

    def is_builtin(self, type_key: str) -> bool:
        return type_key in consts.BUILTIN_TYPE_KEYS

    def check_view(self, code_blocks: list[CodeBlock]) -> object:
        return [line for block in code_blocks for line in block.lines]

    def generate_global_funcs_block(
        self,
        code: CodeBlock,
        global_funcs: list[FuncInfo],
        ty_map: dict[str, str],
        imports: PythonImports,
        opt: Options,
    ) -> None:
        codegen.generate_python_global_funcs(code, global_funcs, ty_map, imports.items, opt, imports.records)

    def generate_object_block(
        self,
        code: CodeBlock,
        ty_map: dict[str, str],
        imports: PythonImports,
        opt: Options,
        obj_info: ObjectInfo,
        declared: Mapping[str, Path],
    ) -> None:
        codegen.generate_python_object(code, ty_map, imports.items, opt, obj_info, imports.records)

    def generate_import_section_block(
        self, code: CodeBlock, imports: PythonImports, opt: Options, defined_types: set[str]
    ) -> None:
        classes = {full_name.rpartition(".")[2] for full_name in defined_types}
        for key, name in imports.records.names.items():
            if name in classes:
                raise ValueError(f"the record `{key}` and a class are both called {name}; name its class by ty-map")
        foreign = [item for item in imports.items if item.full_name not in defined_types]
        codegen.generate_python_import_section(code, foreign, opt, imports.records)
        imports.exported.update(imports.records.names.values())

    def generate_all_block(self, code: CodeBlock, names: set[str], opt: Options) -> None:
        codegen.generate_python_all(code, names, opt)

    def generate_export_block(self, code: CodeBlock) -> None:
        codegen.generate_python_export(code)

    def api_filename(self) -> str:
        return "_ffi_api.py"

    def init_filename(self) -> str:
        return "__init__.py"

    def generate_api_file(self, *what: Any, **named: Any) -> str:
        return codegen.generate_python_ffi_api(*what, **dict(named, syntax=self.syntax))

    def generate_init_file(self, code_blocks: list[CodeBlock], module_name: str, submodule: str) -> str:
        return codegen.generate_python_init(code_blocks, module_name, submodule, self.syntax)
