"""Building native extensions from C, C++ and CUDA sources, at run time or ahead of it."""

from .dtype import to_cpp_dtype
from .extension import build, build_inline, load, load_inline

__all__ = ["build", "build_inline", "load", "load_inline", "to_cpp_dtype"]
