"""Prints the checks of the demo, one line each, on a terminal or into a file."""

import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text


class Report:
    """Prints checks when they are made, and counts those that passed and failed."""

    def __init__(self) -> None:
        # Without a terminal rich prints no colours, and a fixed width keeps each check on one line.
        self.console = Console(highlight=False, width=None if sys.stdout.isatty() else 120, soft_wrap=True)
        self.passed = 0
        self.failed = 0

    def title(self, text: str) -> None:
        self.console.print(Text(text, style="bold"))

    def section(self, text: str) -> None:
        self.console.print()
        self.console.print(Text(text, style="bold cyan"))

    def note(self, text: str) -> None:
        self.console.print(Text("    " + text, style="dim"))

    def block(self, text: str, limit: int = 12) -> None:
        """Print indented output such as a traceback, at most `limit` lines of it."""
        lines = text.rstrip().splitlines()
        shown = lines if len(lines) <= limit else [*lines[: limit - 4], "...", *lines[-3:]]
        for line in shown:
            self.console.print(Text("      " + line, style="dim"))

    def check(self, what: str, ok: bool, expected: str = "", got: object = None) -> bool:
        """Print one check. If it failed, print the expected and the actual result too."""
        mark = ("  ok   ", "green") if ok else ("  FAIL ", "bold red")
        self.console.print(Text.assemble(mark, what))
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            if expected:
                self.console.print(Text(f"       expected: {expected}", style="red"))
            self.console.print(Text(f"       got:      {got!r}", style="red"))
        return ok

    def equal(self, what: str, got: object, expected: object) -> bool:
        if got == expected:
            return self.check(what, True)
        return self.check(what, False, _short(expected), _Shown(_short(got)))

    def same(self, what: str, got: object, expected: object) -> bool:
        """Check that both are one object, with `is`."""
        wanted = f"the object itself, {object.__repr__(expected)}"
        return self.check(what, got is expected, wanted, _Shown(object.__repr__(got)))

    def speed(self, rows: list) -> None:
        """Print a table of rows (operation, nanoseconds here, nanoseconds on stock)."""
        table = Table(box=None, padding=(0, 3, 0, 4), header_style="dim")
        for name in ("operation", "faster", "selfsame", "stock tvm_ffi"):
            table.add_column(name, justify="left" if name == "operation" else "right")
        for operation, here, there in rows:
            ratio = there / here
            style = "bold green" if ratio >= 3 else "bold" if ratio >= 1 else "bold yellow"
            times = [Text(f"{ns:.0f} ns", style="dim") for ns in (here, there)]
            table.add_row(operation, Text(f"{ratio:.1f}x", style=style), *times)
        self.console.print(table)

    def warn(self, text: str) -> None:
        self.console.print(Text.assemble(("  note ", "yellow"), text))

    def finish(self, next_command: str) -> int:
        """Print the summary and return the exit status."""
        self.console.print()
        if self.failed:
            self.console.print(Text(f"{self.failed} of {self.passed + self.failed} checks failed.", style="bold red"))
            return 1
        self.console.print(Text(f"All {self.passed} checks passed.", style="bold green"))
        self.console.print(Text.assemble("Next: ", (next_command, "bold")))
        return 0


class _Shown:
    """A text whose repr is the text without quotes."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:160]}... ({len(text)} characters)"
