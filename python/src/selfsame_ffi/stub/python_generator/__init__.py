"""Stubs in Python: annotations and signatures for type checkers."""

from .generator import PythonGenerator

__all__ = ["PythonGenerator"]
