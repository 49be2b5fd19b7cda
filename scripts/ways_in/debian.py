"""A new Debian in a folder, and commands in it. Needs root on Debian, and debootstrap, which it installs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from scripts.tools.commands import timed as run

PATH = "/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Debian(NamedTuple):
    """A system in a folder, and the environment of its commands."""

    folder: Path
    env: dict[str, str]

    @classmethod
    def of(cls, folder: Path, release: str, packages: list[str], go: bool = False) -> Debian:
        """A new system of a release with some packages; with `go`, this machine's Go in /usr/local/go."""
        if os.getuid() != 0 or not shutil.which("apt-get"):
            pytest.skip("a Debian of its own needs root on Debian")
        if not shutil.which("debootstrap"):
            run("apt-get", "install", "-y", "-q", "debootstrap")
        run("debootstrap", "--variant=minbase", f"--include={','.join(packages)}", release, folder)
        if go:
            shutil.copytree(run("go", "env", "GOROOT").strip(), folder / "usr/local/go", symlinks=True)
        # How this machine reaches others.
        for name in ("etc/resolv.conf", "etc/hosts", "etc/ssl/certs/ca-certificates.crt", "etc/apt/apt.conf.d"):
            source, target = Path("/") / name, folder / name
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            elif source.is_file():
                shutil.copy(source.resolve(), target)
        kept = {name: value for name, value in os.environ.items() if "proxy" in name.lower() or name.startswith("PIP_")}
        return cls(folder, {**kept, "PATH": PATH, "HOME": "/root"})

    def run(self, commands: str) -> str:
        """The output of commands of the shell, which must succeed. What they mount and start ends with them."""
        inside = f'mount -t proc proc {self.folder}/proc && exec chroot {self.folder} /bin/sh -euc "$0"'
        return run("unshare", "--mount", "--pid", "--fork", "sh", "-c", inside, commands, env=self.env)
