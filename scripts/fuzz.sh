#!/bin/sh
# Runs the fuzzers one after another, each for FUZZTIME, and shows their progress. A finding ends that fuzzer, not the
# others. `go test` stores the input in the package's testdata/fuzz, where every test run reads it. libFuzzer writes it
# to build/fuzz; add it to the corpus with scripts/corpus.py.
#
#   FUZZTIME       time for each fuzzer: a number and s, m or h (default 10m)
#   FUZZ_PARALLEL  workers of each Go fuzzer (default: the number of processors); libFuzzer has one
#
# Usage: scripts/fuzz.sh [name ...]     (default: all in the list below; those that begin with "c-" need clang,
# and those with "py-" the package in build/venv)
set -u
cd "$(dirname "$0")/.."
time=${FUZZTIME:-10m}
parallel=${FUZZ_PARALLEL:-$(getconf _NPROCESSORS_ONLN)}
case $time in
  *h) seconds=$((${time%h} * 3600)) ;;
  *m) seconds=$((${time%m} * 60)) ;;
  *s) seconds=${time%s} ;;
  *) echo "FUZZTIME must be a number and s, m or h, got $time" >&2; exit 2 ;;
esac

# Name, package, function of each fuzzer. A line without function is a harness in conformance/fuzz or a program in Python.
fuzzers="
json      ./internal/control/jsontext   FuzzParse
graph     ./internal/control/jsongraph  FuzzDecode
packed    ./internal/control          FuzzPackedCall
dtype     ./internal/plane          FuzzDataType
embedded  ./internal/control/librarybin FuzzDecode
map       ./internal/container      FuzzOperations
values    .                    FuzzValues
kinds     .                    FuzzKinds
integers  .                    FuzzIntegers
texts     .                    FuzzTexts
bindings  ./cmd/selfsame-ffi/internal/emit/bindings     FuzzBindings
package   ./cmd/selfsame-ffi/internal/emit/golang/client FuzzPackage
module    ./cmd/selfsame-ffi/internal/emit/pypackage FuzzModule
source    ./cmd/selfsame-ffi/internal/gosource FuzzSource
comments  ./cmd/selfsame-ffi/internal/wrap/load FuzzDocs
library   ./cmd/selfsame-ffi/internal/library FuzzLibrary
wheel     ./cmd/selfsame-ffi/internal/library FuzzWheel
object    ./cmd/selfsame-ffi/internal/musl FuzzObject
picture   ./cmd/selfsame-ffi/internal/graphview FuzzGraph
c-dtype   dtype
c-packed  packed
py-values python/tests/support/fuzz_values.py
py-serve  python/tests/support/fuzz_serve.py
py-names  python/tests/support/fuzz_names.py
"

# wanted NAME CHOSEN...: whether NAME is among those chosen, or none is.
wanted() {
  name=$1
  shift
  [ $# -gt 0 ] || return 0
  for chosen in "$@"; do [ "$chosen" != "$name" ] || return 0; done
  return 1
}

sanitizers="-fsanitize=address,undefined"
# harness NAME: builds and runs conformance/fuzz/NAME.c.
harness() {
  name=$1
  flags="-std=c11 -D_GNU_SOURCE -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all -Iabi/include -Iinternal/plane -Iinternal/selfcopy"
  mkdir -p "build/fuzz/corpus/$name"
  python3 scripts/corpus.py unpack "conformance/fuzz/$name.corpus" "build/fuzz/corpus/$name" || return 1
  if [ "$name" = dtype ]; then # the data plane alone
    # shellcheck disable=SC2086  # flags are several words
    clang $flags -fsanitize=fuzzer $sanitizers "conformance/fuzz/$name.c" $(git ls-files "internal/plane/*.c" internal/selfcopy/*.c ":!*/testdata/*") -pthread -o "build/fuzz/$name" || return 1
  else # the whole library, its C and C++ parts instrumented
    instrument="-O1 -g -fno-omit-frame-pointer $sanitizers -fsanitize=fuzzer-no-link"
    CC=clang CXX=clang++ CGO_CFLAGS=$instrument CGO_CXXFLAGS=$instrument CGO_LDFLAGS=$sanitizers EXTLD=clang++ \
      scripts/library.sh build/fuzz/libselfsame.so || return 1
    # shellcheck disable=SC2086
    clang $flags -fsanitize=fuzzer $sanitizers -c "conformance/fuzz/$name.c" -o "build/fuzz/$name.o" || return 1
    # shellcheck disable=SC2086
    clang++ -fsanitize=fuzzer $sanitizers "build/fuzz/$name.o" build/fuzz/libselfsame.so -Wl,-rpath,"\$ORIGIN" -o "build/fuzz/$name" || return 1
  fi
  # handle_segv=0: Go has its own SIGSEGV handler. detect_leaks=0: the sanitizer does not see pointers in Go memory; the
  # harnesses compare the counts of live objects instead.
  ASAN_OPTIONS=handle_segv=0:detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
    "build/fuzz/$name" -max_total_time="$seconds" -timeout=60 -print_final_stats=1 -verbosity=1 -artifact_prefix="build/fuzz/" "build/fuzz/corpus/$name"
}

summary=""
failed=0
while read -r name package function; do
  [ -n "$name" ] && wanted "$name" "$@" || continue
  case $package in
    *.py)
      echo "== $name: $package, $time"
      if build/venv/bin/python "$package" "$seconds" </dev/null; then result="no finding in $time"; else result="a finding, see above" failed=1; fi
      summary="$summary
$name: $result"
      continue
      ;;
  esac
  if [ -z "$function" ] && ! command -v clang++ >/dev/null 2>&1; then
    summary="$summary
$name: not run, clang is not installed"
    continue
  fi
  echo "== $name: $package $function, $time"
  if [ -z "$function" ]; then harness "$package"; else
    go test -run '^$' -fuzz "^$function\$" -fuzztime "$time" -parallel "$parallel" "$package"
  fi </dev/null
  # shellcheck disable=SC2181  # the status of whichever ran
  if [ $? -eq 0 ]; then
    summary="$summary
$name: no finding in $time"
  else
    failed=1
    summary="$summary
$name: a finding, see above"
  fi
done <<LIST
$fuzzers
LIST
echo "$summary"
exit $failed
