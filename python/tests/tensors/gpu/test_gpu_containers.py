"""Tensors on a GPU inside lists, tuples, dicts, fields and results."""

# Requirements: C8, F3

from typing import Any

import pytest
import selfsame_ffi
from selfsame_ffi import Tensor, from_dlpack
from selfsame_ffi.dataclasses import py_class


@py_class("test_gpu_containers.Layer")
class Layer(selfsame_ffi.Object):
    __slots__ = ()
    weights: Any
    more: Any = None


@pytest.fixture
def x(torch):
    return torch.arange(4, dtype=torch.float32, device="cuda")


def test_containers_as_arguments(kernels, torch, x):
    out = torch.zeros_like(x)
    kernels.add_all(out, [x, x])
    kernels.add_all(out, (x,))
    kernels.add_all(out, selfsame_ffi.Array([x, from_dlpack(x)]))
    kernels.add_named(out, {"a": x, "b": x})
    kernels.add_named(out, selfsame_ffi.Map({"a": x}))
    torch.cuda.synchronize()
    assert out.tolist() == [0.0, 8.0, 16.0, 24.0]


def test_containers_as_results(kernels, torch, x):
    first, second, third = kernels.multiples(x, 3)
    for factor, made in enumerate((first, second, third), start=1):
        assert type(made) is torch.Tensor and torch.equal(made, factor * x)
    named = kernels.named_multiples(x)
    assert type(named["twice"]) is torch.Tensor and torch.equal(named["twice"], 2 * x)
    assert torch.equal(named["more"][0], 3 * x) and named["more"][1] == 7
    (only,) = kernels.multiples([x][0], 1)
    assert torch.equal(only, x) and only.data_ptr() != x.data_ptr()


def test_list_of_both_devices(kernels, torch, x):
    host = torch.ones(2)
    seen = kernels.call(selfsame_ffi.convert(lambda given: [str(each.device) for each in given]), [host, x, host])
    assert list(seen) == ["cpu:0", "cuda:0", "cpu:0"]
    back = kernels.echo([host, x])
    assert [each.device.type for each in back] == ["cpu", "cuda"]
    assert [each.data_ptr() for each in back] == [host.data_ptr(), x.data_ptr()]


def test_fields_and_keyword_arguments(kernels, torch, x):
    layer = Layer(weights=x, more={"bias": [x]})
    assert type(layer.weights) is Tensor and layer.weights is layer.weights
    assert torch.from_dlpack(layer.weights).data_ptr() == x.data_ptr()
    assert layer.more["bias"][0].data_ptr() == x.data_ptr()
    out = torch.zeros_like(x)
    kernels.scale(out, layer.weights, 2.0)
    torch.cuda.synchronize()
    assert out.tolist() == [0.0, 2.0, 4.0, 6.0]


def test_callback_takes_and_returns_tensors(kernels, torch, x):
    """A callback gets Tensors; the PyTorch tensors that it returns reach a caller with PyTorch's tensors as such."""
    seen = []

    def double(given):
        seen.append(type(given))
        return torch.from_dlpack(given) * 2

    made = kernels.call(selfsame_ffi.convert(double), x)
    assert seen == [Tensor] and type(made) is torch.Tensor and torch.equal(made, 2 * x)
