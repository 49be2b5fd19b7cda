"""Prints the folder of the headers, or the path of the library, of the installed apache-tvm-ffi package.

Usage: tvm_ffi_path.py include|library

It does not import the package, because that would load the library into this process.
"""

import importlib.util
import pathlib
import sys


def main() -> int:
    spec = importlib.util.find_spec("tvm_ffi")
    if spec is None or spec.origin is None:
        print("apache-tvm-ffi is not installed in this environment", file=sys.stderr)
        return 1
    root = pathlib.Path(spec.origin).parent
    print({"include": root / "include", "library": root / "lib" / "libtvm_ffi.so"}[sys.argv[1]])
    return 0


if __name__ == "__main__":
    sys.exit(main())
