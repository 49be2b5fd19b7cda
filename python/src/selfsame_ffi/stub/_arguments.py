"""The command line."""

from __future__ import annotations

import argparse

from .generator import generator_names
from .utils import InitConfig, Options

_DESCRIPTION = """Write stubs of registered functions and types between markers in source files.

  # tvm-ffi-stubgen(begin): object/my.Type      (in Rust: // tvm-ffi-stubgen(begin): ...)
  # tvm-ffi-stubgen(end)

Blocks are global/PREFIX, object/KEY, import-section, __all__ and export/SUBMODULE. With --init-*, missing files and
blocks for a prefix are made first. The exit status is 0, 1 when --check finds an outdated file, and 2 for an error.
"""


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m selfsame_ffi.stub.cli",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("files", nargs="*", metavar="PATH", help="files, and directories whose files of the target language are read")
    add("--imports", type=_listed, default=[], metavar="A;B", help="Python modules to import first")
    add("--dlls", type=_listed, default=[], metavar="A;B", help="shared libraries to load first")
    add("--init-pypkg", default="", metavar="NAME", help="new files: the distribution that has the library")
    add("--init-lib", default="", metavar="NAME", help="new files: the CMake target of the library")
    add("--init-prefix", default="", metavar="PREFIX", help="new files: the functions and types to make them for")
    add("--indent", type=int, default=4, metavar="N", help="spaces inside what a block declares (4)")
    add("--target", default="python", choices=generator_names(), help="the language (python)")
    add("--verbose", action="store_true", help="print the differences")
    add("--dry-run", action="store_true", help="write nothing")
    add(
        "--check",
        action="store_true",
        help="write nothing; name outdated files and exit with status 1 if there are any",
    )
    add("--coverage-out", metavar="JSON", help="write which types' fields account for all their bytes; needs no PATH")
    return parser


def parse_arguments() -> Options:
    """Return the options in sys.argv. Exits with a message for wrong ones."""
    parser = _parser()
    given = parser.parse_args()
    of_init = (given.init_pypkg, given.init_lib, given.init_prefix)
    init = InitConfig(*of_init) if any(of_init) else None
    if init and not all(of_init):
        parser.error("--init-pypkg, --init-lib and --init-prefix go together")
    if init and (given.check or given.dry_run):
        parser.error("--check and --dry-run write nothing, --init-* makes files: choose one")
    if not given.files and not given.coverage_out:
        parser.print_help()
        parser.exit(1)
    if init and not given.files:
        parser.error("--init-*: name the directory for the files")
    return Options(
        imports=given.imports,
        dlls=given.dlls,
        init=init,
        indent=given.indent,
        files=given.files,
        verbose=given.verbose,
        dry_run=given.dry_run or given.check,
        check=given.check,
        target=given.target,
        coverage_out=given.coverage_out,
    )
