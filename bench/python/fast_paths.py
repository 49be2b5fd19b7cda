"""Switches each fast path off in a copy of the sources, and writes what that costs into docs/fast-paths.md.

Usage: fast_paths.py FOLDER_OF_THE_BUILT_EXTENSIONS [go | core | library | PART_OF_A_NAME...]

The cost of an operation is the number of its instructions, counted by step.c, where a locked instruction counts as
twenty: about as long as it takes. So a gain does not depend on the load of the machine. A fast path with a gain under
1.2 does not pay for its code: the program says so, and a test refuses its row.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

from fast_path_rows import FAST_PATHS, LEAST, FastPath

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / "build/fast-paths"
PAGE = ROOT / "docs/fast-paths.md"
HEAD = ["| fast path | in | general path | operation | gain |", "|---|---|---|---|---:|"]
LOCKED = "20"
INSTALLED = pathlib.Path(sysconfig.get_paths()["platlib"]) / "selfsame_ffi"


def copy_changed(source: pathlib.Path, target: pathlib.Path) -> None:
    """Copies a file unless the target has its contents: what was built of that stays newer."""
    if not target.exists() or target.read_bytes() != source.read_bytes():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


class Tree:
    """A copy of the tree in which some fast paths at a time are off. It stays, so that the next run builds less."""

    def __init__(self, folder: pathlib.Path, extensions: str):
        self.folder, self.extensions = folder, folder / "build/bench"
        names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        present = {name for name in names.split("\n") if name and (ROOT / name).is_file()}
        known = set(self.kept().read_text().split("\n")) if self.kept().exists() else set()
        for name in known - present - {""}:
            (folder / name).unlink(missing_ok=True)
        for name in present:
            copy_changed(ROOT / name, folder / name)
        self.kept().write_text("\n".join(sorted(present)))
        for pattern in ("libbench_ffi.so", "callgrind_ext.*", "floor_ext.*", "step"):
            for path in pathlib.Path(extensions).glob(pattern):
                copy_changed(path, self.extensions / path.name)
        self.package = folder / "python/src/selfsame_ffi"
        for path in [*INSTALLED.glob("_core*.so"), *INSTALLED.glob("lib/*")]:
            copy_changed(path, self.package / path.relative_to(INSTALLED))

    def kept(self) -> pathlib.Path:
        """The list of the files that were copied: those that are gone are removed from the copy, too."""
        return self.folder / ".copied"

    def run(self, *command: str) -> str:
        """The output of a command in the copy. Python imports the copy's package, and the modules beside this one."""
        env = {**os.environ, "PYTHONPATH": f"{self.package.parent}:{self.folder}/bench/python"}
        env.update(PATH=f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}", SELFSAME_STEP_LOCKED=LOCKED)
        done = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def build(self, what: str) -> None:
        """Builds what a fast path is in."""
        if what == "go":
            self.run("go", "run", "./cmd/selfsame-ffi", "build", "bench/python/gocalls", "-o", str(self.extensions))
        elif what == "core":
            self.run(sys.executable, "bench/python/build_core.py", "-q", "build_ext", "--inplace")
        else:
            self.run("scripts/library.sh", str(self.package / "lib/libtvm_ffi.so"))

    def count(self, operations: list[str]) -> dict[str, int]:
        """The instructions of operations."""
        steps = "import sys, profile; print(*(round(made[0]) for made in profile.count_steps(*sys.argv[1:])))"
        script = (str(self.folder / "bench/python/fast_paths.py"), "--stepping", str(self.extensions), *operations)
        counted = self.run(sys.executable, "-c", steps, str(self.extensions), *script)
        return dict(zip(operations, map(int, counted.split()), strict=True))

    def count_without(self, paths: list[FastPath]) -> dict[str, int]:
        """The same for the operations of fast paths that are off. The next build of their part puts them back."""
        texts = {path.file: (self.folder / path.file).read_text() for path in paths}
        try:
            for path in paths:
                source = self.folder / path.file
                source.write_text(switched_off(path, source.read_text()))
            for what in sorted({path.built for path in paths}):
                self.build(what)
            return self.count([path.operation for path in paths])
        finally:
            for name, text in texts.items():
                (self.folder / name).write_text(text)


def switched_off(path: FastPath, text: str) -> str:
    """The text of the fast path's file without it."""
    if path.text not in text:
        raise SystemExit(f"{path.file}: {path.text!r} is not there; mend FAST_PATHS in fast_path_rows.py")
    return text.replace(path.text, path.off, 1)


def known_gains(page: str) -> dict[str, str]:
    """The gains in the page's table, by the name of the fast path."""
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return {row[0]: row[-1] for row in rows[1:]}


def write(page: str, gains: dict[str, str]) -> str:
    """The page with a table of the gains: a row for each fast path that was ever measured."""
    begin = page.index(HEAD[0])
    rows = [
        f"| {path.name} | `{path.file}` | {path.shadows} | {path.operation} | {gains[path.name]} |"
        for path in FAST_PATHS
        if path.name in gains
    ]
    rest = [line for line in page[begin:].splitlines() if not line.startswith("|")]
    return page[:begin] + "\n".join([*HEAD, *rows, *rest]) + "\n"


def rounds(paths: list[FastPath]) -> list[list[FastPath]]:
    """The fast paths that are switched off together: of one part and one round."""
    made: dict[tuple[str, int], list[FastPath]] = {}
    for i, path in enumerate(paths):
        made.setdefault((path.built, path.round or -i - 1), []).append(path)
    return list(made.values())


def is_wanted(path: FastPath, part: str) -> bool:
    """Whether a fast path is in a part, or in one of its rounds, such as "go2", or has the text in its name."""
    return part in (path.built, f"{path.built}{path.round}") or part in path.name


def main(extensions: str, *wanted: str) -> None:
    """Measures the fast paths of these parts, or with such names, or all. Writes each gain into the page."""
    paths = [path for path in FAST_PATHS if not wanted or any(is_wanted(path, part) for part in wanted)]
    small = []
    tree = Tree(COPY, extensions)
    for what in sorted({path.built for path in paths} | {"go" for path in paths if path.in_go}):
        tree.build(what)
    taken = tree.count(sorted({path.operation for path in paths}))
    changed = ""  # the part that was built last, without some fast paths
    for together in rounds(paths):
        if changed not in ("", together[0].built):
            tree.build(changed)
        changed = together[0].built
        off = tree.count_without(together)
        for path in together:
            with_it, without = taken[path.operation], off[path.operation]
            gain = without / with_it
            print(f"{gain:.2f} {path.name} ({path.operation}): {with_it} instructions, {without} without", flush=True)
            page = PAGE.read_text()
            PAGE.write_text(write(page, {**known_gains(page), path.name: f"{gain:.2f}"}))
            small += [path.name] if gain < LEAST else []
    if small:
        raise SystemExit(f"fast_paths.py: gains under {LEAST}: {', '.join(small)}")


if __name__ == "__main__":
    if sys.argv[1] == "--stepping":
        import profile as profiles  # the module beside this one

        import fast_path_operations

        for operation in fast_path_operations.operations(sys.argv[2], sys.argv[3:]).values():
            profiles.step(operation)
    else:
        main(*sys.argv[1:])
