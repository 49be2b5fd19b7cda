"""Checks the contents of a wheel: that nothing is missing, and that its programs are for its platform and stripped."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

from scripts.wheels import macos
from scripts.wheels.targets import Target

_LIBRARY = "selfsame_ffi/lib/libtvm_ffi."
_TOOL = "selfsame_ffi/bin/selfsame-ffi"
_FILES = [
    "selfsame_ffi/include/selfsame/c_api.h",
    "selfsame_ffi/py.typed",
]
# With the published headers; a wheel from the source distribution has none.
_HEADERS = [
    "selfsame_ffi/include/tvm/ffi/object.h",
    "selfsame_ffi/include/dlpack/dlpack.h",
    "selfsame_ffi/share/cmake/tvm_ffi/tvm_ffi-config.cmake",
]
_LICENSES = [
    "LICENSE",
    "LICENSE-third-party",
    "LICENSE-go",
    "LICENSE-tvm-ffi-headers-LICENSE",
    "LICENSE-tvm-ffi-headers-NOTICE",
]
# The names of processors in ELF files.
_PROCESSORS = {"x86_64": 62, "aarch64": 183}


def missing(wheel: Path, published_headers: bool = True) -> list[str]:
    """The files that a wheel must have and does not; the tool counts as missing when it cannot be executed."""
    with zipfile.ZipFile(wheel) as archive:
        modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
    licenses = {Path(name).name for name in modes if "/licenses/" in name}
    windows = wheel.stem.endswith("win_amd64")
    wanted = _FILES + (_HEADERS if published_headers else [])
    wanted += ["selfsame_ffi/lib/tvm_ffi.dll", f"{_TOOL}.exe", "selfsame_ffi_tool.py"] if windows else []
    lacking = [name for name in wanted if name not in modes]
    lacking += [name for name in (_LICENSES if published_headers else _LICENSES[:1]) if name not in licenses]
    if windows:
        return lacking + [name for name in ["selfsame_ffi/_core.cp313-win_amd64.pyd"] if name not in modes]
    if published_headers and not any(name.endswith("/share/man/man1/selfsame-ffi.1") for name in modes):
        lacking.append("share/man/man1/selfsame-ffi.1")
    if not any(name.startswith(_LIBRARY) for name in modes):
        lacking.append("selfsame_ffi/lib/libtvm_ffi.so")
    if "musllinux" not in wheel.name and "macosx" not in wheel.name and "selfsame_ffi/lib/libselfsame.so" not in modes:
        lacking.append("selfsame_ffi/lib/libselfsame.so")
    if modes.get(_TOOL, 0) & 0o111 != 0o111:
        lacking.append(_TOOL)
    if not any(name.startswith("selfsame_ffi/_core.") for name in modes):
        lacking.append("selfsame_ffi/_core")
    return lacking


def _processor(elf: bytes) -> int:
    return int(struct.unpack_from("<H", elf, 18)[0])


def _is_stripped(elf: bytes) -> bool:
    """Whether a 64-bit ELF file has no section of the type SHT_SYMTAB."""
    (offset,) = struct.unpack_from("<Q", elf, 40)
    size, count = struct.unpack_from("<HH", elf, 58)
    return all(struct.unpack_from("<I", elf, offset + i * size + 4)[0] != 2 for i in range(count))


def _tags(archive: zipfile.ZipFile) -> set[str]:
    """The tags that the wheel says it has."""
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/WHEEL"))
    lines = archive.read(name).decode().splitlines()
    return {line.partition(":")[2].strip() for line in lines if line.startswith("Tag:")}


def wrong(wheel: Path, target: Target) -> list[str]:
    """The faults of a finished wheel of the target, a line each; nothing for a good one."""
    found = [f"{name} is missing" for name in missing(wheel)]
    with zipfile.ZipFile(wheel) as archive:
        if (tag := "-".join(wheel.stem.split("-")[2:])) not in (tags := _tags(archive)):
            found.append(f"its tag is {tag}, and the metadata say {', '.join(sorted(tags))}")
        if target.libc == "macos":
            return found + macos.wrong(archive, target)
        for name in archive.namelist():
            start = archive.read(name)
            if start[:4] != b"\x7fELF":
                continue
            if _processor(start) != _PROCESSORS[target.machine]:
                found.append(f"{name} is for another processor")
            if not _is_stripped(start):
                found.append(f"{name} is not stripped")
    return found


def library_size(wheel: Path) -> int:
    """The size of the runtime library in the wheel, unpacked."""
    with zipfile.ZipFile(wheel) as archive:
        return sum(info.file_size for info in archive.infolist() if info.filename.startswith(_LIBRARY))
