"""Builds the C core and puts the runtime library, the headers and the command line tool into the package.

From a checkout or a source distribution Go builds the library and the tool into build/. An editable installation has
links to build/ in the package's folder, so that `make lib` is enough after a change of Go or C code of the runtime.

The package has the library as lib/libtvm_ffi.so, its SONAME. lib/libselfsame.so is a small filter library that leads to
it (scripts/filter_library.py), since wheels hold no links.

    SELFSAME_LIB       a built runtime library; without it Go builds one
    SELFSAME_TOOL      a built command line tool; without it Go builds one, unless SELFSAME_LIB is given
    SELFSAME_HEADERS   the folder of an unpacked wheel of apache-tvm-ffi, whose C++ headers are put into the package, or
                       "no"; without it those of the installed package are taken, which pip installs for the build
    SELFSAME_FILTER    "no": no filter library, which musl's dynamic linker does not know
    SELFSAME_SYSTEM    the system that is built for, as sys.platform names it there; without it this one
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from glob import glob
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
BUILT = ROOT / "build"
PACKAGE = ROOT / "python/src/selfsame_ffi"
CORE = "python/src/selfsame_ffi/_core"
HEADERS = "apache-tvm-ffi==0.1.15.post2"
SYSTEM = os.environ.get("SELFSAME_SYSTEM") or sys.platform
LIBRARY = {"win32": "tvm_ffi.dll", "darwin": "libtvm_ffi.dylib"}.get(SYSTEM, "libtvm_ffi.so")


def version() -> str:
    """The version of selfsame, which the C header has."""
    found = re.search(r'define SELFSAME_VERSION "(.+)"', (ROOT / "abi/include/selfsame/version.h").read_text())
    if not found:
        raise SystemExit("selfsame-ffi: abi/include/selfsame/version.h has no SELFSAME_VERSION")
    return found[1]


def use_zig() -> None:
    """Let zig compile where a C or a C++ compiler is missing and PyPI's ziglang is there, for which pip is asked then.

    zig has a C++ library of its own, which it links into the runtime: C++ code of other compilers catches no exception
    of the runtime by its type. That is why another compiler comes first.
    """
    compilers = [os.environ.get("CC", "gcc"), os.environ.get("CXX", "g++")]
    found = importlib.util.find_spec("ziglang")
    if all(shutil.which(command.split()[0]) for command in compilers) or found is None:
        return
    folder = list(found.submodule_search_locations or ())[0]
    libc = "gnu.2.28" if platform.libc_ver()[0] == "glibc" else "musl"
    target, flags = f"-target {platform.machine()}-linux-{libc}", "-g0 -fno-sanitize=all"
    print(f"the compiler of zig is taken ({folder}), as a C or a C++ compiler is missing", flush=True)
    os.environ.update(
        PATH=f"{folder}{os.pathsep}{os.environ['PATH']}",
        CC=f"zig cc {target}",
        CXX=f"zig c++ {target}",
        LDSHARED=f"zig cc {target} -shared",
        CFLAGS=f"{os.environ.get('CFLAGS', '')} {flags}",
        CGO_ENABLED="1",
        CGO_CFLAGS=f"-O2 {flags}",
        CGO_CXXFLAGS=f"-O2 {flags}",
    )


def go(*arguments: str) -> str:
    """The output of the go command in this folder, "" when it fails."""
    command = [os.environ.get("GO", "go"), *arguments]
    return subprocess.run(command, cwd=ROOT, text=True, capture_output=True).stdout.strip()


def missing() -> list[str]:
    """What building with Go lacks here, each with what to do."""
    if shutil.which(os.environ.get("GO", "go")) is None:
        return ["the go command is not in PATH: install Go 1.24 or later from https://go.dev/dl"]
    found = []
    release = re.match(r"go1\.(\d+)", version := go("env", "GOVERSION"))
    if not version or release and int(release[1]) < 24:
        found.append(f"Go is too old ({version or 'it does not read go.mod'}): install Go 1.24 or later")
    if go("env", "CGO_ENABLED") != "1":
        found.append("cgo is switched off, or there is no C compiler: install one, and set CGO_ENABLED=1")
    for variable, package in (("CC", "gcc libc6-dev"), ("CXX", "g++")):
        compiler = go("env", variable).split()
        if not compiler or shutil.which(compiler[0]) is None:
            name = compiler[0] if compiler else variable
            found.append(f"the compiler {name} is not in PATH: install one (Debian: apt-get install {package})")
    if not Path(sysconfig.get_paths()["include"], "Python.h").is_file():
        found.append("this Python has no headers (Debian: apt-get install python3-dev)")
    return found


def untrusted_clone() -> list[str]:
    """The flag for a clone that git refuses to read, as another user's in a container. Else the tool has its commit."""
    try:
        refused = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True).returncode != 0
    except FileNotFoundError:
        refused = True
    return ["-buildvcs=false"] if refused else []


def build_with_go() -> tuple[Path, Path]:
    """The runtime library and the command line tool, built in this folder. SystemExit says what is missing."""
    if not sys.platform.startswith("linux"):
        raise SystemExit(f"selfsame-ffi: it is built on Linux only, and this is {sys.platform}; see docs/platforms.md")
    if not (ROOT / "go.mod").is_file():
        raise SystemExit("selfsame-ffi: these sources have no Go code: set SELFSAME_LIB to a built libselfsame.so")
    if lacking := missing():
        wheel = "or install a wheel, which needs none of it; pip before 20.3 knows none for Linux: pip install -U pip"
        raise SystemExit("\n  ".join(["selfsame-ffi cannot be built from its sources yet:", *lacking, wheel]))
    library, tool = BUILT / "lib/libselfsame.so", BUILT / "bin/selfsame-ffi"
    print("building the runtime library and the tool with Go, which takes minutes the first time", flush=True)
    for command in (
        [str(ROOT / "scripts/library.sh"), str(library)],
        [os.environ.get("GO", "go"), "build", *untrusted_clone(), "-o", str(tool), "./cmd/selfsame-ffi"],
    ):
        if status := subprocess.run(command, cwd=ROOT).returncode:
            raise SystemExit(f"selfsame-ffi: {' '.join(command)} ended with status {status}; its output says why")
    (library.parent / "libselfsame.h").unlink(missing_ok=True)
    return library, tool


def native_parts() -> tuple[Path, Path | None]:
    """The runtime library, and the command line tool if there is to be one."""
    library, tool = os.environ.get("SELFSAME_LIB"), os.environ.get("SELFSAME_TOOL")
    for name in filter(None, (library, tool)):
        if not Path(name).is_file():
            raise SystemExit(f"selfsame-ffi: {name} does not exist: run `make lib`, or correct SELFSAME_LIB")
    if library:
        return Path(library), Path(tool) if tool else None
    built, built_tool = build_with_go()
    return built, Path(tool) if tool else built_tool


def published_headers() -> tuple[Path, list[Path]] | None:
    """The folder of the published C++ headers and the files of their licences, None if there are none."""
    given = os.environ.get("SELFSAME_HEADERS")
    if given == "no":
        return None
    if given:
        folder = Path(given)
    else:
        try:
            folder = Path(str(importlib.metadata.distribution("apache-tvm-ffi").locate_file("")))
        except importlib.metadata.PackageNotFoundError:
            print("selfsame-ffi: apache-tvm-ffi is not installed, so the package has no C++ headers", flush=True)
            return None
    return folder / "tvm_ffi/include", sorted(folder.glob("apache_tvm_ffi-*.dist-info/licenses/*"))


def headers_for_the_build() -> list[str]:
    """What pip installs before it builds: the package with the headers, where it has a wheel."""
    without = sysconfig.get_config_var("Py_GIL_DISABLED") or sys.version_info >= (3, 15)
    return [] if without or os.environ.get("SELFSAME_HEADERS") else [HEADERS]


class BuildPyWithLibrary(build_py):
    def run(self):
        super().run()
        library, tool = native_parts()
        if getattr(self, "editable_mode", False):
            self.link(library, tool)
            return
        package = Path(self.build_lib) / "selfsame_ffi"
        self.add_library(library, package / "lib")
        if tool:
            (package / "bin").mkdir(parents=True, exist_ok=True)
            shutil.copy2(tool, package / "bin" / ("selfsame-ffi.exe" if SYSTEM == "win32" else "selfsame-ffi"))
        self.add_headers(package)

    def link(self, library: Path, tool: Path | None) -> None:
        """Links of an editable installation, from the package's folder to what was built."""
        shutil.rmtree(BUILT / "editable", ignore_errors=True)
        self.add_headers(BUILT / "editable")
        folders = {"lib": library.parent, "include": BUILT / "editable/include", "share": BUILT / "editable/share"}
        if tool:
            folders["bin"] = tool.parent
        for name, folder in folders.items():
            (PACKAGE / name).unlink(missing_ok=True)
            (PACKAGE / name).symlink_to(folder, target_is_directory=True)

    def add_library(self, library: Path, target: Path) -> None:
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy2(library, target / LIBRARY)
        if not SYSTEM.startswith("linux"):  # libraries find each other in other ways there
            return
        if os.environ.get("SELFSAME_FILTER") == "no":
            return
        make_filter = [sys.executable, str(ROOT / "scripts/filter_library.py")]
        subprocess.run([*make_filter, str(target / LIBRARY), str(target / "libselfsame.so")], check=True)

    def add_headers(self, package: Path) -> None:
        shutil.copytree(ROOT / "abi/include/selfsame", package / "include/selfsame", dirs_exist_ok=True)
        shutil.copytree(ROOT / "python/cmake", package / "share/cmake/tvm_ffi", dirs_exist_ok=True)
        if published := published_headers():
            headers, licences = published
            shutil.copytree(headers, package / "include", dirs_exist_ok=True)
            (package / "share/licenses/apache-tvm-ffi").mkdir(parents=True, exist_ok=True)
            for file in licences:
                shutil.copy2(file, package / "share/licenses/apache-tvm-ffi" / file.name)


if SYSTEM == "linux" and sys.platform == "linux":
    use_zig()

setup(
    version=version(),
    setup_requires=headers_for_the_build(),
    ext_modules=[
        Extension(
            "selfsame_ffi._core",
            sources=sorted(glob(f"{CORE}/**/*.c", recursive=True)),
            depends=sorted(glob(f"{CORE}/**/*.h", recursive=True)),
            include_dirs=["abi/include", CORE],
            libraries=["dl"] if SYSTEM.startswith("linux") else [],
            extra_compile_args=[
                "-std=c11",
                "-O2",
                "-falign-functions=32",  # else a change of one function can slow others by a fifth
                "-fvisibility=hidden",
                "-fno-plt",
                "-Wall",
                "-Wextra",
                "-D_GNU_SOURCE",
            ],
        )
    ],
    cmdclass={"build_py": BuildPyWithLibrary},
    data_files=[("share/man/man1", sorted(glob("man1/*.1")))],
)
