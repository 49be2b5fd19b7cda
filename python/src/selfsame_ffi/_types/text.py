"""Text and bytes as classes that native types have."""

from __future__ import annotations

from .._core import Bytes, PyNativeObject, String

__all__ = ["Bytes", "PyNativeObject", "String"]
