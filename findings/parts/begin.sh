# Sourced at the begin of each finding: an empty temporary folder becomes the working folder, and goes at the end, with
# the processes' own settings of Python and Go out of the way.
#
#   python_for "3.14 3.13"        sets $python to a CPython of the first of these versions that is at hand
#   on_each "3.14 3.13"           runs test.py with a CPython of each of these versions
#   environment "3.14 3.13" NAME==VERSION...
#                                 makes a virtual environment with one of them and these packages from PyPI, and sets
#                                 $python to its interpreter
#   go_is VERSION                 makes this release of Go the one in use (the Go command fetches it as a module)
#   go_module NAME VERSION        makes the folder a Go module of this version of the language
#   go_library NAME               makes NAME.so, a library of C, of Go source on standard input: that behind import "C"
#   needs COMMAND...              ends with 77 where a command is missing
#
# A finding ends with 0 where it still holds, with 77 where something that it needs is missing, and else with 1: what is
# said in its header has changed. Checks in Python use seen.py of this folder.
set -eu
parts=$(cd "$(dirname "$0")/parts" && pwd)
work=$(mktemp -d)
trap 'cd /; chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"
for name in $(env | sed -n 's/^\(PYTHON[A-Z]*\|GO[A-Z]*\|VIRTUAL_ENV\)=.*/\1/p'); do
  case $name in GOPATH | GOPROXY | GOMODCACHE | GOSUMDB | GOCACHE) ;; *) unset "$name" ;; esac
done
export PYTHONPATH="$parts" PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
mkdir tmp
export GOFLAGS=-buildvcs=false TMPDIR="$work/tmp"

missing() { echo "missing here: $*"; exit 77; }
needs() { for command in "$@"; do command -v "$command" >/dev/null || missing "$command"; done; }

python_for() { # VERSIONS, "3.14t" for the free-threaded one
  cache=${SELFSAME_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/selfsame} # scripts/get_pythons.sh
  for version in $1; do
    for path in "$(command -v "python$version" || true)" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$version".*/bin/python \
      "$cache/debian/usr/bin/python$version" "$cache/cpython-$version/bin/python3"; do
      # A shim of pyenv answers for versions that are not chosen, by an error.
      if [ -x "$path" ] && "$path" -c 'import ensurepip, venv' 2>/dev/null; then
        python=$path
        return
      fi
    done
  done
  missing "CPython, one of: $1"
}

on_each() { # VERSIONS
  for each in $1; do
    python_for "$each"
    echo "CPython $each"
    "$python" test.py
  done
}

environment() { # VERSIONS PACKAGE==VERSION...
  python_for "$1"
  shift
  "$python" -m venv venv
  python=$work/venv/bin/python
  "$python" -m pip install -q "$@" || missing "packages from PyPI: $*"
}

go_is() { # VERSION
  needs go gcc
  export GOTOOLCHAIN="go$1"
  go version >/dev/null || missing "Go $1"
}

go_module() { printf 'module example.com/%s\ngo %s\n' "$1" "$2" >go.mod; } # NAME VERSION

go_library() { # NAME
  go_module "$1" 1.26
  { printf 'package main\n\nimport "C"\n\n'; cat; printf '\nfunc main() {}\n'; } >"$1.go"
  go build -buildmode=c-shared -o "$1.so" .
}
