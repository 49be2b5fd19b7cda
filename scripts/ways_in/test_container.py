"""The container file: built by docker or podman where one of them works, else its lines in a new Debian of its own.

The second way needs root, and debootstrap, which it installs on Debian. Go comes from this machine, as the base image
has it.
"""

# Requirement: F5

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from checkout import ROOT, clone, run

FILE = ROOT / "Containerfile"
USE = """selfsame-ffi version
python -c "import selfsame_ffi"
cd /tmp
selfsame-ffi new shop
selfsame-ffi develop shop
python -c "import shop; print(shop.total([shop.Account('Ada', 3)]))"
"""


def instructions() -> list[tuple[str, str]]:
    """Word and rest of each line of the container file."""
    text = re.sub(r"\\\n", " ", FILE.read_text())
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in text.splitlines() if line and line[0] != "#"]


def builder() -> str | None:
    """A program that builds images here, None for none."""
    for name in ("docker", "podman"):
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True).returncode == 0:
            return name
    return None


def debian(folder: Path, release: str) -> Path:
    """A new system of a Debian release, with Go where the base image has it."""
    if os.getuid() != 0 or not shutil.which("apt-get"):
        pytest.skip("neither docker nor podman works, and a Debian of its own needs root on Debian")
    if not shutil.which("debootstrap"):
        run("apt-get", "install", "-y", "-q", "debootstrap")
    packages = "--include=ca-certificates,gcc,g++,libc6-dev,pkg-config,make,git"  # what golang's image has
    run("debootstrap", "--variant=minbase", packages, release, folder)
    shutil.copytree(run("go", "env", "GOROOT").strip(), folder / "usr/local/go", symlinks=True)
    for name in ("etc/resolv.conf", "etc/hosts", "etc/ssl/certs/ca-certificates.crt", "etc/apt/apt.conf.d"):
        source, target = Path("/") / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        elif source.is_file():
            shutil.copy(source.resolve(), target)
    return folder


def build_in(system: Path) -> None:
    """Follow the instructions in a system without an image, and use the result."""
    kept = {name: value for name, value in os.environ.items() if "proxy" in name.lower() or name.startswith("PIP_")}
    env = {
        **kept,
        "PATH": "/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
    }
    for word, rest in [*instructions(), ("RUN", USE)]:
        if word == "COPY":
            source, target = rest.split()
            assert source == "."
            clone(system / target.lstrip("/"))
        elif word == "ENV":
            name, _, value = rest.partition("=")
            env[name] = re.sub(r"\$(\w+)", lambda found: env[found[1]], value)
        elif word == "RUN":
            inside = f'mount -t proc proc {system}/proc && exec chroot {system} /bin/sh -euc "$0"'
            run("unshare", "--mount", "--pid", "--fork", "sh", "-c", inside, rest, env=env)


def test_container_file_gives_a_working_tool(tmp_path: Path) -> None:
    (word, image), *_ = instructions()
    assert word == "FROM" and "golang:" in image
    if program := builder():
        run(program, "build", "-t", "selfsame-ways-in", "-f", FILE, clone(tmp_path / "selfsame"))
        run(program, "run", "--rm", "selfsame-ways-in", "sh", "-euc", USE)
        return
    build_in(debian(tmp_path / "system", image.rpartition("-")[2]))
