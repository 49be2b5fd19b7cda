"""The test library's functions: ``testing.name`` is the global function ``testing.name``."""

from __future__ import annotations

from .. import registry as _registry
from . import _load  # noqa: F401

_registry.init_ffi_api("testing", __name__)
__all__ = [_name for _name in globals() if not _name.startswith("_") and _name != "annotations"]
