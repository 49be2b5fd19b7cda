"""What wheels for macOS need besides: the headers of its CPython, and checks of the Mach-O files in a wheel.

Nothing for macOS is run: the checks read what its loader would read.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from scripts.tools.commands import ROOT, Failed, run
from scripts.tools.downloads import artifact
from scripts.wheels.targets import CACHE, MACOS, Target
from scripts.wheels.tools import packaging_tools

PYTHON = "3.13"  # of the artifact
_ARTIFACT = "org.bytedeco:cpython:3.13.0-1.5.11:jar:macosx-"

# Prints what the loader of macOS reads in a file: as JSON.
_READ = """
import json, lief, sys
f = lief.MachO.parse(sys.argv[1]).at(0)
version = f.build_version
print(json.dumps({
    "cpu": str(f.header.cpu_type).split(".")[-1],
    "oldest": list(version.minos) if version else [],
    "id": next((c.name for c in f.commands if c.command == lief.MachO.LoadCommand.TYPE.ID_DYLIB), ""),
    "needs": [c.name for c in f.commands if c.command == lief.MachO.LoadCommand.TYPE.LOAD_DYLIB],
    "signed": f.has_code_signature,
    "two_level": lief.MachO.Header.FLAGS.TWOLEVEL in f.header.flags_list,
    "exported": sorted(s.name for s in f.exported_symbols),
    "locals": sum(not (s.is_external or s.name.startswith("radr")) for s in f.symbols),
}))
"""


def headers(target: Target) -> Path:
    """The headers of CPython for macOS, fetched once."""
    machine = target.machine.replace("aarch64", "arm64")
    folder = CACHE / "macos"
    found = folder / "org" / "bytedeco" / "cpython" / f"macosx-{machine}" / "include" / f"python{PYTHON}"
    if not (found / "Python.h").is_file():
        jar = artifact(f"{_ARTIFACT}{machine}", folder)
        with zipfile.ZipFile(jar) as archive:
            archive.extractall(folder, [name for name in archive.namelist() if "/include/" in name])
    if not (found / "Python.h").is_file():
        raise Failed(f"the artifact {_ARTIFACT}{machine} has no {found.relative_to(folder)}/Python.h")
    return found


def read(file: Path) -> dict:
    """What the loader of macOS reads in a Mach-O file."""
    return dict(json.loads(run(packaging_tools() / "python", "-c", _READ, file)))


def _wanted_exports() -> list[str]:
    """How the names begin that the runtime library must export."""
    text = (ROOT / "cmd" / "libselfsame" / "exports.map").read_text()
    names = (line.strip().removesuffix(";").removesuffix("*") for line in text.splitlines() if line.endswith(";"))
    return [f"_{name}" for name in names if name and name[0] not in "*}#"]


def faults(name: str, found: dict, target: Target) -> list[str]:
    """The faults of a Mach-O file whose name in the wheel is `name`, a line each."""
    cpu = {"x86_64": "X86_64", "aarch64": "ARM64"}[target.machine]
    faulty = []
    if found["cpu"] != cpu:
        faulty.append(f"{name} is for the processor {found['cpu']}")
    if found["oldest"][:2] != [int(part) for part in MACOS.split(".")]:
        faulty.append(f"{name} is for macOS {found['oldest']} and later, not {MACOS}")
    if foreign := [need for need in found["needs"] if not need.startswith(("/usr/lib/", "/System/Library/"))]:
        faulty.append(f"{name} needs {', '.join(foreign)}")
    if target.machine == "aarch64" and not found["signed"]:
        faulty.append(f"{name} has no signature")
    if not found["two_level"]:
        faulty.append(f"{name} has no two-level names")
    if name.endswith("/libtvm_ffi.dylib"):
        if found["id"] != "@rpath/libtvm_ffi.dylib":
            faulty.append(f"{name} has the install name {found['id']}")
        # zig's linker takes the list of exports and exports the names of cgo too; libraries name the library that a
        # function is in, so those do no harm.
        if missing := [one for one in _wanted_exports() if not any(got.startswith(one) for got in found["exported"])]:
            faulty.append(f"{name} does not export {', '.join(missing)}")
    if "/_core." in name and "_PyInit__core" not in found["exported"]:
        faulty.append(f"{name} does not export PyInit__core")
    return faulty


def wrong(archive: zipfile.ZipFile, target: Target) -> list[str]:
    """The faults of the Mach-O files of a wheel, a line each."""
    found = []
    folder = CACHE / "inspected" / target.name
    for name in archive.namelist():
        if archive.read(name)[:4] == b"\xcf\xfa\xed\xfe":
            found += faults(name, read(Path(archive.extract(name, folder))), target)
    return found
