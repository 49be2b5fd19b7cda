"""A container engine, and a container that is this machine's own system, for which no image is fetched."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from scripts.tools.commands import timed as run
from scripts.tools.environments import venv

IMAGE = "localhost/selfsame-machine:1"


def engine() -> str | None:
    """A program that runs containers here, None for none."""
    for name in ("docker", "podman"):
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True).returncode == 0:
            return name
    return None


def has_image(program: str, image: str) -> bool:
    """Whether the engine has an image, or gets it from a registry that this machine reaches."""
    ways = (["image", "inspect"], ["pull"])
    return any(subprocess.run([program, *way, image], capture_output=True).returncode == 0 for way in ways)


def cibuildwheel_settings(folder: Path, shared: list[Path]) -> dict[str, str]:
    """The variables with which cibuildwheel builds for this Python in such a container.

    The system and the shared folders lie where they are here. The Python is a virtual environment in `folder`.
    """
    program = engine()
    if program is None or not Path("/bin").is_symlink():
        pytest.skip("no docker and no podman works here, or the system has no single /usr")
    python = venv(folder / "python").parent
    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    root = folder / "root"
    for name in ("etc", "opt/python", "root", "tmp", "usr", "var/tmp"):
        (root / name).mkdir(parents=True)
    for name in ("bin", "lib", "lib64", "sbin"):
        (root / name).symlink_to(f"usr/{name}")
    for name in ("cp39-cp39", f"{tag}-{tag}"):  # cibuildwheel runs the first one for work of its own
        (root / "opt/python" / name).symlink_to(python)
    shutil.copytree("/etc/alternatives", root / "etc/alternatives", symlinks=True)
    for name in ("group", "ld.so.cache", "passwd"):
        shutil.copy(f"/etc/{name}", root / "etc")
    with tarfile.open(folder / "root.tar", "w") as archive:
        archive.add(root, arcname=".")
    run(program, "import", folder / "root.tar", IMAGE)
    # A machine may refuse the limits that the engine chooses itself, which are greater.
    options = ["--ulimit nofile=4096:4096", "--ulimit nproc=4096:4096"]
    options += [f"-v {place}:{place}:ro" for place in ("/usr", "/etc/ssl", sys.base_prefix)]
    options += [f"-v {place}:{place}" for place in (folder, *shared)]
    machine = platform.machine()
    # How this machine reaches the package index.
    index = [name for name in os.environ if name.startswith(("PIP_", "SSL_CERT")) or name.lower().endswith("_proxy")]
    return {
        "CIBW_CONTAINER_ENGINE": f"{program}; create_args: --network=host {' '.join(options)}",
        f"CIBW_MANYLINUX_{machine.upper()}_IMAGE": IMAGE,
        "CIBW_ENVIRONMENT_PASS_LINUX": " ".join(index),
        "CIBW_ARCHS": machine,
        "CIBW_BUILD": f"{tag}-manylinux_{machine}",
    }
