"""Source files with markers: read into blocks, and written back when a block changed."""

from __future__ import annotations

import dataclasses
import difflib
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from .._debug.shown import shown
from .._load.whole_files import write_whole
from . import consts as C

#: Blocks with a parameter after a slash, and blocks without.
_WITH_PARAMETER = ("global", "object", "export")
_ALONE = ("import-section", "__all__")


def syntax_for(path: Path) -> C.MarkerSyntax:
    """Return the syntax of the markers in a file, by its extension; Python's for an unknown one."""
    return C.SYNTAX_BY_EXT.get(path.suffix.lower(), C.PYTHON_SYNTAX)


@dataclasses.dataclass
class CodeBlock:
    """Lines of a file that belong together.

    `kind` is None for a line that is no marker's, ``directive`` with `param` (name, text), or the kind of a generated
    block. The `lines` of a block include both markers. Its kinds are ``global`` with (prefix, module to import from),
    ``object`` with the type key, ``export`` with the submodule, ``import-section`` and ``__all__``.
    """

    kind: str | None
    param: str | tuple[str, ...]
    lineno_start: int
    lineno_end: int | None
    lines: list[str]

    @property
    def indent(self) -> int:
        """The number of spaces before the first line's text."""
        return len(self.lines[0]) - len(self.lines[0].lstrip(" ")) if self.lines else 0

    def fill(self, lines: list[str]) -> None:
        """Put texts of one or more lines between the markers, as far in as they are."""
        space = " " * self.indent
        each = [line for text in lines for line in text.split("\n")]
        self.lines = [self.lines[0], *(space + line if line else "" for line in each), self.lines[-1]]

    @staticmethod
    def from_begin_line(lineno: int, line: str, syntax: C.MarkerSyntax) -> CodeBlock:
        """Return the block that a marker begins, without lines yet. ValueError for a marker that nobody knows."""
        if not line.startswith(syntax.begin):
            name, found, text = line[len(syntax.prefix) :].partition("):")
            if not found or not name.replace("-", "_").isidentifier():
                raise ValueError(f"Unknown stub type at line {lineno}: {line}")
            return CodeBlock("directive", (name, text.strip()), lineno, lineno, [])
        what = line[len(syntax.begin) :].strip()
        kind, slash, text = what.partition("/")
        if not (slash and kind in _WITH_PARAMETER) and what not in _ALONE:
            raise ValueError(f"Unknown stub type `{what}` at line {lineno}")
        param: str | tuple[str, ...] = text.strip()
        if kind == "global":
            prefix, _, module = text.strip().partition("@")
            param = (prefix, module)
        return CodeBlock(kind, param, lineno, None, [])


@dataclasses.dataclass
class FileInfo:
    """A file: its lines as they are on disk, and its blocks, which a generator changes."""

    path: Path
    lines: tuple[str, ...]
    code_blocks: list[CodeBlock]
    syntax: C.MarkerSyntax

    def update(self, verbose: bool, dry_run: bool) -> bool:
        """Write the blocks to the file, if they changed and not with `dry_run`; gives whether they changed.

        With `verbose` the difference is printed.
        """
        lines = tuple(line for block in self.code_blocks for line in block.lines)
        if lines == self.lines:
            if verbose:
                say("-----> Unchanged", C_NOTE)
            return False
        if verbose:
            _print_difference(self.lines, lines)
        self.lines = lines
        if not dry_run:
            write_whole(self.path, "\n".join(lines) + "\n")
        return True

    @staticmethod
    def from_file(file: Path, include_empty: bool = False, syntax: C.MarkerSyntax | None = None) -> FileInfo | None:
        """Read a file; None if it is to be skipped or, without `include_empty`, has no marker.

        Raises ValueError for markers that do not pair or that nobody knows.
        """
        path = file.resolve()
        syntax = syntax or syntax_for(path)
        lines = path.read_text(encoding="utf-8").splitlines()
        markers = [line.strip() for line in lines if line.strip().startswith(syntax.prefix)]
        if any(marker.startswith(syntax.skip_file) for marker in markers) or not (markers or include_empty):
            return None
        return FileInfo(path, tuple(lines), _blocks_of(lines, syntax), syntax)

    def reload(self) -> None:
        """Read the blocks again, but keep the lines that the file had before."""
        source = FileInfo.from_file(self.path, include_empty=True, syntax=self.syntax)
        assert source is not None, f"{self.path} is to be skipped"
        self.code_blocks = source.code_blocks


def _blocks_of(lines: list[str], syntax: C.MarkerSyntax) -> list[CodeBlock]:
    blocks: list[CodeBlock] = []
    opened: CodeBlock | None = None
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith(syntax.begin):
            if opened is not None:
                raise ValueError(f"Nested stub not permitted at line {number}")
            opened = CodeBlock.from_begin_line(number, text, syntax)
            opened.lines.append(line)
            blocks.append(opened)
        elif text.startswith(syntax.end):
            if opened is None:
                raise ValueError(f"Unmatched `{syntax.end}` found at line {number}")
            opened.lines.append(line)
            opened.lineno_end = number
            opened = None
        elif text.startswith(syntax.prefix):
            directive = CodeBlock.from_begin_line(number, text, syntax)
            directive.lines.append(line)
            blocks.append(directive)
        elif opened is not None:
            opened.lines.append(line)
        else:
            blocks.append(CodeBlock(None, "", number, number, [line]))
    if opened is not None:
        raise ValueError(f"Unclosed stub block at end of file: it begins at line {opened.lineno_start}")
    return blocks


def collect_files(paths: list[Path], source_exts: Collection[str]) -> list[FileInfo]:
    """Return the files with markers, in order of their paths: those named, and in directories those with an extension.

    A file that cannot be read is reported and left out.
    """
    extensions = {extension.lower() for extension in source_exts}
    found = []
    for path in sorted(_files_in(paths, extensions), key=str):
        try:
            info = FileInfo.from_file(path)
        except (OSError, ValueError) as error:
            say(f'[Error] File "{path}": {error}', C_ERROR)
            continue
        if info is not None:
            found.append(info)
    return found


def _files_in(paths: list[Path], extensions: set[str]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from (file for file in path.rglob("*") if file.suffix.lower() in extensions and file.is_file())
        else:
            yield path


# ---- messages ----

C_ERROR, C_WARNING, C_NOTE, _ADDED = 31, 33, 36, 32  # colours of a terminal


def say(text: str, colour: int | None = None) -> None:
    """Print a line, in colour on a terminal."""
    text = "\n".join("\t".join(map(shown, line.split("\t"))) for line in text.split("\n"))
    print(f"\033[{colour}m{text}\033[0m" if colour and sys.stdout.isatty() else text, flush=True)


def _print_difference(old: tuple[str, ...], new: tuple[str, ...]) -> None:
    colours = {"-": C_ERROR, "+": _ADDED}
    for number, line in enumerate(difflib.unified_diff(old, new, lineterm="")):
        if number >= 2:  # the first two lines name the files
            say(line, colours.get(line[:1]))
