"""The text of each kind of block in a Python file."""

from __future__ import annotations

import dataclasses

from ..file_utils import CodeBlock
from ..utils import FuncInfo, ObjectInfo, Options
from .records import IMPORTS as RECORD_IMPORTS
from .records import Records
from .scaffold import generate_python_ffi_api, generate_python_init
from .signatures import (
    render_func_signature,
    render_object_ffi_init,
    render_object_fields,
    render_object_init,
    render_object_methods,
)
from .utils import ImportItem, Names
from .words import is_member, is_name, left_out, literal


def _unformatted(lines: list[str]) -> list[str]:
    return ["# fmt: off", *lines, "# fmt: on"]


def generate_python_global_funcs(
    code: CodeBlock,
    global_funcs: list[FuncInfo],
    ty_map: dict[str, str],
    imports: list[ImportItem],
    opt: Options,
    records: Records | None = None,
) -> None:
    """Write the functions of a prefix: bound at run time, declared for type checkers. Add the records in them."""
    if not global_funcs:
        return
    records = Records() if records is None else records
    hidden = [func.short_name for func in global_funcs if not is_member(func.short_name)]
    global_funcs = [func for func in global_funcs if is_member(func.short_name)]
    records.learn(global_funcs)
    prefix, module = tuple(code.param)
    imports.append(ImportItem(f"{module or 'tvm_ffi'}.init_ffi_api", alias="_FFI_INIT_FUNC"))
    imports.append(ImportItem("typing.TYPE_CHECKING"))
    names = Names(ty_map, imports, {func.short_name for func in global_funcs}, records)
    declared = [render_func_signature(func, names.output, opt.indent, names.given) for func in global_funcs]
    records.declare(names, opt.indent)
    lines = [f"_FFI_INIT_FUNC({literal(prefix)}, __name__)"]
    if declared:
        lines += ["if TYPE_CHECKING:", *declared]
    code.fill(_unformatted([*lines, *(left_out("function", name) for name in hidden)]))


def generate_python_object(
    code: CodeBlock,
    ty_map: dict[str, str],
    imports: list[ImportItem],
    opt: Options,
    obj_info: ObjectInfo,
    records: Records | None = None,
) -> None:
    """Write the body of a class: annotations of its fields, and constructors and methods for type checkers.

    Adds the records that the methods name.
    """
    records = Records() if records is None else records
    hidden = [left_out("field", field.name) for field in obj_info.fields if not is_member(field.name)]
    hidden += [left_out("method", each.short_name) for each in obj_info.methods if not is_name(each.short_name)]
    obj_info = dataclasses.replace(
        obj_info,
        fields=[field for field in obj_info.fields if is_member(field.name)],
        methods=[method for method in obj_info.methods if is_name(method.short_name)],
        init_fields=[
            field if is_name(field.name) else dataclasses.replace(field, name=f"_{i}")
            for i, field in enumerate(obj_info.init_fields)
            if is_name(field.name) or not field.kw_only
        ],
    )
    members = {method.short_name for method in obj_info.methods} | {field.name for field in obj_info.fields}
    records.learn(obj_info.methods)
    names = Names(ty_map, imports, members, records)
    if obj_info.has_overloaded_methods():
        imports.append(ImportItem("typing.overload", type_checking_only=True))
    checked = [
        line
        for render in (render_object_init, render_object_ffi_init, render_object_methods)
        for line in render(obj_info, names.output, opt.indent, names.given)
    ]
    records.declare(names, opt.indent)
    if checked:
        imports.append(ImportItem("typing.TYPE_CHECKING"))
        checked.insert(0, "if TYPE_CHECKING:")
    code.fill(_unformatted([*render_object_fields(obj_info, names.output, 0), *checked, *hidden]))


def _statements(items: list[ImportItem], indent: int) -> list[str]:
    """One statement for each module."""
    modules: dict[str, set[str]] = {}
    for item in items:
        modules.setdefault(item.mod, set()).add(item.name_with_alias)
    return [
        f"{' ' * indent}{f'from {module} ' if module else ''}import {', '.join(sorted(modules[module]))}"
        for module in sorted(modules)
    ]


def generate_python_import_section(
    code: CodeBlock, imports: list[ImportItem], opt: Options, records: Records | None = None
) -> None:
    """Write the imports, those for type checkers apart, and the classes of records."""
    declared = records.lines if records is not None else []
    if declared:
        imports = [*imports, *(ImportItem(name, alias=alias) for name, alias in RECORD_IMPORTS)]
    if not imports:
        return
    checked = [item for item in imports if item.type_checking_only]
    always = [item for item in imports if not item.type_checking_only]
    if checked:
        always.append(ImportItem("typing.TYPE_CHECKING"))
    lines = _statements(always, 0)
    if checked:
        lines += ["if TYPE_CHECKING:", *_statements(checked, opt.indent)]
    code.fill(_unformatted(["# isort: off", "from __future__ import annotations", *lines, "# isort: on", *declared]))


def generate_python_all(code: CodeBlock, names: set[str], opt: Options) -> None:
    """Write the public names: constants, classes, functions, each in order."""

    def rank(name: str) -> tuple[int, str]:
        if name.isupper():
            return 0, name
        return (1 if name[:1].isupper() and "_" not in name else 2), name

    public = {name for name in (name.rpartition(".")[2] for name in names) if is_member(name)}
    if public:
        code.fill([f"{literal(name)}," for name in sorted(public, key=rank)])


def generate_python_export(code: CodeBlock) -> None:
    """Write the names of a submodule as the package's."""
    module = code.param
    code.fill(
        _unformatted(
            [
                "# isort: off",
                f"from .{module} import *  # noqa: F403",
                f"from .{module} import __all__ as {module}__all__",
                'if "__all__" not in globals():',
                "    __all__ = []",
                f"__all__.extend({module}__all__)",
                "# isort: on",
            ]
        )
    )


__all__ = [
    "generate_python_all",
    "generate_python_export",
    "generate_python_ffi_api",
    "generate_python_global_funcs",
    "generate_python_import_section",
    "generate_python_init",
    "generate_python_object",
    "render_func_signature",
    "render_object_ffi_init",
    "render_object_fields",
    "render_object_init",
    "render_object_methods",
]
