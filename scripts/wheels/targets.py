"""The platforms that wheels are built for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from scripts.tools import commands

# Everything that is downloaded, and everything that can be used again: outside of the checkout.
CACHE = commands.CACHE / "wheels"

# The oldest macOS that wheels are for: what Go 1.25 and 1.26 ask for.
MACOS = "12.0"


@dataclass(frozen=True)
class Target:
    """A processor and a C library, or a system that has one only."""

    machine: str  # x86_64 or aarch64
    libc: str  # gnu or musl; macos

    @property
    def name(self) -> str:
        return f"{self.machine}-{self.libc}"

    @property
    def zig(self) -> str:
        """Zig's name of it; the number is the oldest glibc that the result runs on. Not for macOS."""
        return f"{self.machine}-linux-{self.libc}" + (".2.28" if self.libc == "gnu" else "")

    @property
    def goarch(self) -> str:
        return {"x86_64": "amd64", "aarch64": "arm64"}[self.machine]

    @property
    def platform(self) -> str:
        """The platform tag of the finished wheel."""
        if self.libc == "macos":
            return f"macosx_{MACOS.replace('.', '_')}_{self.machine.replace('aarch64', 'arm64')}"
        return f"{'manylinux_2_28' if self.libc == 'gnu' else 'musllinux_1_2'}_{self.machine}"

    @property
    def library(self) -> str:
        """The name of the runtime library's file."""
        return "libtvm_ffi.dylib" if self.libc == "macos" else "libtvm_ffi.so"

    @property
    def folder(self) -> Path:
        """Where the libraries and programs of this target are."""
        return CACHE / "targets" / self.name

    def extension_suffix(self, soabi: str) -> str:
        """The end of the names of extension modules, such as ``.cpython-311-aarch64-linux-gnu.so``."""
        if self.libc == "macos":
            return f".{soabi}-darwin.so"
        return f".{soabi}-{self.machine}-linux-{self.libc}.so"

    @property
    def runs_here(self) -> bool:
        """Whether programs of this target run on this machine as they are."""
        if self.libc == "macos":
            return False
        libc = "gnu" if os.confstr("CS_GNU_LIBC_VERSION") else "musl"
        return os.uname().machine == self.machine and libc == self.libc


TARGETS = [Target(machine, libc) for libc in ("gnu", "musl", "macos") for machine in ("x86_64", "aarch64")]
USUAL = [target for target in TARGETS if target.libc == "gnu"] + [Target("x86_64", "musl")]


def named(names: list[str]) -> list[Target]:
    """The targets with these names, USUAL for none. ValueError for a name that is none."""
    known = {target.name: target for target in TARGETS}
    for name in names:
        if name not in known:
            raise ValueError(f"TARGETS: expected some of {', '.join(known)}, got {name}")
    return [known[name] for name in names] or USUAL
