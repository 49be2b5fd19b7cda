"""A kernel of Triton, whose compiler reads the source of a file."""

import torch
import triton
import triton.language as tl


@triton.jit
def _add_one(out, given, count, BLOCK: tl.constexpr):  # noqa: N803  Triton's constants
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(given + at, mask=at < count) + 1, mask=at < count)


def add_one(given):
    """A new tensor with each element one larger."""
    out = torch.empty_like(given)
    _add_one[(triton.cdiv(given.numel(), 256),)](out, given, given.numel(), BLOCK=256)
    return out
