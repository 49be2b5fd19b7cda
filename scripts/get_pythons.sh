#!/bin/sh
# Sets up the CPython interpreters of the matrix that are missing here, for scripts/pythons.sh to find. 3.14 and 3.15
# come from Debian's binary packages. The free-threaded ones of 3.13 to 3.15, and the last 3.14 with the incremental
# collector, come from Debian's source packages. Nothing is installed into the system, and root is not needed. Takes an
# hour on two cores, the first time; what is there stays.
#
# They lie in ~/.cache/selfsame (SELFSAME_CACHE names another folder): debian/usr/bin/python3.X, and
# cpython-NAME/bin/python3. An interpreter that cannot be had is named, and is no error: the matrix runs on the others.
#
# 3.13musl is CPython 3.13 with musl, for scripts/musl: musl/python/bin/python3.13, which runs with the musl of this
# system, and python3.13-newest beside it, which runs with that of Debian's unstable suite. It needs musl-gcc, autoconf,
# automake, libtool and patchelf.
#
# Usage: scripts/get_pythons.sh [NAME...]     NAME: 3.14, 3.15, 3.13t, 3.14t, 3.15t or 3.14.4; without: all of them; or
# 3.13musl
set -eu
cache=${SELFSAME_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/selfsame}
work=$cache/pythons
names=${*:-3.14 3.15 3.13t 3.14t 3.15t 3.14.4}
mkdir -p "$work"

# ---- a second set of package lists beside the system's: Debian's testing and unstable suites ----

# The mirror that this machine's own sources name.
mirror() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 2>/dev/null | awk '$1 ~ /\/debian\/?$/ { print $1; exit }'
}

lists() {
  apt=$work/apt
  export APT_CONFIG="$apt/conf"
  [ -e "$apt/ready" ] && return
  uri=$(APT_CONFIG=/dev/null mirror)
  [ -n "$uri" ] || { echo "no Debian mirror is among the package sources of this machine" >&2; return 1; }
  mkdir -p "$apt/etc/apt.conf.d" "$apt/etc/preferences.d" "$apt/state/lists/partial" "$apt/cache/archives/partial"
  : >"$apt/status"
  for suite in testing unstable; do
    for kind in deb deb-src; do
      echo "$kind [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $suite main"
    done
  done >"$apt/etc/sources.list"
  cat >"$apt/conf" <<CONF
Dir "$apt";
Dir::Etc "$apt/etc";
Dir::Etc::parts "/etc/apt/apt.conf.d";
Dir::State "$apt/state";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Etc::trusted "/etc/apt/trusted.gpg";
Dir::Etc::trustedparts "/etc/apt/trusted.gpg.d";
APT::Sandbox::User "$(id -un)";
CONF
  apt-get -q update >"$work/update.log" 2>&1 || { tail -5 "$work/update.log" >&2; return 1; }
  echo "$uri" >"$apt/ready"
}

# ---- binary packages, unpacked ----

# Debian's interpreters need a newer C library than this system may have. They get it from the same suite, by its own
# loader: usr/bin/python3.X is a small program in sh that runs the interpreter so.
unpacked() { # VERSION
  root=$cache/debian
  lists || return 1
  apt-get -q install -y --download-only --no-install-recommends "python$1-venv" "libpython$1-dev" >"$work/$1.log" 2>&1 ||
    { tail -5 "$work/$1.log" >&2; return 1; }
  mkdir -p "$root/usr/libexec"
  for package in "$work"/apt/cache/archives/*.deb; do
    case ${package##*/} in
    libc6-dev* | libc-dev-bin* | linux-libc-dev* | tzdata* | debconf* | ca-certificates*) ;; # the system's own serve
    python3.* | libpython3.*) case ${package##*/} in *"python$1"*) dpkg-deb -x "$package" "$root" ;; esac ;;
    *) dpkg-deb -x "$package" "$root" ;;
    esac
  done
  mv "$root/usr/bin/python$1" "$root/usr/libexec/python$1"
  cp "$root/usr/include/x86_64-linux-gnu/python$1/pyconfig.h" "$root/usr/include/python$1/pyconfig.h"
  sed -i "s#'WHEEL_PKG_DIR': '[^']*'#'WHEEL_PKG_DIR': '$root/usr/share/python-wheels'#" \
    "$root/usr/lib/python$1"/_sysconfigdata_*.py
  cat >"$root/usr/bin/python$1.new" <<RUN
#!/bin/sh
exec "$root/usr/lib64/ld-linux-x86-64.so.2" --argv0 "\$0" \\
  --library-path "\${LD_LIBRARY_PATH:+\$LD_LIBRARY_PATH:}$root/usr/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu" \\
  "$root/usr/libexec/python$1" "\$@"
RUN
  chmod +x "$root/usr/bin/python$1.new"
  mv "$root/usr/bin/python$1.new" "$root/usr/bin/python$1"
}

# ---- source packages, built ----

# A source that an earlier state of the suites had, and that the mirror may still have when it does not have the newest:
# the file, and its SHA-256.
known() { # MINOR, or the release when it must be that one
  case $1 in
  3.13) echo "python3.13_3.13.15.orig.tar.xz 1e66a7945a48390ee4c2a4268a0e4185884059a13c4aab6d148aa208deea4a76" ;;
  3.14) echo "python3.14_3.14.7.orig.tar.xz 3b48dac8fb59f62eaa67ac83c1eb12bda1b7a08406dd286e252c11a66be27f81" ;;
  3.14.4) echo "python3.14_3.14.4.orig.tar.xz d923c51303e38e249136fc1bdf3568d56ecb03214efdef48516176d3d7faaef8" ;;
  3.15) echo "python3.15_3.15.0~rc1.orig.tar.xz f84dad680ab2147417d2739355c2678f0f9acffe4ae8ef77895de1454b384b07" ;;
  esac
}

# Prints the path of the source's archive.
source_of() { # MINOR or release
  minor=$(echo "$1" | cut -d. -f1,2)
  mkdir -p "$work/$1"
  if [ "$1" = "$minor" ]; then
    for suite in unstable testing; do
      (cd "$work/$1" && apt-get -q source --download-only "python$minor/$suite" >"$work/$1.log" 2>&1) || true
    done
  fi
  # shellcheck disable=SC2046 # two words
  set -- "$1" $(known "$1")
  if [ -z "$(find "$work/$1" -name '*.orig.tar.xz' -size +1M)" ]; then
    uri=$(cat "$work/apt/ready") # apt ends it with a slash, and a mirror may refuse two
    /usr/lib/apt/apt-helper download-file "${uri%/}/pool/main/p/python$minor/$2" "$work/$1/$2" \
      "SHA256:$3" >>"$work/$1.log" 2>&1 || { tail -3 "$work/$1.log" >&2; return 1; }
  fi
  find "$work/$1" -name '*.orig.tar.xz' -size +1M | sort -V | tail -1
}

built() { # NAME
  lists || return 1
  archive=$(source_of "${1%t}") || return 1
  folder=$work/build-$1
  rm -rf "$folder"
  mkdir -p "$folder/source" "$folder/build"
  tar xf "$archive" -C "$folder/source" --strip-components=1
  name=$1
  prefix=$cache/cpython-$name
  rm -rf "$prefix"
  set -- --prefix="$prefix" -q
  # With a shared library, in which a Go program hosts it (make host).
  case $name in *t) set -- "$@" --disable-gil --enable-shared LDFLAGS="-Wl,-rpath,$prefix/lib" ;; esac
  case $name in 3.13t) ;; *) set -- "$@" --disable-test-modules ;; esac # python/tests/conftest.py needs one on 3.13t
  (
    cd "$folder/build"
    nice ../source/configure "$@" && nice make -s -j2 && nice make -s install
  ) >"$work/$name.log" 2>&1 || { tail -5 "$work/$name.log" >&2; return 1; }
  rm -rf "$folder"
  touch "$prefix/.complete"
}

# ---- with musl ----

# Unpacks the source of a package of Debian's into a folder.
unpack_source() { # PACKAGE FOLDER
  # The mirror may have the archive alone of a package that has just changed, which suffices.
  (cd "$work/musl" && apt-get -q source --download-only "$1" >>"$work/musl.log" 2>&1) || true
  archive=$(find "$work/musl" -name "$1_*.orig.tar.*" ! -name '*.asc' | sort -V | tail -1)
  [ -n "$archive" ] || { echo "the source of $1 could not be had" >&2; return 1; }
  mkdir -p "$2"
  tar xf "$archive" -C "$2" --strip-components=1
}

for_musl() {
  lists || return 1
  folder=$work/build-musl
  root=$cache/musl
  prefix=$root/python
  rm -rf "$folder" "$prefix"
  mkdir -p "$work/musl" "$folder/python/build" "$folder/include" "$root/newest"
  : >"$work/musl.log"
  unpack_source zlib "$folder/zlib" && unpack_source libffi "$folder/libffi" || return 1
  archive=$(source_of 3.13) || return 1
  mkdir -p "$folder/python/source"
  tar xf "$archive" -C "$folder/python/source" --strip-components=1
  (cd "$work/musl" && apt-get -q download musl >>"$work/musl.log" 2>&1) || return 1
  dpkg-deb -x "$(find "$work/musl" -name 'musl_*.deb' | sort -V | tail -1)" "$folder/musl"
  find "$folder/musl" -name libc.so -exec cp {} "$root/newest/libc.so" ';'
  # musl-gcc has no headers of the kernel, and says the name of glibc's platform.
  for headers in linux asm-generic x86_64-linux-gnu/asm; do ln -s "/usr/include/$headers" "$folder/include/"; done
  {
    echo '#!/bin/sh'
    echo '[ "$*" = --print-multiarch ] && exec echo x86_64-linux-musl'
    echo "exec musl-gcc -idirafter '$folder/include' \"\$@\""
  } >"$folder/cc"
  chmod +x "$folder/cc"
  (
    set -e
    export CC="$folder/cc" CFLAGS="-O2 -fPIC"
    built=$folder/built
    cd "$folder/zlib" && nice ./configure --static --prefix="$built" && nice make -s -j2 install
    cd "$folder/libffi" && { [ -e configure ] || autoreconf -fi; }
    nice ./configure -q --host=x86_64-linux-musl --disable-shared --disable-docs --prefix="$built" --libdir="$built/lib"
    nice make -s -j2 install
    unset CFLAGS
    export PKG_CONFIG=false ZLIB_CFLAGS="-I$built/include" ZLIB_LIBS="-L$built/lib -lz"
    export LIBFFI_CFLAGS="-I$built/include" LIBFFI_LIBS="-L$built/lib -lffi"
    cd "$folder/python/build"
    nice ../source/configure -q --prefix="$prefix" --without-ensurepip --disable-test-modules
    nice make -s -j2
    nice make -s install
    cp "$prefix/bin/python3.13" "$prefix/bin/python3.13-newest"
    patchelf --set-interpreter "$root/newest/libc.so" "$prefix/bin/python3.13-newest"
  ) >>"$work/musl.log" 2>&1 || { tail -5 "$work/musl.log" >&2; return 1; }
  rm -rf "$folder"
  touch "$prefix/.complete"
}

missing=""
for name in $names; do
  case $name in
  3.14 | 3.15) there=$cache/debian/usr/bin/python$name ;;
  3.13musl) there=$cache/musl/python/.complete ;;
  *t) # an older state of this script built it without a shared library
    there=$cache/cpython-$name/.complete
    [ -e "$cache/cpython-$name/lib/libpython$name.so" ] || rm -f "$there"
    ;;
  *) there=$cache/cpython-$name/.complete ;;
  esac
  command -v "python$name" >/dev/null 2>&1 && continue
  [ -e "$there" ] && continue
  echo "getting CPython $name"
  case $name in
  3.14 | 3.15) unpacked "$name" || missing="$missing $name" ;;
  3.13musl) for_musl || missing="$missing $name" ;;
  *) built "$name" || missing="$missing $name" ;;
  esac
done
[ -z "$missing" ] || echo "could not be had:$missing" >&2
