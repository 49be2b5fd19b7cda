"""Follows RELEASING.md as far as a machine can without publishing: `make release-check`.

Each step prints ok or FAILED with what to do, and the next one runs. The results are in build/release: wheels, source
distribution, notes, bill of materials, checksums and, with SELFSAME_SIGNING_KEY, their signature.

Usage: python3 -m scripts.release.check [STEP ...]
the steps, without names all: tree notes licences api wheels reproducible bill signature
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Callable

from scripts.release import changelog, sbom, signing
from scripts.release.changelog import version
from scripts.release.reproducible import differences
from scripts.tools.commands import CACHE, ROOT, Failed, run

RELEASE = ROOT / "build/release"
SEMANTIC = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?")
MODULES = ["", "cmd/selfsame-ffi/"]


def tags() -> list[str]:
    """The tags of this version: one for each Go module that users get by its path."""
    return [f"{path}v{version()}" for path in MODULES if (ROOT / path / "go.mod").is_file()]


def tree() -> str:
    """The version is semantic, nothing is left to commit, and the tags are free or those of this commit."""
    if not SEMANTIC.fullmatch(version()):
        raise Failed(f"abi/include/selfsame/version.h: {version()} is no semantic version")
    if changed := run("git", "status", "--porcelain"):
        raise Failed(f"commit or remove these first:\n{changed}")
    head = run("git", "rev-parse", "HEAD")
    for tag in tags():
        if run("git", "tag", "--list", tag) and run("git", "rev-list", "-n1", tag) != head:
            raise Failed(
                f"the tag {tag} is that of another commit: set the next version in abi/include/selfsame/version.h"
            )
    return f"version {version()}, tags {' '.join(tags())}"


def notes() -> str:
    """The notes of the release, in NOTES.md."""
    changelog.fragments()
    text = changelog.notes(version())
    (RELEASE / "NOTES.md").write_text(text)
    written = version() in changelog.sections((ROOT / "CHANGELOG.md").read_text())
    return (
        "from CHANGELOG.md"
        if written
        else "from changes/: run `python3 -m scripts.release.changelog --release DATE` to write them"
    )


def licences() -> str:
    """LICENSE-third-party is that of what is linked."""
    run(sys.executable, "-m", "scripts.licences", "--check")
    return "LICENSE-third-party fits the tool"


def api() -> str:
    """No break of the Go and Python interfaces without a fragment."""
    return run(sys.executable, "-m", "scripts.api_diff.main").strip().splitlines()[-1]


def wheels_in(sources: Path, output: Path, cache: Path | None) -> list[Path]:
    """Wheels and a source distribution, made by `make wheels`' program for the interpreters of RELEASE_PYTHONS."""
    env = {**os.environ, "SOURCE_DATE_EPOCH": run("git", "log", "-1", "--format=%ct").strip()}
    if cache:
        env["SELFSAME_CACHE"] = str(cache)
    pythons = os.environ.get("RELEASE_PYTHONS", "")
    options = ["--pythons", pythons, "--targets", os.environ.get("RELEASE_TARGETS", ""), "--output", output]
    run(sys.executable, "-m", "scripts.wheels.main", *options, cwd=sources, env=env)
    return sorted([*output.glob("*.whl"), *output.glob("*.tar.gz")])


def wheels() -> str:
    """The wheels and the source distribution, built, checked and tried, in the place of those of an earlier run."""
    for old in (*RELEASE.glob("*.whl"), *RELEASE.glob("*.tar.gz")):
        old.unlink()
    return f"{len(wheels_in(ROOT, RELEASE, None))} files in {RELEASE.relative_to(ROOT)}"


def reproducible() -> str:
    """The wheels again, from a clone in another folder with a cache of its own: the same bytes."""
    elsewhere = ROOT / "build/release-elsewhere"
    shutil.rmtree(elsewhere, ignore_errors=True)
    run("git", "clone", "-q", ROOT, elsewhere / "a folder of another name")
    cache = elsewhere / "cache"
    cache.mkdir()
    for interpreter in (*CACHE.glob("cpython-*"), *CACHE.glob("debian")):  # scripts/get_pythons.sh set them up
        (cache / interpreter.name).symlink_to(interpreter)
    again = wheels_in(elsewhere / "a folder of another name", elsewhere / "dist", cache)
    return same_bytes(RELEASE, again)


def same_bytes(folder: Path, again: list[Path]) -> str:
    """Failed unless the folder has the wheels among the files of the other build, and no others, byte for byte."""
    first = {path.name: path for path in folder.glob("*.whl")}
    second = {path.name: path for path in again if path.suffix == ".whl"}
    found = [f"{name} was built once" for name in sorted(set(first) ^ set(second))]
    for name in sorted(set(first) & set(second)):
        found += [f"{name}: {difference}" for difference in differences(first[name], second[name])]
    if found or not second:
        raise Failed("these differ between two builds:\n" + "\n".join(found or ["no wheels"]))
    return f"{len(second)} wheels are the same bytes"


def bill() -> str:
    """The bill of materials, of the tool and the library that `make wheels` builds."""
    folder = CACHE / "wheels/targets/x86_64-gnu"
    parts = [folder / "selfsame-ffi", folder / "libselfsame.so"]
    if not all(path.is_file() for path in parts):
        parts = [ROOT / "build/bin/selfsame-ffi", ROOT / "build/lib/libselfsame.so"]
    output = RELEASE / f"selfsame-ffi-{version()}.cdx.json"
    sbom.write(*parts, output)
    return output.name


def signature() -> str:
    """The checksums, and their signature where SELFSAME_SIGNING_KEY names a key."""
    if signing.sign(RELEASE, signing.key_of_the_environment()):
        return f"{signing.SUMS} is signed"
    return f"{signing.SUMS} is written and not signed: SELFSAME_SIGNING_KEY names no key"


STEPS: dict[str, Callable[[], str]] = {
    step.__name__: step for step in (tree, notes, licences, api, wheels, reproducible, bill, signature)
}


def main() -> None:
    chosen = sys.argv[1:] or list(STEPS)
    if unknown := set(chosen) - set(STEPS):
        sys.exit(f"release-check: no step {', '.join(sorted(unknown))}\n{__doc__}")
    RELEASE.mkdir(parents=True, exist_ok=True)
    failed = False
    for name in chosen:
        try:
            print(f"ok      {name}: {STEPS[name]()}", flush=True)
        except (Failed, OSError) as error:
            failed = True
            print(f"FAILED  {name}: {error}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
