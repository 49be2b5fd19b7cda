"""Tests of the package that `selfsame-ffi build examples/markdown` makes. PYTHONPATH must include its folder."""

from pathlib import Path

import pytest

markdown = pytest.importorskip("markdown", reason="run `make test-examples`, which builds the package")

HANDBOOK = Path(__file__).resolve().parents[1] / "testdata" / "handbook.md"


@pytest.fixture
def doc():
    """A small document with a node of most kinds."""
    return markdown.parse(
        "# One *big* heading\n\nA [link](/to 'the title') and <https://example.org>.\n\n"
        "- a\n- b\n\n## Two\n\n```go\nx := 1\n```\n\n> quoted\n"
    )


@pytest.fixture(scope="session")
def handbook_text():
    return HANDBOOK.read_text(encoding="utf-8")
