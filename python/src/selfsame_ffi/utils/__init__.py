"""Helpers around native functions: keyword arguments, flat argument lists, lock files."""

from . import kwargs_wrapper
from .lockfile import FileLock

__all__ = ["FileLock", "kwargs_wrapper"]
