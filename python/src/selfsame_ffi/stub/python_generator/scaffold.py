"""New Python files with markers: what ``--init-*`` appends."""

from __future__ import annotations

from ..consts import MarkerSyntax
from ..file_utils import CodeBlock
from ..utils import InitConfig, ObjectInfo
from .words import docstring, is_path, literal


def _has(code_blocks: list[CodeBlock], kind: str) -> bool:
    return any(block.kind == kind for block in code_blocks)


def generate_python_ffi_api(
    code_blocks: list[CodeBlock],
    ty_map: dict[str, str],
    module_name: str,
    object_infos: list[ObjectInfo],
    init_cfg: InitConfig,
    is_root: bool,
    syntax: MarkerSyntax,
) -> str:
    """Return the text that the module of a prefix lacks. The root module loads the library."""
    lines: list[str] = []
    if not code_blocks:
        lines += docstring(f"FFI API bindings for {module_name}.", 0)
    if not _has(code_blocks, "import-section"):
        lines += ["", f"{syntax.begin} import-section", syntax.end]
    if is_root:
        lines.append(f"{syntax.import_object} tvm_ffi.libinfo.load_lib_module;False;_FFI_LOAD_LIB")
        lines.append(f"LIB = _FFI_LOAD_LIB({literal(init_cfg.pkg)}, {literal(init_cfg.shared_target)})")
    if not _has(code_blocks, "global"):
        lines += [f"{syntax.begin} global/{module_name}", syntax.end]
    if object_infos:
        lines.append(f"{syntax.import_object} tvm_ffi.register_object;False;_FFI_REG_OBJ")
        lines += _classes(object_infos, ty_map, syntax)
    if not _has(code_blocks, "__all__"):
        lines += ["", "__all__ = [", f"    {syntax.begin} __all__", f"    {syntax.end}", "]"]
    return "\n".join([*lines, ""]) if lines else ""


def _classes(infos: list[ObjectInfo], ty_map: dict[str, str], syntax: MarkerSyntax) -> list[str]:
    keyed = [(info, info.type_key) for info in infos if info.type_key]
    here = {ty_map.get(key, key) for _, key in keyed}
    imported: set[str] = set()
    lines: list[str] = []
    for info, key in keyed:
        name = ty_map.get(key, key)
        base = "Object"
        if info.parent_type_key:
            parent = ty_map.get(info.parent_type_key, info.parent_type_key)
            if not is_path(parent):
                parent = "ffi.Object"
            base = parent.rpartition(".")[2]
            if parent not in here:
                base = "_" + parent.replace(".", "_")
                if parent not in imported:
                    lines.append(f"{syntax.import_object} {parent};False;{base}")
                    imported.add(parent)
        lines += [
            f"@_FFI_REG_OBJ({literal(key)})",
            f"class {name.rpartition('.')[2]}({base}):",
            *(docstring(info.doc, 4) or docstring(f"FFI binding for `{key}`.", 4)),
            "",
            f"    {syntax.begin} object/{key}",
            f"    {syntax.end}",
            "",
            "",
        ]
    return lines


def generate_python_init(code_blocks: list[CodeBlock], module_name: str, submodule: str, syntax: MarkerSyntax) -> str:
    """Return the text that the package's ``__init__`` lacks."""
    if _has(code_blocks, "export"):
        return ""
    head = "" if code_blocks else "\n".join([*docstring(f"Package {module_name}.", 0), ""])
    return f"{head}\n{syntax.begin} export/{submodule}\n{syntax.end}\n"
