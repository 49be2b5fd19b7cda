"""A wheel in an empty environment: installed by pip, its programs started, the first example of the README run."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from scripts.tools.commands import GO, ROOT, Failed, clean_environment, run
from scripts.tools.environments import pip, venv


def readme_example() -> str:
    """The first complete Python program in the README. It imports the package that `selfsame-ffi build` makes of
    examples/geo."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    for block in blocks:
        if block.startswith("import "):
            return block
    raise Failed("README.md has no Python example that begins with an import")


def try_wheels(python: str, wheels: Path, folder: Path, packages: Path, published_headers: bool = True) -> None:
    """Install the wheel that pip chooses for the interpreter from the folder `wheels` into a new environment `folder`,
    and use it. The README's package is built into `packages`, unless it is there. `published_headers`: the wheel has
    those of apache-tvm-ffi. Failed says what did not work."""
    shutil.rmtree(folder, ignore_errors=True)
    env = clean_environment()
    programs = venv(folder, python=python)
    offline = ["--no-index", "--find-links", wheels, "--only-binary", ":all:"]
    pip("install", *offline, "selfsame-ffi", python=programs / "python", env=env)
    use_programs(programs, env, published_headers)
    if not (packages / "geo").is_dir():
        build_example(programs / "selfsame-ffi", packages, env)
    run(programs / "python", "-c", readme_example(), env={**env, "PYTHONPATH": str(packages)}, cwd=folder)


def build_example(tool: Path, output: Path, env: dict[str, str]) -> None:
    """Build the package of the README with an installed command line tool."""
    if shutil.which(GO) is None:
        raise Failed("the README's example is a Go package: put Go 1.24 or later on PATH")
    run(tool, "build", "examples/geo", "-o", output, env=env)


def use_programs(programs: Path, env: dict[str, str], published_headers: bool) -> None:
    """Start each console script."""
    for command in (["selfsame-ffi", "version"], ["selfsame-ffi-stubgen", "--help"]):
        run(programs / command[0], *command[1:], env=env)
    headers = [("includedir", "tvm/ffi/c_api.h"), ("cmakedir", "tvm_ffi-config.cmake")] if published_headers else []
    for option, inside in [*headers, ("libfiles", "")]:
        path = Path(run(programs / "selfsame-ffi-config", f"--{option}", env=env).strip())
        if not (path / inside).exists():
            raise Failed(f"selfsame-ffi-config --{option} says {path}, but {path / inside} does not exist")
