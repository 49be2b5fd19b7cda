#!/bin/sh
# The version in tvm-ffi's headers is not that of the release, and one post release adds functions to the library.
#
# Versions: apache-tvm-ffi 0.1.8 to 0.1.15.post2
#
# Expected: the headers of 0.1.15.post2 say 0.1.15, and a post release has the symbols of its release.
#
# Seen: they say 0.1.16; those of 0.1.8.post0 say 0.1.9 and those of the later 0.1.8.post2 say 0.1.8; those of 0.1.13.post2
# say 0.1.14. 0.1.14 and 0.1.14.post0 both say 0.1.14, and only the second exports the functions of big integers. So a program
# cannot tell from the number what it can call. (The releases without "post" of these are withdrawn, but still installed
# where a program asks for exactly them.)
. "$(dirname "$0")/parts/begin.sh"
needs nm unzip
python_for "3.11 3.12 3.13"
mkdir wheels
"$python" -m venv venv
for release in 0.1.8 0.1.8.post0 0.1.8.post2 0.1.13 0.1.13.post2 0.1.14 0.1.14.post0 0.1.15 0.1.15.post1 0.1.15.post2; do
  venv/bin/pip -q download --no-deps --only-binary :all: --platform manylinux_2_28_x86_64 --python-version 3.12 -d wheels \
    apache-tvm-ffi==$release 2>pip.log || missing "apache-tvm-ffi $release: $(tail -1 pip.log)"
  unzip -q "wheels/apache_tvm_ffi-$release-"*.whl -d "$release"
  version=$(sed -n 's/^#define TVM_FFI_VERSION_[A-Z]* //p' "$release/tvm_ffi/include/tvm/ffi/c_api.h" | paste -sd.)
  has() { nm -D --defined-only "$release/tvm_ffi/lib/libtvm_ffi.so" | grep -c " $1\$" || true; }
  echo "$release $version $(has TVMFFISetCustomAllocator) $(has TVMFFIBigIntFromByteArray)"
done | tee rows
cat >wanted <<'R'
0.1.8 0.1.8 0 0
0.1.8.post0 0.1.9 0 0
0.1.8.post2 0.1.8 0 0
0.1.13 0.1.13 1 0
0.1.13.post2 0.1.14 1 0
0.1.14 0.1.14 1 0
0.1.14.post0 0.1.14 1 1
0.1.15 0.1.15 1 1
0.1.15.post1 0.1.16 1 1
0.1.15.post2 0.1.16 1 1
R
diff wanted rows
