"""Compiling CUDA source texts in the process, with NVIDIA's library for it (NVRTC)."""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib.util
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

_COMPUTE_CAPABILITY = (75, 76)  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR


def _candidates() -> Iterator[str]:
    """Where the library may be, the likeliest place first."""
    chosen = os.environ.get("SELFSAME_NVRTC")
    if chosen:
        yield chosen
        return
    wheels = importlib.util.find_spec("nvidia")  # the folder that all wheels of NVIDIA share
    for folder in (wheels.submodule_search_locations if wheels else None) or ():
        for pattern in ("cu[0-9]*/lib/libnvrtc.so.*", "cuda_nvrtc/lib/libnvrtc.so.*"):
            yield from map(str, sorted(Path(folder).glob(pattern), reverse=True))
    for home in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if home:
            yield from map(str, sorted(Path(home).glob("lib64/libnvrtc.so*")))
    found = ctypes.util.find_library("nvrtc")
    if found:
        yield found


def _library() -> ctypes.CDLL:
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError:
            continue
        library.nvrtcGetErrorString.restype = ctypes.c_char_p
        return library
    raise RuntimeError("nvrtc_compile: cannot find libnvrtc; install the CUDA toolkit, or set SELFSAME_NVRTC")


def _this_gpu() -> str:
    """The architecture of the first GPU, as ``sm_90``. RuntimeError when there is none."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise RuntimeError("nvrtc_compile: no GPU; give argument 'arch', for example 'sm_90'") from None
    device, numbers = ctypes.c_int(), [ctypes.c_int(), ctypes.c_int()]
    status = driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(device), 0)
    for number, attribute in zip(numbers, _COMPUTE_CAPABILITY):
        status = status or driver.cuDeviceGetAttribute(ctypes.byref(number), attribute, device)
    if status:
        raise RuntimeError(f"nvrtc_compile: the GPU's architecture cannot be read: CUDA error {status}; give 'arch'")
    return f"sm_{numbers[0].value}{numbers[1].value}"


class _Program:
    """A program of the library, destroyed at the end of a ``with`` block."""

    def __init__(self, source: str, name: str) -> None:
        self._library = _library()
        self._handle = ctypes.c_void_p()
        self._check(
            self._library.nvrtcCreateProgram(ctypes.byref(self._handle), source.encode(), name.encode(), 0, None, None),
            "the program cannot be made",
        )

    def __enter__(self) -> _Program:
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self._library.nvrtcDestroyProgram(ctypes.byref(self._handle))

    def _check(self, status: int, what: str, log: str = "") -> None:
        if status:
            reason = self._library.nvrtcGetErrorString(status).decode()
            raise RuntimeError(f"nvrtc_compile: {what}: {reason}" + (f"\n{log}" if log else ""))

    def _output(self, kind: str) -> bytes:
        """The result of nvrtcGetKIND."""
        size = ctypes.c_size_t()
        self._check(getattr(self._library, f"nvrtcGet{kind}Size")(self._handle, ctypes.byref(size)), f"no {kind}")
        text = ctypes.create_string_buffer(max(size.value, 1))
        self._check(getattr(self._library, f"nvrtcGet{kind}")(self._handle, text), f"no {kind}")
        return text.raw[: size.value]

    def compile(self, options: Sequence[str]) -> bytes:
        given = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        status = self._library.nvrtcCompileProgram(self._handle, len(options), given)
        if status:
            log = self._output("ProgramLog").rstrip(b"\0").decode(errors="replace")
            self._check(status, "the compiler refused the source", log)
        return self._output("CUBIN")


def nvrtc_compile(
    source: str, *, name: str = "kernel.cu", arch: str | None = None, extra_opts: Sequence[str] | None = None
) -> bytes:
    """Compile a CUDA source text to a CUBIN, which :func:`~selfsame_ffi.cpp.load_inline` takes as ``embed_cubin``.

    `name` is the source's name in messages, `arch` the GPU's architecture, as ``"sm_90"``; without one it is that of
    the first GPU here. `extra_opts` are further options of the compiler. Any thread.

    Raises RuntimeError, with the compiler's log, when it refuses the source, and when the library or a GPU is missing.
    """
    options = [f"--gpu-architecture={arch or _this_gpu()}", "-default-device", *(extra_opts or ())]
    with _Program(source, name) as program:
        return program.compile(options)


__all__ = ["nvrtc_compile"]
