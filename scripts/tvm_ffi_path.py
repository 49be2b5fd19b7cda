"""Prints where the installed apache-tvm-ffi package keeps its headers ("include") or its library ("library").

It does not import the package: importing it would load its library into this process.
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
