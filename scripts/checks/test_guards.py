"""The include guard of a header is its path, so that two headers never share one, also after a move."""

import re

from repository import ROOT, tracked_files

#: Where the path begins that a guard has: below the folder that compilers search, or what stands for it.
ROOTS = ("abi/include/selfsame/", "python/src/selfsame_ffi/_")
PRODUCT = ("abi/include/", "internal/", "python/src/")
#: Included several times on purpose.
WITHOUT = {"internal/stubs/functions.h"}


def guard_of(name: str) -> str:
    """The guard that a header must have: SELFSAME_INTERNAL_PLANE_CORE_FORK_H_ for internal/plane/core/fork.h."""
    for root in ROOTS:
        name = name.removeprefix(root)
    return "SELFSAME_" + re.sub(r"[^A-Z0-9]+", "_", name.upper()) + "_"


def wrong(name: str, text: str) -> list[str]:
    """What is wrong with the guard of a header."""
    found = re.search(r"^#ifndef (\w+)\n#define \1\n", text, re.MULTILINE)
    if found is None:
        return [f"{name}: no guard"]
    if found[1] != guard_of(name) or not text.rstrip().endswith(f"#endif  // {found[1]}"):
        return [f"{name}: expected the guard {guard_of(name)} at both ends, got {found[1]}"]
    return []


def test_guards_are_paths():
    names = [name for name in tracked_files() if name.endswith(".h") and name.startswith(PRODUCT)]
    names = [name for name in names if "/testdata/" not in name]
    assert len(names) > 100
    assert [fault for name in sorted({*names} - WITHOUT) for fault in wrong(name, (ROOT / name).read_text())] == []
    assert len({guard_of(name) for name in names}) == len(names)


def test_a_guard_of_another_path_is_found():
    text = "#ifndef SELFSAME_INTERNAL_A_B_H_\n#define SELFSAME_INTERNAL_A_B_H_\n#endif  // SELFSAME_INTERNAL_A_B_H_\n"
    assert wrong("internal/a/b.h", text) == []
    assert wrong("internal/a/c.h", text) and wrong("internal/a/b.h", "int x;\n")
