"""The CPython interpreters that wheels are built for: those that scripts/pythons.sh lists."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from scripts.tools.commands import Failed, run
from scripts.tools.environments import environment
from scripts.wheels.targets import CACHE
from scripts.wheels.tools import requirements

_ASK = """
import json, sys, sysconfig
soabi = sysconfig.get_config_var("SOABI").split("-")
print(json.dumps({
    "version": "%d.%d" % sys.version_info[:2] + getattr(sys, "abiflags", "").replace("d", ""),
    "soabi": "-".join(soabi[:2]), "include": sysconfig.get_paths()["include"],
    "config": sysconfig.get_config_h_filename(),
}))
"""


@dataclass(frozen=True)
class Interpreter:
    """A CPython on this machine."""

    path: str
    version: str  # 3.13, 3.13t
    soabi: str  # cpython-313t
    include: str
    config: str

    @property
    def tag(self) -> str:
        """The interpreter's tag in wheel names."""
        return "cp" + self.version.replace(".", "").rstrip("t")

    def builder(self) -> str:
        """An interpreter of a virtual environment that can build wheels."""
        folder = CACHE / "builders" / self.version
        return str(environment(folder, *requirements("builder"), python=self.path) / "python")

    def headers(self) -> Path:
        """A copy of the headers that does for every 64-bit Linux. Debian's pyconfig.h includes the one of this
        machine's processor by a path that compilers for others do not search."""
        folder = CACHE / "headers" / self.version
        if not (folder / "Python.h").is_file():
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(self.include, folder)
            machine = re.search(
                r"#\s*include <(x86_64-[\w.-]+/[\w.]+/pyconfig.h)>", (folder / "pyconfig.h").read_text()
            )
            if machine:
                shutil.copy2(Path(self.include).parent / machine[1], folder / "pyconfig.h")
        return folder


def interpreters(versions: list[str]) -> list[Interpreter]:
    """The interpreters on this machine with these versions, all of them for none."""
    paths = run("scripts/pythons.sh").split()
    by_version: dict[str, Interpreter] = {}
    for path in paths:  # there may be a second 3.14, of an early release, which takes the same wheel
        one = Interpreter(path, **json.loads(run(path, "-c", _ASK)))
        by_version.setdefault(one.version, one)
    found = list(by_version.values())
    missing = set(versions) - {one.version for one in found}
    if missing:
        raise Failed(
            f"no CPython {', '.join(sorted(missing))} with headers here; scripts/pythons.sh lists what there is"
        )
    if not found:
        raise Failed("no CPython 3.9 or later with headers was found by scripts/pythons.sh")
    return [one for one in found if not versions or one.version in versions]
