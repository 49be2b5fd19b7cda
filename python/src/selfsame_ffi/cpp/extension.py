"""Native extensions from source files and source texts."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Optional, Union

from .._load.own_folder import own_folder
from .._load.whole_files import write_whole
from ..module import Module, load_module
from ..utils import FileLock
from ._ninja import Build, ninja_text, run_ninja
from ._products import discard_damaged, products, record
from ._toolchain import choose_backend

#: One text or several.
Texts = Optional[Union[Sequence[str], str]]
#: Names of functions to export; a mapping gives their documentation too.
Functions = Optional[Union[Mapping[str, str], Sequence[str], str]]

_HEADERS = ("container/tensor.h", "dtype.h", "error.h", "extra/c_env_api.h", "function.h")


def _texts(given: Texts) -> list[str]:
    return [] if given is None else [given] if isinstance(given, str) else list(given)


def _flags(given: Sequence[str] | None) -> list[str]:
    return [flag.strip() for flag in given or ()]


def _folder(name: str, build_directory: str | None, *contents: object) -> Path:
    """The folder of a build, made if it is missing: the given one, or one in the cache for these contents.

    PermissionError for one of the cache that is another user's or that others can write to.
    """
    if build_directory is None:
        digest = hashlib.sha256(repr(contents).encode()).hexdigest()[:16]
        cache = Path(os.environ.get("TVM_FFI_CACHE_DIR", "~/.cache/selfsame-ffi")).expanduser()
        # The process loads files from there.
        return own_folder(own_folder(cache, "cpp.build", secret=False) / f"{name}_{digest}", "cpp.build", secret=False)
    folder = Path(build_directory).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _build(folder: Path, build: Build) -> str:
    """Build in a folder whose lock the caller holds. Path of the result."""
    text = ninja_text(build)
    write_whole(folder / "build.ninja", text)
    made = products(text)
    discard_damaged(folder, made)
    done = False
    try:
        run_ninja(folder)
        done = True
    finally:
        record(folder, made, done)
    return str((folder / build.output).resolve())


def build(
    name: str,
    *,
    sources: Texts = None,
    cpp_files: Texts = None,
    cuda_files: Texts = None,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | None = None,
    backend: str | None = None,
    output: str | None = None,
) -> str:
    """Compile source files to a shared library, and return its path.

    `sources` are C, C++ and CUDA files and object files, told apart by their suffix; `cpp_files` and `cuda_files` are
    other names for it. The result is ``<name>.so``, or `output`, which may be an object file. It is built in
    `build_directory`, else in a folder of ``TVM_FFI_CACHE_DIR`` for these sources and flags; only what has changed is
    compiled again, and files of an earlier build that were damaged since. `backend` is ``"cuda"`` or ``"hip"`` for CUDA
    files. Processes that build in one folder wait for each other.

    Raises RuntimeError, with the compiler's output, when the build fails; ValueError for no sources.
    """
    files = [str(Path(path).resolve()) for path in _texts(sources) + _texts(cpp_files) + _texts(cuda_files)]
    if not files:
        raise ValueError("cpp.build: argument 'sources': expected at least one file")
    has_gpu = any(Path(path).suffix.lower() == ".cu" for path in files)
    described = Build(
        files,
        output or f"{name}.so",
        _flags(extra_cflags),
        _flags(extra_cuda_cflags),
        _flags(extra_ldflags),
        [str(Path(path).resolve()) for path in extra_include_paths or ()],
        choose_backend(backend) if has_gpu else None,
    )
    folder = _folder(name, build_directory, described)
    with FileLock(str(folder / "lock")):
        return _build(folder, described)


def _user_of(cubin: str, texts: Mapping[str, str]) -> str:
    """The file whose text names the code of GPU kernels. ValueError when none does: nothing could reach the code."""
    for file, text in texts.items():
        if re.search(rf"\bTVM_FFI_EMBED_CUBIN\(\s*{re.escape(cubin)}\s*\)", text):
            return file
    raise ValueError(f"cpp.build_inline: argument 'embed_cubin': no text has TVM_FFI_EMBED_CUBIN({cubin})")


def build_ninja(build_dir: str) -> None:
    """Build in a folder that has a build.ninja. RuntimeError, with what the compilers said, when that fails."""
    run_ninja(Path(build_dir))


def build_inline(
    name: str,
    *,
    cpp_sources: Texts = None,
    cuda_sources: Texts = None,
    functions: Functions = None,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | None = None,
    embed_cubin: Mapping[str, bytes] | None = None,
    backend: str | None = None,
    output: str | None = None,
) -> str:
    """Compile source texts to a shared library that exports `functions`, and return its path.

    The headers for tensors, data types, errors and functions are included. The functions are exported from the C++
    text, or from the CUDA text when there is no C++ text. `embed_cubin` has the code of GPU kernels by the names that
    the texts give to ``TVM_FFI_EMBED_CUBIN``. Otherwise as :func:`build`.
    """
    cpp, gpu = "\n".join(_texts(cpp_sources)), "\n".join(_texts(cuda_sources))
    if not cpp and not gpu:
        raise ValueError("cpp.build_inline: expected a text in 'cpp_sources' or 'cuda_sources'")
    exported = dict(functions) if isinstance(functions, Mapping) else dict.fromkeys(_texts(functions), "")
    texts = {}
    if cpp:
        texts["main.cpp"] = _with_exports(cpp, exported)
    if gpu:
        texts["cuda.cu"] = _with_exports(gpu, {} if cpp else exported)
    cubins = {key: bytes(code) for key, code in (embed_cubin or {}).items()}
    digests = {key: hashlib.sha256(code).hexdigest() for key, code in cubins.items()}
    folder = _folder(name, build_directory, texts, output, extra_cflags, extra_cuda_cflags, extra_ldflags, digests)
    described = Build(
        [str(folder / file) for file in texts],
        output or f"{name}.so",
        _flags(extra_cflags),
        _flags(extra_cuda_cflags),
        _flags(extra_ldflags),
        [str(Path(path).resolve()) for path in extra_include_paths or ()],
        choose_backend(backend) if gpu else None,
        [(str(folder / _user_of(key, texts)), key, str(folder / f"{key}.cubin")) for key in cubins],
    )
    with FileLock(str(folder / "lock")):
        for file, text in texts.items():
            write_whole(folder / file, text)  # not touched where it is right: its time tells ninja what to compile
        for key, code in cubins.items():
            write_whole(folder / f"{key}.cubin", code)
        return _build(folder, described)


def _with_exports(source: str, functions: Mapping[str, str]) -> str:
    """A source text with the headers in front of it and an export for each function behind it."""
    # The headers leave documentation out of a library unless this is defined.
    lines = ["#define TVM_FFI_DLL_EXPORT_INCLUDE_METADATA 1"] if any(functions.values()) else []
    lines += [*(f"#include <tvm/ffi/{header}>" for header in _HEADERS), "", source]
    escapes = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})
    for function, doc in functions.items():
        lines.append(f"TVM_FFI_DLL_EXPORT_TYPED_FUNC({function}, {function});")
        if doc:
            lines.append(f'TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC({function}, "{doc.translate(escapes)}");')
    return "\n".join([*lines, ""])


def load(
    name: str,
    *,
    sources: Texts = None,
    cpp_files: Texts = None,
    cuda_files: Texts = None,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | None = None,
    keep_module_alive: bool = True,
    backend: str | None = None,
) -> Module:
    """:func:`build` a library and load it as a module, for the life of the process with `keep_module_alive`."""
    options = locals()
    del options["keep_module_alive"]
    return load_module(build(**options), keep_module_alive=keep_module_alive)


def load_inline(
    name: str,
    *,
    cpp_sources: Texts = None,
    cuda_sources: Texts = None,
    functions: Functions = None,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | None = None,
    embed_cubin: Mapping[str, bytes] | None = None,
    keep_module_alive: bool = True,
    backend: str | None = None,
) -> Module:
    """:func:`build_inline` a library and load it as a module, for the life of the process with `keep_module_alive`."""
    options = locals()
    del options["keep_module_alive"]
    return load_module(build_inline(**options), keep_module_alive=keep_module_alive)
