"""A clone of this checkout, environments without what is installed here, and commands in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULE = "github.com/selfsame-ffi/selfsame"


def clone(folder: Path) -> Path:
    """The files that git tracks or would add, in a new folder, as a user who clones the repository has them."""
    listed = ["git", "ls-files", "-z", "-c", "-o", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    run("git", "init", "-q", cwd=folder)
    return folder


def environment(**more: str) -> dict[str, str]:
    """This process's environment without what leads Python or the runtime to other files."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SELFSAME", "VIRTUAL"))}
    return {**kept, **more}


def virtual_environment(folder: Path) -> dict[str, str]:
    """A new virtual environment, and the variables of somebody who activated it."""
    run(sys.executable, "-m", "venv", folder)
    return environment(PATH=f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", VIRTUAL_ENV=str(folder))


def path_without(folder: Path, *lacking: str) -> str:
    """A PATH with what is in this one, but for some programs: a folder of links."""
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for program in sorted(Path(place).iterdir()) if Path(place).is_dir() else []:
            if program.name not in lacking and not (folder / program.name).is_symlink():
                (folder / program.name).symlink_to(program)
    return str(folder)


def run(*command: object, env: dict[str, str] | None = None, cwd: Path | None = None, fails: bool = False) -> str:
    """The output of a command, which must succeed, or fail."""
    started = time.monotonic()
    words = list(map(str, command))
    done = subprocess.run(words, env=env, cwd=cwd, text=True, capture_output=True, timeout=3600)
    print(f"{time.monotonic() - started:6.1f} s  {' '.join(words)[:100]}", flush=True)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stdout + done.stderr


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
