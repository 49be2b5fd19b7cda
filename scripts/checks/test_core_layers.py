"""The layers of the C core look down only: no file includes or calls anything of a layer above its own."""

import os
import re
import shlex
import subprocess
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import native_build
from repository import ROOT

CORE = ROOT / "python" / "src" / "selfsame_ffi" / "_core"
LAYERS = ["tie", "gc", "wrapper", "convert", "types", ""]  # from the lowest to the files in _core/ itself


def level(file: str) -> int:
    return LAYERS.index(os.path.dirname(file))


def upward_includes(core: Path) -> list[tuple[str, str]]:
    """(file, header) of each #include line that names a header of a higher layer."""
    found = []
    for path in sorted(core.rglob("*.[ch]")):
        file = path.relative_to(core).as_posix()
        for header in re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE):
            if (core / header).is_file() and level(header) > level(file):
                found.append((file, header))
    return found


def symbols(core: Path, file: str, objects: Path) -> tuple[set[str], set[str]]:
    """The symbols that a source file's object defines for others, and those that it takes from others."""
    target = objects / (file.replace("/", "_") + ".o")
    flags = ["-std=c11", "-O0", "-D_GNU_SOURCE", f"-I{native_build.ABI}", f"-I{core}"]
    flags.append(f"-I{sysconfig.get_paths()['include']}")
    compiler = shlex.split(os.environ.get("CC") or "gcc")
    environment = native_build.compiler_environment()
    subprocess.run([*compiler, *flags, "-c", str(core / file), "-o", str(target)], check=True, env=environment)
    listed = subprocess.run(["nm", str(target)], check=True, env=environment, capture_output=True, text=True).stdout
    rows = [line.split()[-2:] for line in listed.splitlines()]
    return {name for kind, name in rows if kind.isupper() and kind != "U"}, {name for kind, name in rows if kind == "U"}


def upward_symbols(core: Path, objects: Path) -> list[tuple[str, str, str]]:
    """(file, symbol, its file) of each symbol that an object takes from a higher layer."""
    files = sorted(path.relative_to(core).as_posix() for path in core.rglob("*.c"))
    with ThreadPoolExecutor() as pool:
        tables = dict(zip(files, pool.map(lambda file: symbols(core, file, objects), files)))
    home = {name: file for file, (defined, _) in tables.items() for name in defined}
    return [
        (file, name, home[name])
        for file, (_, taken) in tables.items()
        for name in sorted(taken)
        if name in home and level(home[name]) > level(file)
    ]


def test_every_folder_is_a_layer():
    assert {path.parent.relative_to(CORE).as_posix() for path in CORE.rglob("*.[ch]")} == {*LAYERS[:-1], "."}


def test_includes_look_down_only():
    assert upward_includes(CORE) == []


def test_symbols_look_down_only(tmp_path):
    assert upward_symbols(CORE, tmp_path) == []


def test_an_upward_use_is_found(tmp_path):
    """The two checks above fail on a core with one upward include and one upward call that is declared in place."""
    core, objects = tmp_path / "core", tmp_path / "objects"
    for folder in (*LAYERS, "../objects"):
        (core / folder).mkdir(parents=True, exist_ok=True)
    (core / "tie/low.h").write_text("int ss_low(void);\n")
    (core / "tie/low.c").write_text(
        '#include "tie/low.h"\nint ss_high(void);\nint ss_low(void) { return ss_high(); }\n'
    )
    (core / "gc/middle.c").write_text('#include "types/high.h"\n#include "tie/low.h"\nint ss_x(void) { return 0; }\n')
    (core / "types/high.h").write_text("int ss_high(void);\n")
    (core / "types/high.c").write_text('#include "tie/low.h"\nint ss_high(void) { return ss_low(); }\n')
    assert upward_includes(core) == [("gc/middle.c", "types/high.h")]
    assert upward_symbols(core, objects) == [("tie/low.c", "ss_high", "types/high.c")]
