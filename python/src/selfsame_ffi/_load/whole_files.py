"""Files that are whole at any time: as they were or are to be, even if a process is killed or a disk is full."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path


def write_whole(path: str | Path, content: str | bytes) -> bool:
    """Make the file have the content, a text in UTF-8. Whether it was written: one that has it already is not touched.

    A file that is replaced keeps its mode, and a link leads where it led. OSError when it cannot be written.
    """
    data = content.encode() if isinstance(content, str) else content
    place = os.path.realpath(path)
    mode = None
    with contextlib.suppress(FileNotFoundError):
        mode = os.stat(place).st_mode
    if mode is not None and not stat.S_ISREG(mode):
        Path(place).write_bytes(data)  # a device or a pipe; a folder is an error
        return True
    if mode is not None and Path(place).read_bytes() == data:
        return False
    folder, name = os.path.split(place)
    aside = os.path.join(folder, f".{name}.{os.urandom(4).hex()}.selfsame-unfinished")
    try:
        with open(aside, "xb") as file:
            file.write(data)
        if mode is not None:
            os.chmod(aside, stat.S_IMODE(mode))
        os.replace(aside, place)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(aside)
        raise
    return True
