"""Checksums of the files of a release, and their signature by ssh-keygen, which works without a network.

SELFSAME_SIGNING_KEY   path of the private key; without it the checksums are written and not signed
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

SUMS = "SHA256SUMS"
NAMESPACE = "selfsame-release"


def checksums(folder: Path) -> str:
    """A line for each file of the folder, as sha256sum writes and reads them."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith(SUMS))
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


def sign(folder: Path, key: Path | None) -> bool:
    """Write the checksums, and their signature with the key if there is one. Returns whether they are signed."""
    sums = folder / SUMS
    sums.write_text(checksums(folder))
    signature = folder / f"{SUMS}.sig"
    signature.unlink(missing_ok=True)
    if key is None:
        return False
    subprocess.run(
        ["ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", NAMESPACE, sums], check=True, capture_output=True
    )
    return True


def verify(folder: Path, signers: Path, who: str) -> bool:
    """Whether the checksums are those of the files, and were signed by `who`, whose key the file `signers` has."""
    sums, signature = folder / SUMS, folder / f"{SUMS}.sig"
    if not signature.is_file() or sums.read_text() != checksums(folder):
        return False
    command = ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", who, "-n", NAMESPACE, "-s", signature]
    with sums.open("rb") as text:
        return subprocess.run(command, stdin=text, capture_output=True).returncode == 0


def key_of_the_environment() -> Path | None:
    """The key that SELFSAME_SIGNING_KEY names, None without one."""
    name = os.environ.get("SELFSAME_SIGNING_KEY")
    return Path(name) if name else None
