#!/bin/sh
# Packs NumPy and the distribution selfsame-ffi, builds a program that brings them and CPython along without a Python in
# PATH, and runs it in a root that has the program and the C library, and nothing else: the first start unpacks, the
# second does not, two at once wait for each other, and a damaged file is written again. Then the tests of host/python run
# with that CPython 3.14.
#
# It needs a CPython 3.14 with headers for the wheel of selfsame-ffi, or that wheel in build/dist.
#
# Usage: scripts/embedded.sh
set -eu
cd "$(dirname "$0")/.."
root=$PWD
work=$root/build/embedded
go=${GO:-go}
mkdir -p "$work" build/dist
echo "== tests"
(cd host/python/embedded && $go vet ./... && $go test -count=1 ./...)
echo "== packages"
wheel=$(ls build/dist/selfsame_ffi-*-cp314-cp314-*.whl 2>/dev/null | head -1)
if [ -z "$wheel" ]; then
  python=$(scripts/pythons.sh 2>/dev/null | grep -E 'python3\.14$' | head -1)
  [ -n "$python" ] || { echo "no wheel of selfsame-ffi for CPython 3.14, and no python3.14: run scripts/get_pythons.sh 3.14" >&2; exit 1; }
  [ -x build/venv-3.14/bin/python ] || scripts/venv.sh "$python" build/venv-3.14
  SELFSAME_LIB="$root/build/lib/libselfsame.so" build/venv-3.14/bin/python -m pip --disable-pip-version-check wheel -q . \
    --no-build-isolation --no-deps -w build/dist
  wheel=$(ls build/dist/selfsame_ffi-*-cp314-cp314-*.whl | head -1)
fi
$go build -o build/bin/selfsame-ffi ./cmd/selfsame-ffi
build/bin/selfsame-ffi pack "$wheel" numpy -o "$work/pypackages"
echo "== program"
cp host/python/embedded/testdata/main.go "$work/main.go"
cp host/python/embedded/go.sum "$work/go.sum"
sed -e 's,^module .*,module embeddedtest,' -e '/^replace/d' host/python/embedded/go.mod >"$work/go.mod"
cat >>"$work/go.mod" <<MOD
require github.com/selfsame-ffi/selfsame/host/python/embedded v0.0.0
replace github.com/selfsame-ffi/selfsame => $root
replace github.com/selfsame-ffi/selfsame/host/python/embedded => $root/host/python/embedded
MOD
mkdir -p "$work/bin"
for tool in "$go" gcc g++ as ld; do ln -sf "$(command -v "$tool")" "$work/bin/"; done # what the build needs, and no Python
(cd "$work" && GOWORK=off PATH="$work/bin" CC=gcc "$go" build -ldflags "-extldflags '-static-libstdc++ -static-libgcc'" -o program .)
ls -l "$work/program" | awk '{ printf "%.0f MB\n", $5 / 1e6 }'
echo "== in a bare root"
rm -rf "$work/root"
mkdir -p "$work/root/home" "$work/root/dev" "$work/root/tmp"
cp "$work/program" "$work/root/"
: >"$work/root/dev/urandom"
for library in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libutil.so.1 libresolv.so.2; do
  path=$(gcc -print-file-name="$library")
  mkdir -p "$work/root/usr/lib"
  cp -L "$path" "$work/root/usr/lib/"
done
loader=$(readelf -l "$work/program" | sed -n 's/.*interpreter: \(.*\)]/\1/p')
mkdir -p "$work/root$(dirname "$loader")"
cp -L "$loader" "$work/root$loader"
bare() {
  # /dev/urandom is of the system: CPython seeds its hashes from it where there is no getrandom.
  unshare --user --map-root-user --mount sh -c 'mount --bind /dev/urandom "$0/dev/urandom" && exec env -i HOME=/home \
    LD_LIBRARY_PATH=/usr/lib PYTHONHOME=/nowhere PYTHONPATH=/nowhere "$1" "$0" /program' "$work/root" "$(command -v chroot)"
}
wanted="6 [2 4 12] [2 4 12] sys.version_info(major=3, minor=14"
try() {
  begun=$(date +%s%N)
  said=$(bare)
  ended=$(date +%s%N)
  case $said in
    "$wanted"*) echo "$1: $(((ended - begun) / 1000000)) ms" ;;
    *) echo "$1: the program printed: $said" >&2; exit 1 ;;
  esac
}
bare >"$work/one" 2>&1 & one=$!
bare >"$work/two" 2>&1 & two=$!
wait $one || { cat "$work/one" >&2; exit 1; }
wait $two || { cat "$work/two" >&2; exit 1; }
grep -qF "$wanted" "$work/one" && grep -qF "$wanted" "$work/two"
try "a later start"
file=$(find "$work/root/home" -path '*numpy/__init__.py')
: >"$file"
try "a start after damage"
rm -rf "$work/root/home/.cache"
try "a first start"
echo "== the tests of host/python with this CPython"
cache=$work/root/home/.cache/selfsame-python
"$cache"/cpython-*/bin/python3 -m venv --without-pip "$work/venv"
dirname "$cache"/packages-*/numpy >"$work/venv/lib/python3.14/site-packages/packages.pth"
SELFSAME_HOST_PYTHON="$work/venv/bin/python" SELFSAME_HOST_OPERATIONS="${SELFSAME_HOST_OPERATIONS:-100000}" \
  $go test -count=1 -timeout 60m ./host/python
