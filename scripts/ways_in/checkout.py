"""A clone of this checkout, environments without what is installed here, and commands in them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from scripts.tools.commands import ROOT, clean_environment, tracked
from scripts.tools.commands import timed as run
from scripts.tools.environments import venv


def clone(folder: Path) -> Path:
    """The files that git tracks or would add, in a new folder, as a user who clones the repository has them."""
    for name in tracked():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    run("git", "init", "-q", cwd=folder)
    return folder


def virtual_environment(folder: Path) -> dict[str, str]:
    """A new virtual environment, and the variables of somebody who activated it."""
    return clean_environment(PATH=f"{venv(folder)}{os.pathsep}{os.environ['PATH']}", VIRTUAL_ENV=str(folder))


def path_without(folder: Path, *lacking: str) -> str:
    """A PATH with what is in this one, but for some programs: a folder of links."""
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for program in sorted(Path(place).iterdir()) if Path(place).is_dir() else []:
            if program.name not in lacking and not (folder / program.name).is_symlink():
                (folder / program.name).symlink_to(program)
    return str(folder)


def use_installation(env: dict[str, str], folder: Path, sources: Path) -> None:
    """Use what is installed in an environment: the tool, the library and the headers, and a new package on the sources
    of a checkout, for which no release is needed."""
    folder.mkdir(exist_ok=True)
    assert "C ABI" in run("selfsame-ffi", "version", env=env, cwd=folder)
    for option, inside in (("includedir", "tvm/ffi/c_api.h"), ("includedir", "selfsame/c_api.h"), ("libfiles", "")):
        place = Path(run("selfsame-ffi-config", f"--{option}", env=env, cwd=folder).strip())
        assert (place / inside).exists(), f"selfsame-ffi-config --{option} says {place}, which has no {inside}"
    offline = {**env, "GOPROXY": "off"}
    run("selfsame-ffi", "new", "shop", "--replace", sources, env=offline, cwd=folder)
    run("selfsame-ffi", "develop", env=offline, cwd=folder / "shop")
    code = "import shop; print(shop.total([shop.Account('Ada', 1), shop.Account('Grace', 2)]))"
    assert run("python", "-c", code, env=env, cwd=folder) == "3\n"
    told = run("selfsame-ffi", "doctor", env=offline, cwd=folder / "shop")
    assert "problem" not in told and f"uses selfsame from {sources}" in told
