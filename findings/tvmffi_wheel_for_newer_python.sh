#!/bin/sh
# Where only wheels are allowed, an unknown CPython gets an old tvm-ffi without a word: the stable ABI ended at 0.1.12.
#
# Versions: apache-tvm-ffi 0.1.12, 0.1.15.post2
#
# Expected: the newest wheel, or an error that none fits.
#
# Seen: up to 0.1.12 one wheel (cp312-abi3) served every CPython from 3.12 on; from 0.1.13 on there is one per version, up
# to 3.15. For a CPython 3.16 pip still finds 0.1.12 and installs it, three releases behind; for 3.8 too.
. "$(dirname "$0")/parts/begin.sh"
python_for "3.11 3.12 3.13"
"$python" -m venv venv
chosen() {
  venv/bin/pip -q download --no-deps --only-binary :all: --platform manylinux_2_28_x86_64 --python-version "$1" \
    -d "for$1" 'apache-tvm-ffi<=0.1.15.post2' || missing "wheels of apache-tvm-ffi"
  basename "for$1"/*.whl | cut -d- -f2-4
}
for version in 3.8 3.9 3.15 3.16; do echo "$version $(chosen $version)"; done | tee rows
cat >wanted <<'R'
3.8 0.1.12-cp38-cp38
3.9 0.1.15.post2-cp39-cp39
3.15 0.1.15.post2-cp315-cp315
3.16 0.1.12-cp312-abi3
R
diff wanted rows
