"""A Tensor is no number, although its memory is a buffer that Python could read as text."""

# Requirement: C15

import operator

import numpy as np
import pytest
import selfsame_ffi


@pytest.mark.parametrize("function", [float, int, complex, operator.index, round])
@pytest.mark.parametrize("memory", [b"12", b"1"])
def test_a_tensor_is_no_number(function, memory):
    tensor = selfsame_ffi.from_dlpack(np.frombuffer(memory, dtype="uint8").copy())
    with pytest.raises(TypeError, match="Tensor"):
        function(tensor)
    assert bytes(tensor) == memory
