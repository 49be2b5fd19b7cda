"""The stream that native functions use on a device, per thread."""

from __future__ import annotations

from ctypes import c_void_p
from typing import Any

from . import _core, _device  # noqa: F401
from ._load import runtime  # noqa: F401


def _number(stream: int | c_void_p | None) -> int:
    return stream.value or 0 if isinstance(stream, c_void_p) else stream or 0


class StreamContext:
    """Makes a stream the current one of a device in a ``with`` block; then the one before is current again."""

    def __init__(self, device: _device.Device, stream: int | c_void_p) -> None:
        self.device_type = device.dlpack_device_type()
        self.device_id = device.index
        self.stream = stream

    def __enter__(self) -> StreamContext:
        stream = self.stream if type(self.stream) is int else _number(self.stream)
        self.prev_stream = _core.set_stream(self.device_type, self.device_id, stream)
        return self

    def __exit__(self, *args: Any) -> None:
        _core.set_stream(self.device_type, self.device_id, self.prev_stream)


class TorchStreamContext:
    """Enters a context of PyTorch, if one is given, and makes PyTorch's current CUDA stream the device's stream."""

    def __init__(self, context: Any = None) -> None:
        self.torch_context = context

    def __enter__(self) -> TorchStreamContext:
        import torch  # type: ignore[import-not-found]

        if self.torch_context is not None:
            self.torch_context.__enter__()
        stream = torch.cuda.current_stream()
        self._context = StreamContext(_device.device(str(stream.device)), stream.cuda_stream)
        self._context.__enter__()
        return self

    def __exit__(self, *args: Any) -> None:
        try:
            if self.torch_context is not None:
                self.torch_context.__exit__(*args)
        finally:
            self._context.__exit__(*args)


def use_torch_stream(context: Any = None) -> TorchStreamContext:
    """Return a ``with`` context in which native functions use PyTorch's current CUDA stream.

    `context` is a ``torch.cuda.stream(...)`` or ``torch.cuda.graph(...)``, entered with it. Raises ImportError without
    PyTorch.
    """
    try:
        import torch  # noqa: F401
    except ImportError:
        raise ImportError("use_torch_stream: cannot import torch") from None
    return TorchStreamContext(context)


def use_raw_stream(device: _device.Device, stream: int | c_void_p) -> StreamContext:
    """Return a ``with`` context in which native functions use a stream, given by its address (a ``cudaStream_t``)."""
    if not isinstance(stream, (int, c_void_p)):
        raise ValueError(
            "use_raw_stream only accepts int or c_void_p as stream input, "
            "try use_torch_stream when using torch.cuda.Stream or torch.cuda.graph"
        )
    return StreamContext(device, stream)


def get_raw_stream(device: _device.Device) -> int:
    """Return the address of the stream that native functions use on a device, 0 for the default one."""
    return _core.get_stream(device.dlpack_device_type(), device.index)


__all__ = ["StreamContext", "TorchStreamContext", "get_raw_stream", "use_raw_stream", "use_torch_stream"]
