"""Folders that this package makes in places where other users may write, and what it trusts of those that it finds."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def own_folder(path: Path, caller: str, *, secret: bool) -> Path:
    """Make a folder with the rights 0700 where it is missing, and return it. Parents are made unless it is `secret`.

    PermissionError, which says how to mend it, for a folder that another user made or can write to, and for a link that
    another user made. A `secret` folder must be no link, and others must not be able to enter it.
    """
    path.mkdir(mode=0o700, parents=not secret, exist_ok=True)
    user = os.getuid()
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode) and found.st_uid == user and not secret:
        found = path.stat()
    denied = 0o077 if secret else 0o022
    kind = "that only this user can enter" if secret else "that only this user can write to"
    if stat.S_ISLNK(found.st_mode):
        got = f"a link of user {found.st_uid}"
    elif not stat.S_ISDIR(found.st_mode):
        got = "a file"
    elif found.st_uid != user:
        got = f"one of user {found.st_uid}"
    elif found.st_mode & denied:
        got = f"one with the rights {found.st_mode & 0o777:03o}; run chmod go-{'rwx' if secret else 'w'} on it"
    else:
        return path
    raise PermissionError(f"{caller}: expected {path} to be a folder {kind}, got {got}")
