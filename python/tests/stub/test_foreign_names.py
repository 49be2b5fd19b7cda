"""Names, comments and metadata of a foreign library in generated code: what is written is imported and compiled, and no
statement of theirs runs."""

# Requirement: D12

import pytest
from foreign_names import Emitters


@pytest.fixture(scope="module", params=[(0, 1), (1, 7)], ids=["corpus", "mixed"])
def emitters(request, tmp_path_factory):
    return Emitters(tmp_path_factory.mktemp("foreign"), *request.param)


@pytest.mark.parametrize("language", ["text", "python", "stubs", "rust", "cpp", "go"])
def test_no_name_becomes_code(emitters, language):
    getattr(emitters, f"try_{language}")()
