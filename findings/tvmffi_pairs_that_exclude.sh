#!/bin/sh
# The newest TileLang cannot be installed beside the newest tvm-ffi, nor beside the newest TVM: each pair excludes the other.
#
# Versions: tilelang 0.1.15, apache-tvm 0.27.0.post1, apache-tvm-ffi 0.1.15.post2
#
# Expected: projects that share tvm-ffi's ABI, which is said to be stable from 0.1.0 on, take any later release of it.
#
# Seen: tilelang allows tvm-ffi 0.1.11 and 0.1.12 only, and apache-tvm needs 0.1.14.post0 or later, so pip finds no
# answer. A program that loads objects of both must leave one of them behind, or install without dependencies.
. "$(dirname "$0")/parts/begin.sh"
environment "3.12 3.11 3.13" packaging==26.4
needs_of() { # the requirement of a package for tvm-ffi
  venv/bin/pip install -q --dry-run --no-deps --ignore-installed --report report.json "$1" || missing "$1 from PyPI"
  "$python" - <<'P'
import json

[package] = json.load(open("report.json"))["install"]
print(*[text for text in package["metadata"]["requires_dist"] if text.startswith("apache-tvm-ffi")])
P
}
export TILELANG TVM
TILELANG=$(needs_of tilelang==0.1.15)
TVM=$(needs_of apache-tvm==0.27.0.post1)
if venv/bin/pip install -q --dry-run tilelang==0.1.15 apache-tvm-ffi==0.1.15.post2 >pip.log 2>&1; then resolved=yes; else resolved=no; fi
RESOLVED=$resolved "$python" - <<'P'
import os

from packaging.requirements import Requirement
from seen import end, seen

tilelang, tvm = (Requirement(os.environ[name]).specifier for name in ("TILELANG", "TVM"))
print("tilelang:", tilelang, "apache-tvm:", tvm)
releases = ["0.1.9", "0.1.12", "0.1.13.post3", "0.1.14.post1", "0.1.15.post2"]
seen("releases that both allow", [release for release in releases if release in tilelang and release in tvm], [])
seen("the newest in tilelang, in apache-tvm", ("0.1.15.post2" in tilelang, "0.1.15.post2" in tvm), (False, True))
seen("pip resolves tilelang with the newest", os.environ["RESOLVED"], "no")
end()
P
