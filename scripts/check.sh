#!/bin/sh
# Runs the formatters, linters and type checkers for Go, C and Python, and the checks of pages, words and layers in
# scripts/checks. With --fix it rewrites the sources instead, as the formatters want them.
#
# Usage: scripts/check.sh [--fix] PYTHON [STATICCHECK ACTIONLINT]
set -eu
cd "$(dirname "$0")/.."
fix=no
if [ "$1" = --fix ]; then fix=yes; shift; fi
python=$1
staticcheck=${2:-}
actionlint=${3:-}
venv=build/check-venv
"$python" -m scripts.tools.environments venv "$venv" scripts/requirements-check.txt
bin=$(pwd)/$venv/bin
failed=""
# check NAME COMMAND...: runs a checker, and shows its output if it fails.
check() {
  name=$1
  shift
  if output=$("$@" 2>&1); then
    echo "ok      $name"
  else
    echo "FAILED  $name"
    printf '%s\n' "$output" | sed 's/^/        /'
    failed="$failed $name"
  fi
}
# sources PATTERN...: the files that git tracks or would add.
sources() { git ls-files --cached --others --exclude-standard -- "$@" | while read -r f; do [ -e "$f" ] && echo "$f"; done; }
go_files=$(sources '*.go')
c_files=$(sources '*.c' '*.h' '*.cc')

if [ "$fix" = yes ]; then
  # shellcheck disable=SC2086  # lists of file names without blanks
  gofmt -w $go_files
  # shellcheck disable=SC2086
  "$bin/clang-format" -i $c_files
  "$bin/ruff" format -q .
  "$bin/ruff" check -q --fix .
  exit 0
fi

# shellcheck disable=SC2086
gofmt_clean() { out=$(gofmt -l $go_files); [ -z "$out" ] || { echo "not formatted (make format):"; echo "$out"; return 1; }; }
tidy() {
  include=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
  # One process reads each few files, on all cores. Not those that need the published headers, as conformance does.
  sources 'abi/*.c' 'internal/control/*.c' 'python/src/*.c' '*.c' | grep -v -e testdata -e _test -e '^conformance/' -e '^bench/python/tensors_floor.c$' -e '^scripts/windows/' -e '^python/tests/fixtures/foreign/' | sort -u |
    xargs -n 8 -P "$(getconf _NPROCESSORS_ONLN)" sh -c 'tidy=$1 include=$2 gcc=$3; shift 3
      "$tidy" --quiet --warnings-as-errors="*" "$@" -- -std=c11 -D_GNU_SOURCE -Iabi/include -Iinternal/plane -Iinternal/tie -Iinternal/cxx \
        -Iinternal/selfcopy -Iinternal/bridge -Iinternal/stubs -Ipython/src/selfsame_ffi/_core \
        -isystem "$include" -isystem "$gcc"' sh "$bin/clang-tidy" "$include" "$(gcc -print-file-name=include)"
}

check gofmt gofmt_clean
# The packages of every module of the workspace.
go_packages=$(go list -m -f '{{.Dir}}/...')
# shellcheck disable=SC2086
check "go vet" go vet $go_packages
check "go vet -tags selfsame_shared" go vet -tags selfsame_shared .
check "go vet -tags debug" go vet -tags debug .
# shellcheck disable=SC2086
check "types on macOS and Windows" go run ./scripts/typecheck "darwin windows" $go_packages
# shellcheck disable=SC2086
check staticcheck go run "$staticcheck" $go_packages
check "workflows of GitHub (zizmor)" "$bin/zizmor" --offline --no-progress --min-severity medium .github/workflows
check "workflows of GitHub" go run "$actionlint" -shellcheck= -pyflakes=
# shellcheck disable=SC2086
check clang-format "$bin/clang-format" --dry-run --Werror $c_files
check clang-tidy tidy
check "ruff check" "$bin/ruff" check -q .
check "ruff format" "$bin/ruff" format -q --check .
check licences "$python" -m scripts.licences --check
check mypy "$bin/mypy" python/src/selfsame_ffi python/src/selfsame_ffi_tool.py
check "pages and sources (scripts/checks)" "$bin/python" -m pytest -q -p no:cacheprovider scripts/checks scripts/release scripts/api_diff
check "mypy and pyright on a program" "$bin/python" -m scripts.check_types "$bin"
if [ -n "$failed" ]; then
  echo "make check failed:$failed" >&2
  exit 1
fi
