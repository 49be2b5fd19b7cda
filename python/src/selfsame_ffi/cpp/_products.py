"""What a folder of a build holds, so that a file which was cut or changed since is made again."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from .._load.whole_files import write_whole

#: The file with the size and the digest of each product.
_RECORD = ".selfsame-products.json"


def products(ninja: str) -> list[str]:
    """Return the names of the files that a build.ninja makes."""
    found = re.findall(r"^build ((?:\$.|[^:$])+):", ninja, re.MULTILINE)
    return [re.sub(r"\$(.)", r"\1", name) for name in found]


def _state(path: Path) -> list[int | str] | None:
    """The size and the digest of a file, None without one."""
    try:
        content = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        return None
    return [len(content), hashlib.sha256(content).hexdigest()]


def _recorded(folder: Path) -> dict[str, object] | None:
    try:
        found = json.loads((folder / _RECORD).read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def discard_damaged(folder: Path, names: list[str]) -> None:
    """Remove products that are not as the last build left them. All of them, when nothing says how it left them."""
    before = _recorded(folder)
    for name in names:
        path = folder / name
        if path.is_file() and (before is None or name in before and before[name] != _state(path)):
            path.unlink()


def record(folder: Path, names: list[str], done: bool) -> None:
    """Note how a build leaves its products.

    A build that failed has only the products noted that are as they were: ninja knows the others.
    """
    before = _recorded(folder) or {}
    now = {name: state for name in names if (state := _state(folder / name)) is not None}
    write_whole(folder / _RECORD, json.dumps({k: v for k, v in now.items() if done or before.get(k) == v}))
