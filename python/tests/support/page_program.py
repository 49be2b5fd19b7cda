"""Runs the Python code of a page, each example with what the page says that it prints: run by test_pages.py.

A block with prompts is a session. In one without, a statement that is an expression is compared with the value in its
comment, if there is one: `p.norm()  # 5.0`. PAGE_prelude.py beside this file, if there is one, makes what the page
presumes.

Usage: page_program.py PAGE FOLDER...     PAGE: relative to the repository; FOLDER: has packages that the page imports
"""

from __future__ import annotations

import ast
import doctest
import re
import sys
from pathlib import Path

import documented

FLAGS = doctest.ELLIPSIS | doctest.REPORT_NDIFF
#: How a value begins; other comments explain, and so does what follows a value and a colon.
VALUE = re.compile(r"#\s*((?:True|False|None)(?=$|: )|(?:[-\d\[({'<]|b').*$|\"[^\"]*\"$)")


def session(block: str) -> str:
    """A block without prompts as a session."""
    lines = block.splitlines()
    out = []
    for statement in ast.parse(block).body:
        first = min([statement.lineno, *(node.lineno for node in getattr(statement, "decorator_list", []))])
        code = lines[first - 1 : statement.end_lineno]
        out += [f">>> {code[0]}", *(f"... {line}" for line in code[1:])]
        value = VALUE.search(code[-1]) if isinstance(statement, ast.Expr) else None
        if value:
            out.append(repr(value[1][1:-1]) if value[1].startswith('"') else value[1])
        elif isinstance(statement, ast.Expr):
            out[-len(code)] = f">>> _ = {code[0]}"
    return "\n".join(out) + "\n"


def main() -> None:
    page = sys.argv[1]
    sys.path[:0] = sys.argv[2:]
    names = vars(sys.modules["__main__"])  # so that its names are those of a module, as in a program
    prelude = Path(__file__).with_name(f"{Path(page).stem.lower()}_prelude.py".replace("-", "_"))
    if prelude.is_file():
        exec(compile(prelude.read_text(), str(prelude), "exec"), names)
    text = "".join(block if ">>> " in block else session(block) for block in documented.python_blocks(page))
    examples = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    assert examples.examples, f"{page} has no examples"
    examples.globs = names
    failed, tried = doctest.DocTestRunner(optionflags=FLAGS).run(examples, clear_globs=False)
    print(f"{tried - failed} of {tried} passed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
