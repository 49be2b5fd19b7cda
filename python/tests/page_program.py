"""Runs the Python code of a page in docs, each example with what the page says that it prints: run by test_pages.py.

Usage: page_program.py PAGE FOLDER...     the folders have the packages that the page imports
"""

from __future__ import annotations

import doctest
import signal
import sys
from pathlib import Path

import page_blocks


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts background jobs with SIGINT ignored
    page = Path(sys.argv[1])
    sys.path[:0] = sys.argv[2:]
    text = "\n".join(block.text for block in page_blocks.blocks(page) if block.language == "python")
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert len(examples.examples) > 5, f"{page.name} has no examples"
    flags = doctest.ELLIPSIS | doctest.REPORT_NDIFF
    examples.globs = vars(sys.modules["__main__"])  # so that its names are those of a module, as in a program
    failed, tried = doctest.DocTestRunner(optionflags=flags).run(examples, clear_globs=False)
    print(f"{tried - failed} of {tried} passed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
