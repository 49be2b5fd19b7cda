#!/bin/sh
# Checks for the compilers, headers and Python that the build needs. As root on Debian it installs missing packages;
# elsewhere it names them and fails.
#
# Usage: scripts/deps.sh [PYTHON]
set -u
python=${1:-python3}
missing_packages=""
problems=""

need() { # need COMMAND DEBIAN-PACKAGE
  command -v "$1" >/dev/null 2>&1 || missing_packages="$missing_packages $2"
}

check_python() {
  if ! command -v "$python" >/dev/null 2>&1; then
    missing_packages="$missing_packages python3 python3-dev python3-venv"
    return
  fi
  "$python" - <<'PY' >/dev/null 2>&1 || missing_packages="$missing_packages python3-dev"
import os, sysconfig
assert os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h"))
PY
  "$python" -c 'import ensurepip, venv' >/dev/null 2>&1 || missing_packages="$missing_packages python3-venv"
}

collect() {
  missing_packages=""
  need gcc gcc
  need g++ g++
  need nm binutils
  need git git
  check_python
}

# go_of_debian prints the package with Go where that of this Debian is new enough, as from Debian 13 on.
go_of_debian() {
  version=$(apt-cache policy golang-go 2>/dev/null | sed -n 's/^ *Candidate: *\([0-9]*:\)\{0,1\}\([0-9.]*\).*/\2/p')
  minor=${version#1.}
  minor=${minor%%.*}
  if [ "${version%%.*}" = 1 ] && [ "${minor:-0}" -ge 24 ]; then echo golang-go; fi
}

collect
if { [ -n "$missing_packages" ] || ! command -v go >/dev/null 2>&1; } && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  apt-get update -q >/dev/null 2>&1
  command -v go >/dev/null 2>&1 || missing_packages="$missing_packages $(go_of_debian)"
  if [ -n "${missing_packages# }" ]; then
    echo "installing:$missing_packages"
    # shellcheck disable=SC2086  # a list of package names
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q $missing_packages >/dev/null 2>&1
  fi
  collect
fi
if [ -n "$missing_packages" ]; then
  case $(uname -s) in
  Darwin) problems="$problems
  missing:$missing_packages (names of Debian); on macOS:  xcode-select --install && brew install go python" ;;
  *) problems="$problems
  missing packages; on Debian or Ubuntu:  apt-get install$missing_packages" ;;
  esac
fi

if ! command -v go >/dev/null 2>&1; then
  problems="$problems
  Go 1.24 or later is not installed; get it from go.dev/dl and put its bin folder on PATH"
else
  version=$(go env GOVERSION 2>/dev/null | sed 's/^go//; s/[^0-9.].*//')
  major=${version%%.*}
  rest=${version#*.}
  minor=${rest%%.*}
  if [ "${major:-0}" -lt 1 ] || { [ "$major" -eq 1 ] && [ "${minor:-0}" -lt 24 ]; }; then
    problems="$problems
  Go $version is too old, 1.24 or later is needed; get it from go.dev/dl"
  fi
  [ "$(go env CGO_ENABLED)" = 1 ] || problems="$problems
  cgo is switched off; set CGO_ENABLED=1"
fi

if command -v "$python" >/dev/null 2>&1; then
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' || problems="$problems
  $("$python" -V 2>&1) is too old, CPython 3.9 or later is needed; name another one: make PYTHON=/path/to/python3"
fi

if [ -n "$problems" ]; then
  echo "selfsame cannot be built yet:$problems" >&2
  exit 1
fi
