"""Bindings in Rust, for the crate ``tvm_ffi``."""

from .generator import RustGenerator

__all__ = ["RustGenerator"]
