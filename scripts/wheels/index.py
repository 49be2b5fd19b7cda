"""A folder of wheels as a package index (PEP 503), for ``pip --index-url`` and ``uv --index``."""

from __future__ import annotations

import hashlib
import html
from pathlib import Path

NAME = "selfsame-ffi"


def write(folder: Path) -> Path:
    """Write the index of the distributions in a folder into its folder ``simple``, and return that."""
    root = folder / "simple"
    files = sorted([*folder.glob("selfsame_ffi-*.whl"), *folder.glob("selfsame_ffi-*.tar.gz")])
    _page(root, [(f"{NAME}/", NAME)])
    _page(root / NAME, [(f"../../{file.name}#sha256={_digest(file)}", file.name) for file in files])
    return root


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _page(folder: Path, links: list[tuple[str, str]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    anchors = "".join(f'<a href="{html.escape(href)}">{html.escape(text)}</a>\n' for href, text in links)
    (folder / "index.html").write_text(f"<!DOCTYPE html>\n<title>{NAME}</title>\n{anchors}")
