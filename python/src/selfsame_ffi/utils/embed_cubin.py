"""Puts the code of a GPU kernel (a CUBIN file) into an object file that names it with ``TVM_FFI_EMBED_CUBIN``.

``python -m selfsame_ffi.utils.embed_cubin --input-obj IN --cubin FILE --name NAME --output-obj OUT``
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path


def _run(command: Sequence[str], verbose: bool, folder: Path | None = None) -> None:
    if verbose:
        print(" ".join(command))
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    except FileNotFoundError:
        raise RuntimeError(f"embed_cubin: cannot find {command[0]}; install the GNU binutils") from None
    if done.returncode != 0:
        raise RuntimeError(f"embed_cubin: {command[0]} exited with status {done.returncode}\n{done.stderr}")


def embed_cubin(
    cubin_path: Path, input_obj_path: Path, output_obj_path: Path, name: str, verbose: bool = False
) -> None:
    """Write the object file `output_obj_path`: `input_obj_path` with the bytes of `cubin_path` in it, as `name`.

    The C++ source of the object says ``TVM_FFI_EMBED_CUBIN(name)`` and gets its kernels with
    ``TVM_FFI_EMBED_CUBIN_GET_KERNEL(name, "kernel")``. The symbols are local to the object, so that two objects of a
    library may use one name. `verbose` prints the commands, of the GNU binutils.

    Raises FileNotFoundError for an input that is missing, ValueError for a name that is no identifier of C, and
    RuntimeError when a command fails.
    """
    cubin, given, made = Path(cubin_path), Path(input_obj_path), Path(output_obj_path)
    for path in (cubin, given):
        if not path.is_file():
            raise FileNotFoundError(f"embed_cubin: {path} does not exist")
    if not (name.isascii() and name.isidentifier()):
        raise ValueError(f"embed_cubin: argument 'name': expected an identifier of C, got {name!r}")
    begin, end = f"__tvm_ffi__cubin_{name}", f"__tvm_ffi__cubin_{name}_end"
    with tempfile.TemporaryDirectory(prefix="embed-cubin-") as temporary:
        folder = Path(temporary)
        # The linker names the symbols by the file's path, so the file gets one that is known.
        (folder / "code").write_bytes(cubin.read_bytes())
        _run(["ld", "-r", "-b", "binary", "-o", "data.o", "code"], verbose, folder)
        renamed = [f"--redefine-sym=_binary_code_{edge}={symbol}" for edge, symbol in (("start", begin), ("end", end))]
        section = "--rename-section=.data=.rodata,alloc,load,readonly,data,contents"
        _run(["objcopy", *renamed, "--strip-symbol=_binary_code_size", section, "data.o"], verbose, folder)
        # Without this section, which newer linkers make, the process would get an executable stack.
        stack = ".note.GNU-stack"
        _run(["objcopy", f"--remove-section={stack}", "data.o"], verbose, folder)
        _run(["objcopy", f"--add-section={stack}=/dev/null", "data.o"], verbose, folder)
        _run(["ld", "-r", "-o", "merged.o", str(given.resolve()), "data.o"], verbose, folder)
        local = [f"--localize-symbol={symbol}" for symbol in (begin, end)]
        _run(["objcopy", *local, "merged.o", str(made.resolve())], verbose, folder)


def main() -> int:
    """Run the command. Return 0, or 1 with the reason on standard error."""
    parser = argparse.ArgumentParser(prog="embed_cubin", description="Puts a CUBIN file into an object file.")
    parser.add_argument("--output-obj", type=Path, required=True, help="object file to write")
    parser.add_argument("--input-obj", type=Path, required=True, help="object file that names the code")
    parser.add_argument("--cubin", type=Path, required=True, help="CUBIN file")
    parser.add_argument("--name", required=True, help="the name in TVM_FFI_EMBED_CUBIN(NAME)")
    parser.add_argument("--verbose", action="store_true", help="print the commands")
    chosen = parser.parse_args()
    try:
        embed_cubin(chosen.cubin, chosen.input_obj, chosen.output_obj, chosen.name, chosen.verbose)
    except (OSError, RuntimeError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
