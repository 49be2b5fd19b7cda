#!/bin/sh
# PyTorch refuses a lazily conjugated tensor at one of its DLPack doors and hands out wrong values at the others; a
# lazily negated one, and its own int4, go out wrong at all.
#
# Versions: torch 2.15.0, numpy 2.4.6, apache-tvm-ffi 0.1.15.post2
#
# Expected: whatever __dlpack__ refuses, the table of C functions for exchange and to_dlpack refuse too; copy=True sets the
# flag IS_COPIED; int4 is refused or named int4.
#
# Seen: x.conj() is a BufferError by __dlpack__, and comes out unconjugated by to_dlpack and by the C exchange, which
# tvm-ffi uses; x.conj().imag, whose lazy bit is that of the sign, comes out with the other sign by all, also for
# np.from_dlpack; a tensor that requires grad is a BufferError by __dlpack__ and passes the exchange. torch.int4 is
# exported as int8, copy=True has flags 0, and a consumer that knows 1.0 gets version 1.3.
. "$(dirname "$0")/parts/begin.sh"
environment "3.12 3.11 3.13" torch==2.15.0 numpy==2.4.6 apache-tvm-ffi==0.1.15.post2
"$python" -W ignore - <<'P'
import numpy as np
import torch
import tvm_ffi
from capsule import fields
from seen import end, seen
from torch.utils.dlpack import from_dlpack, to_dlpack

x = torch.tensor([1 + 2j])
conjugated, negated = x.conj(), x.conj().imag
by_exchange = tvm_ffi.convert(lambda tensor: str(np.from_dlpack(tensor).tolist()))
seen("the values", (conjugated.tolist(), negated.tolist()), ([1 - 2j], [-2.0]))
seen("conjugated by __dlpack__", lambda: np.from_dlpack(conjugated), "BufferError")
seen("conjugated by to_dlpack", from_dlpack(to_dlpack(conjugated)).tolist(), [1 + 2j])
seen("conjugated by the C exchange", by_exchange(conjugated), "[(1+2j)]")
seen("negated by __dlpack__", np.from_dlpack(negated).tolist(), [2.0])
seen("negated by the C exchange", by_exchange(negated), "[2.0]")
seen("negated by numpy()", lambda: negated.numpy(), "RuntimeError")
learning = torch.ones(1, requires_grad=True)
seen("one that requires grad by __dlpack__", lambda: np.from_dlpack(learning), "BufferError")
seen("one that requires grad by the C exchange", by_exchange(learning), "[1.0]")
four = torch.zeros(2, dtype=torch.uint8).view(torch.int4)
seen("dtype of int4", fields(four, max_version=(1, 0))["dtype"], (0, 8, 1))
copied = fields(torch.zeros(3), max_version=(1, 0), copy=True)
seen("flags and version of a copy", (copied["flags"], copied["version"]), (0, (1, 3)))
end()
P
