"""The compilers for GPU code: where they are, and which flags they take."""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
from pathlib import Path


@dataclasses.dataclass
class GpuToolchain:
    """A compiler for ``.cu`` files, and what linking its objects needs."""

    compiler: str
    flags: list[str]
    link_flags: list[str]
    include_paths: list[str]
    writes_depfile: str  # the options by which the compiler writes $out.d


def _home(variables: tuple[str, ...], tool: str, standard: str) -> Path:
    for variable in variables:
        if os.environ.get(variable):
            return Path(os.environ[variable])
    found = shutil.which(tool)
    if found is not None:
        return Path(found).resolve().parent.parent
    if Path(standard).exists():
        return Path(standard)
    raise RuntimeError(f"cpp.build: cannot find {tool}; set the environment variable {variables[0]}")


def _output(*command: str) -> list[str]:
    """The lines that a tool prints; none when it fails or is not there."""
    try:
        return subprocess.run(command, capture_output=True, check=True, text=True).stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):
        return []


def _cuda_architectures() -> list[str]:
    chosen = os.environ.get("TVM_FFI_CUDA_ARCH_LIST")
    names = chosen.split() if chosen else _output("nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader")[:1]
    flags = []
    for name in names:
        major, dot, minor = name.strip().partition(".")
        if not dot or "." in minor:
            raise ValueError(f"Invalid CUDA architecture: {name}")
        flags.append(f"-gencode=arch=compute_{major}{minor},code=sm_{major}{minor}")
    if not flags:
        raise RuntimeError("cpp.build: cannot detect the GPU's architecture; set TVM_FFI_CUDA_ARCH_LIST, such as 9.0a")
    return flags


def _rocm_architectures(home: Path) -> list[str]:
    chosen = os.environ.get("TVM_FFI_ROCM_ARCH_LIST")
    names = chosen.split() if chosen else _output(str(home / "bin" / "rocm_agent_enumerator"))
    found = dict.fromkeys(name.strip() for name in names if name.strip() not in ("", "gfx000"))
    if not found:
        raise RuntimeError(
            "cpp.build: cannot detect the GPU's architecture; set TVM_FFI_ROCM_ARCH_LIST, such as gfx90a"
        )
    return [f"--offload-arch={name}" for name in found]


def choose_backend(backend: str | None) -> str:
    """ "cuda" or "hip": as given, as TVM_FFI_GPU_BACKEND says, else the one whose compiler is here."""
    backend = backend or os.environ.get("TVM_FFI_GPU_BACKEND", "").lower() or None
    if backend is None:
        only_hip = shutil.which("hipcc") is not None and shutil.which("nvcc") is None
        return "hip" if only_hip and not any(map(os.environ.get, ("CUDA_HOME", "CUDA_PATH"))) else "cuda"
    if backend not in ("cuda", "hip"):
        raise ValueError(f"Invalid backend: {backend}. Supported backends are 'cuda' and 'hip'.")
    return backend


def gpu_toolchain(backend: str) -> GpuToolchain:
    """Return the toolchain of a backend. RuntimeError when it cannot be found."""
    if backend == "cuda":
        home = _home(("CUDA_HOME", "CUDA_PATH"), "nvcc", "/usr/local/cuda")
        return GpuToolchain(
            str(home / "bin" / "nvcc"),
            ["-Xcompiler", "-fPIC", "-std=c++17", "-O2", *_cuda_architectures()],
            [f"-L{home / 'lib64'}", "-lcudart"],
            [],
            "--generate-dependencies-with-compile --dependency-output $out.d",
        )
    home = _home(("ROCM_HOME", "ROCM_PATH"), "hipcc", "/opt/rocm")
    flags = ["-std=c++17", "-O2", "-fPIC", "-D__HIP_PLATFORM_AMD__=1", "-fno-gpu-rdc", *_rocm_architectures(home)]
    links = [f"-L{home / 'lib'}", "-lamdhip64"]
    return GpuToolchain(str(home / "bin" / "hipcc"), flags, links, [str(home / "include")], "-MD -MF $out.d")
