"""The target languages that there are."""

from __future__ import annotations

from .python_generator import PythonGenerator
from .rust_generator import RustGenerator
from .target import Generator

_GENERATORS: dict[str, Generator] = {"python": PythonGenerator(), "rust": RustGenerator()}


def generator_names() -> list[str]:
    """Return the target languages."""
    return sorted(_GENERATORS)


def get_generator(target: str) -> Generator:
    """Return the generator of a language. ValueError for one that there is none for."""
    if target not in _GENERATORS:
        raise ValueError(f"no generator for {target!r}. Known generators: {', '.join(generator_names())}")
    return _GENERATORS[target]


__all__ = ["Generator", "generator_names", "get_generator"]
