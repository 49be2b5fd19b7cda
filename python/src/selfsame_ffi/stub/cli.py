"""The command ``python -m selfsame_ffi.stub.cli``."""

from __future__ import annotations

import ctypes
import importlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from .._load.whole_files import write_whole
from ..core import _object_type_key_to_index
from . import consts as C
from ._arguments import parse_arguments
from .file_utils import C_ERROR, C_NOTE, C_WARNING, CodeBlock, FileInfo, collect_files, say, syntax_for
from .generator import Generator, get_generator
from .layout import classify, write_coverage_report
from .lib_state import collect_global_funcs, collect_type_keys, object_info_from_type_key, toposort_objects
from .utils import FuncInfo, InitConfig, Options


def __main__() -> int:
    """Run the command with sys.argv. Gives the exit status: 1 for outdated files with ``--check``, 2 for errors."""
    options = parse_arguments()
    generator = get_generator(options.target)
    for module in options.imports:
        importlib.import_module(module)
    for library in options.dlls:
        ctypes.CDLL(library)  # stays loaded
    status = _write_stubs(options, generator) if options.files else 0
    if options.coverage_out is not None:
        keys = [key for group in collect_type_keys().values() for key in group]
        write_coverage_report(
            Path(options.coverage_out), classify({key: object_info_from_type_key(key) for key in keys})
        )
    return status


def _write_stubs(options: Options, generator: Generator) -> int:
    failed = 0
    files = collect_files([Path(name) for name in options.files], generator.source_exts)
    functions = collect_global_funcs()
    ty_map = generator.default_ty_map()
    for file in files:
        try:
            _stage_1(file, ty_map)
        except ValueError as error:
            failed += _fail(file.path, error)
    if options.init:
        root = Path(options.files[0]).resolve()
        root = root.parent if root.is_file() else root
        made = _stage_2(files, ty_map, options.init, root, functions, generator)
    before = {file.path: generator.check_view(file.code_blocks) for file in files}
    failed += _roll_out_prefixes(files, generator)
    declared = _declared_objects(files)
    outdated = False
    for file in files:
        if options.verbose:
            say(f"[File] {file.path}", C_NOTE)
        try:
            changed = _stage_3(file, options, ty_map, functions, generator, declared)
        except (ValueError, TypeError, OSError) as error:
            failed += _fail(file.path, error)
            continue
        if options.check and changed and generator.check_view(file.code_blocks) != before[file.path]:
            outdated = True
            say(f"[Stale] {file.path}", C_WARNING)
    if options.init and made:
        generator.finalize_init(root, made)
    return 2 if failed else int(outdated)


def _fail(path: Path, reason: object) -> int:
    """Report a file that could not be done; gives 1, for counting."""
    say(f'[Failed] File "{path}": {reason}', C_ERROR)
    return 1


def _directives(file: FileInfo, name: str) -> Iterator[CodeBlock]:
    return (block for block in file.code_blocks if block.kind == "directive" and block.param[0] == name)


def _declared_objects(files: list[FileInfo]) -> dict[str, Path]:
    """The files of the types that have a block."""
    found: dict[str, Path] = {}
    for file in files:
        for block in file.code_blocks:
            if block.kind == "object":
                found.setdefault(str(block.param), file.path)
    return found


def _stage_1(file: FileInfo, ty_map: dict[str, str]) -> None:
    """Read the file's directives ``ty-map``."""
    for block in _directives(file, "ty-map"):
        origin, arrow, name = block.param[1].partition("->")
        if not arrow or "->" in name:
            raise ValueError(f"line {block.lineno_start}: a ty-map is written `native.Name -> module.Name`")
        ty_map[origin.strip()] = name.strip()


# ---- new files and blocks ----


def _stage_2(
    files: list[FileInfo],
    ty_map: dict[str, str],
    init_cfg: InitConfig,
    init_path: Path,
    global_funcs: dict[str, list[FuncInfo]],
    generator: Generator,
) -> set[str]:
    """Make files and blocks for what is registered under the prefix and has no block yet. Gives the prefixes done."""
    root = init_cfg.prefix.strip().rstrip(".")
    with_functions = {block.param[0] for file in files for block in file.code_blocks if block.kind == "global"}
    left_out = set(_declared_objects(files))
    left_out.update(block.param[1] for file in files for block in _directives(file, "skip"))
    types = collect_type_keys()
    done: set[str] = set()
    for prefix in {**types, **global_funcs}:
        if root and prefix != root and not prefix.startswith(root + "."):
            continue
        if not generator.can_name(prefix):
            say(f"[Skipped] The prefix {prefix!r} is no name in this language", C_WARNING)
            continue
        keys = [str(key) for key in types.get(prefix, ()) if key not in left_out and not generator.is_builtin(key)]
        keys = _named(keys, generator)
        infos = toposort_objects(keys)
        if not infos and (prefix in with_functions or not global_funcs.get(prefix)):
            continue
        done.add(prefix)
        directory = init_path / prefix.replace(".", "/")
        api = generator.api_filename()
        file = _file_at(directory / api, files)
        _append(
            file,
            generator.generate_api_file(file.code_blocks, ty_map, prefix, infos, init_cfg, is_root=prefix == root),
        )
        file = _file_at(directory / generator.init_filename(), files)
        _append(file, generator.generate_init_file(file.code_blocks, prefix, api.rpartition(".")[0]))
    return done


def _named(keys: list[str], generator: Generator) -> list[str]:
    """The keys that the language can write as names."""
    for key in keys:
        if not generator.can_name(key):
            say(f"[Skipped] The type key {key!r} is no name in this language", C_WARNING)
    return [key for key in keys if generator.can_name(key)]


def _file_at(path: Path, files: list[FileInfo]) -> FileInfo:
    """The file of the run at a path, which joins the run if it was not in it."""
    for file in files:
        if file.path == path.resolve():
            return file
    found = FileInfo(path.resolve(), (), [], syntax_for(path))
    if path.exists():
        read = FileInfo.from_file(path, include_empty=True)
        if read is None:
            raise ValueError(f"{path} is to be skipped, but it is where stubs of the prefix go")
        found = read
    files.append(found)
    return found


def _append(file: FileInfo, text: str) -> None:
    file.path.parent.mkdir(parents=True, exist_ok=True)
    before = file.path.read_text(encoding="utf-8") if file.path.exists() else ""
    write_whole(file.path, before + text)
    file.reload()


def _empty_block(what: str, syntax: C.MarkerSyntax, line: int) -> list[CodeBlock]:
    """An empty line and a block without contents, to be put into a file."""
    block = CodeBlock.from_begin_line(line, f"{syntax.begin} {what}", syntax)
    block.lineno_end = line
    block.lines = [f"{syntax.begin} {what}", syntax.end]
    return [CodeBlock(None, "", line, line, [""]), block]


def _roll_out_prefixes(files: list[FileInfo], generator: Generator) -> int:
    """Give files with a directive ``prefix`` a block for each type of the prefix, and none for types that are gone.

    Gives the number of files that it cannot do this for.
    """
    types = collect_type_keys()
    with_block = set(_declared_objects(files))
    owners: dict[str, Path] = {}
    failed = 0
    for file in files:
        heads = list(_directives(file, "prefix"))
        if not heads:
            continue
        prefix = heads[0].param[1].rstrip(".")
        if len(heads) > 1:
            failed += _fail(file.path, f"more than one `prefix` directive (line {heads[1].lineno_start})")
        elif owners.setdefault(prefix, file.path) != file.path:
            failed += _fail(file.path, f"prefix `{prefix}` is already declared by {owners[prefix]}")
        else:
            keys = types.get(prefix, [])
            _drop_gone(file, prefix, keys)
            if not keys:
                say(f"[Skipped] No registered object under prefix `{prefix}`", C_WARNING)
                continue
            skipped = {block.param[1] for block in _directives(file, "skip")} | with_block
            new = [key for key in keys if key not in skipped and not generator.is_builtin(key)]
            _add_blocks(file, heads[0], _named(new, generator))
    return failed


def _drop_gone(file: FileInfo, prefix: str, registered: list[str]) -> None:
    kept: list[CodeBlock] = []
    for block in file.code_blocks:
        gone = (
            block.kind == "object" and str(block.param).rpartition(".")[0] == prefix and block.param not in registered
        )
        if not gone:
            kept.append(block)
            continue
        say(
            f'[Removed] File "{file.path}": `object/{block.param}` (line {block.lineno_start}): '
            "the type is no longer registered",
            C_WARNING,
        )
        if kept and kept[-1].kind is None and kept[-1].lines == [""]:
            kept.pop()
    file.code_blocks = kept


def _add_blocks(file: FileInfo, head: CodeBlock, keys: list[str]) -> None:
    """Blocks for types, behind those that the file has; before them the imports, if it has none."""
    blocks, line = file.code_blocks, head.lineno_start
    if not any(block.kind == "import-section" for block in blocks):
        after = blocks.index(head) + 1
        blocks[after:after] = _empty_block("import-section", file.syntax, line)
    after = 1 + max(at for at, block in enumerate(blocks) if block.kind in ("object", "import-section"))
    blocks[after:after] = [
        block for info in toposort_objects(keys) for block in _empty_block(f"object/{info.type_key}", file.syntax, line)
    ]


# ---- contents of blocks ----


def _stage_3(
    file: FileInfo,
    opt: Options,
    ty_map: dict[str, str],
    global_funcs: dict[str, list[FuncInfo]],
    generator: Generator,
    declared: Mapping[str, Path] | None = None,
) -> bool:
    """Fill the file's blocks and write it; gives whether anything changed.

    A block of a type that is not registered is left as it is; when all others are written, ValueError names it.
    """
    imports = generator.new_imports()
    for block in file.code_blocks:
        if block.kind == "directive" and block.param[0] not in C.PIPELINE_DIRECTIVE_KINDS:
            name, text = tuple(block.param)
            if name not in generator.directive_kinds:
                raise ValueError(f"Unknown directive `{name}` at line {block.lineno_start}")
            generator.add_directive(imports, name, text, block.lineno_start)
    names: set[str] = set()
    for block in _of_kind(file, "global"):
        functions = global_funcs.get(block.param[0], [])
        names.update(function.schema.name for function in functions)
        generator.generate_global_funcs_block(block, functions, ty_map, imports, opt)
    defined: set[str] = set()
    gone: list[str] = []
    for block in _of_kind(file, "object"):
        key = str(block.param)
        if _object_type_key_to_index(key) is None:
            gone.append(f"`object/{key}` (line {block.lineno_start})")
            continue
        defined.add(generator.canonical_type_name(ty_map.get(key, key)))
        places = _declared_objects([file]) if declared is None else declared
        generator.generate_object_block(block, ty_map, imports, opt, object_info_from_type_key(key), places)
    for block in _of_kind(file, "import-section")[:1]:
        generator.generate_import_section_block(block, imports, opt, defined)
    for block in _of_kind(file, "__all__")[:1]:
        generator.generate_all_block(block, names | defined | generator.extra_export_names(imports), opt)
    for block in _of_kind(file, "export"):
        generator.generate_export_block(block)
    changed = file.update(opt.verbose, opt.dry_run)
    if gone:
        raise ValueError(f"{', '.join(gone)}: the type is no longer registered; delete the block")
    return changed


def _of_kind(file: FileInfo, kind: str) -> list[CodeBlock]:
    return [block for block in file.code_blocks if block.kind == kind]


if __name__ == "__main__":
    sys.exit(__main__())
