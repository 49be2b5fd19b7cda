"""What PyInstaller adds to an application that imports `selfsame_ffi`: the runtime's libraries, which no import names.

PyInstaller finds this file by the entry point `hook-dirs` and runs it while it puts an application together.
"""

from __future__ import annotations

from PyInstaller.utils.hooks import collect_dynamic_libs  # type: ignore[import-not-found,import-untyped,unused-ignore]

binaries = collect_dynamic_libs("selfsame_ffi", search_patterns=["lib*.so", "lib*.dylib", "*.dll"])
