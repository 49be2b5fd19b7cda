#!/bin/sh
# zig cc -dumpmachine, which build scripts ask for the target, says musl where zig cc builds for glibc.
#
# Versions: ziglang 0.17.1
#
# Expected: -dumpmachine names the target that is built for, as GCC's and clang's do.
#
# Seen: it prints x86_64-unknown-linux-musl, while --version and the programs that it makes without further options name the
# GNU library of the machine.
. "$(dirname "$0")/parts/begin.sh"
[ "$(uname -m)" = x86_64 ] || missing "a processor of x86-64"
ldd --version 2>&1 | grep -qi -e glibc -e 'GNU libc' || missing "a system with glibc"
environment "3.11 3.12 3.13" ziglang==0.17.1
export ZIG_GLOBAL_CACHE_DIR="$work/cache" ZIG_LOCAL_CACHE_DIR="$work/cache"
"$python" - <<'P'
import subprocess
import sys

from seen import end, seen


def zig(option):
    command = [sys.executable, "-m", "ziglang", "cc", option]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


seen("-dumpmachine", zig("-dumpmachine").strip(), "x86_64-unknown-linux-musl")
target = next(line for line in zig("--version").splitlines() if line.startswith("Target: "))
seen("--version names glibc", "-gnu" in target and "musl" not in target, True)
end()
P
