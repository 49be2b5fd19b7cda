"""Writes Go packages for published native libraries, builds programs with them, and compares results with Python's.

Usage: python3 -m scripts.clients [PACKAGE ...]      (default: xgrammar apache-tvm tilelang)
       python3 -m scripts.clients structured         only examples/structured, with tokens of its own

The wheels are downloaded into build/clients, once; delete that folder for newer ones. A package that cannot be
downloaded is reported, and the others run. The table has, for each, the classes, the functions and methods, and how
many of these have types. It has the shares of funcs that lack the name of an argument, that have the type any and that
panic where they could return an error. The last columns are the processor time of `go build` for the package alone and
the size of a program that loads it. The calls that client_calls.py generates give the same results in Go and in Python.
TOOL is the command line tool.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import sys
import time
from pathlib import Path

from scripts.tools import tables
from scripts.tools.commands import ROOT, TOOL, Failed, run
from scripts.tools.downloads import download, unpack

WORK = ROOT / "build" / "clients"

#: For each package the name in Go, the libraries in the order of their loading, and further packages whose libraries
#: these need.
CLIENTS = {
    "xgrammar": ("xgrammar", ["xgrammar/libxgrammar_bindings.so"], []),
    "apache-tvm": (
        "tvm",
        ["tvm/lib/libtvm_runtime.so", "tvm/lib/libtvm_compiler.so", "tvm/lib/libtvm_runtime_extra.so"],
        [],
    ),
    "tilelang": ("tilelang", ["tilelang/lib/libtilelang.so"], ["z3-solver<4.15.9,>=4.15"]),
}

#: The package whose tokens the server of examples/structured has.
TOKENS = "mistral-common"

MODULE = """module example.org/client

go 1.24.0

require github.com/selfsame-ffi/selfsame v0.0.0

replace github.com/selfsame-ffi/selfsame => {}
"""
PROGRAM = """package main

import (
	"fmt"
	"os"

	"example.org/client/{0}"
)

func main() {{
	if err := {0}.Load(os.Args[1], os.Args[2:]...); err != nil {{
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}}
}}
"""


def processor_seconds() -> float:
    """Return the processor time of the programs that this one has run."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def unpacked(package: str) -> Path | None:
    """Return the folder of a package's files, None when it cannot be downloaded."""
    name, _, needed = CLIENTS[package]
    folder = WORK / name / "wheel"
    if (folder / ".unpacked").exists():
        return folder
    try:
        wheels = download(WORK / name / "download", package, *needed)
    except Failed as error:
        print(f"{package} cannot be downloaded: {str(error).splitlines()[-1:]}")
        return None
    for wheel in wheels:
        unpack(wheel, folder, lambda name: ".so" in Path(name).name or name.endswith(".py"))
    (folder / ".unpacked").touch()
    return folder


def counted(libraries: list[Path]) -> tuple[int, int, int]:
    """Return how many classes, functions and functions with types the libraries have."""
    content = json.loads(run(TOOL, "inspect", "--json", *libraries))
    functions = content.get("functions", [])
    for cls in content.get("classes", []):
        functions += cls.get("methods", []) + [init for init in [cls.get("init")] if init]
    return len(content.get("classes", [])), len(functions), sum(f["typed"] for f in functions)


def shares(folder: Path) -> tuple[str, str, str]:
    """Return how many in a hundred funcs of a package have an argument without a name, the type any, and a panic.

    A field of an object is read by a func without an error, which panics for a released object only, as Go's own field
    of a nil pointer does: it is no panic here.
    """
    source = "\n".join(file.read_text() for file in folder.glob("*_ffi.go"))
    funcs = re.findall(r"^func (?!Default)(.*)", source, re.MULTILINE)
    bodies = re.split(r"^func ", re.sub(r"\bfield\w+\.MustGet\(h\)", "", source), flags=re.MULTILINE)[1:]
    panics = sum(re.search(r"\bpanic\(|\bMust\w*\(", body) is not None for body in bodies)
    nameless = sum(re.search(r"\b(arg\d+|args \.\.\.)", func) is not None for func in funcs)
    untyped = sum(re.search(r"[ (.]any[,)]|\) any \{", func) is not None for func in funcs)
    nameless_share, untyped_share, panic_share = (f"{100 * n / len(funcs):.1f} %" for n in (nameless, untyped, panics))
    return nameless_share, untyped_share, panic_share


def built(package: str, folder: Path) -> list[str]:
    """Write and build a package and a program; return its row of the table."""
    name, libraries, _ = CLIENTS[package]
    paths = [folder / library for library in libraries]
    module = WORK / name / "module"
    shutil.rmtree(module, ignore_errors=True)
    module.mkdir(parents=True)
    (module / "go.mod").write_text(MODULE.format(ROOT))
    sources = ["--python-package", str(folder / package.removeprefix("apache-"))]
    run(TOOL, "bind", "--go", *paths, "-o", module / name, *sources)
    (module / "main.go").write_text(PROGRAM.format(name))
    # A comment that is new, so that the go command has not built the package before.
    (module / name / "built.go").write_text(f"package {name}\n\n// Built at {time.time_ns()}.\n")
    run("go", "build", "github.com/selfsame-ffi/selfsame", cwd=module)
    start = processor_seconds()
    run("go", "build", f"./{name}", cwd=module)
    seconds = processor_seconds() - start
    run("go", "vet", "./...", cwd=module)
    run("go", "build", "-o", "client", ".", cwd=module)
    run(module / "client", *paths)
    compare_calls(package, module, paths)
    size = (module / "client").stat().st_size
    classes, functions, typed = counted(paths)
    counts = [f"{classes:,}", f"{functions:,}", f"{typed:,}", *shares(module / name)]
    return [package, *counts, f"{seconds:.0f} s", f"{size / 1e6:.0f} MB"]


def compare_calls(package: str, module: Path, libraries: list[Path]) -> None:
    """Make generated calls in Go and in Python; end this program with an error when results differ."""
    name = CLIENTS[package][0]
    program, plan = ROOT / "scripts" / "client_calls.py", WORK / name / "plan.json"
    run(sys.executable, program, "plan", module / name, plan, *libraries)
    (module / "calls").mkdir()
    (module / "calls" / "main.go").write_text(run(sys.executable, program, "program", plan, name))
    run("go", "build", "-o", "make-calls", "./calls", cwd=module)
    results = [
        re.sub(r"\[\d\d:\d\d:\d\d\]", "[time]", run(*command, *libraries)).splitlines()  # in messages of xgrammar
        for command in ([module / "make-calls"], *[[sys.executable, program, "run", plan]] * 2)
    ]
    if len(set(map(len, results))) > 1:
        sys.exit(f"{package}: Go and Python made {list(map(len, results))} calls")
    # What Python gives otherwise in another process, as an address, is not compared.
    lines = [(json.loads(go), json.loads(python)) for go, python, again in zip(*results) if python == again]
    differ = [f"{a}\n{b}" for a, b in lines if a != b]
    if differ:
        sys.exit(f"{package}: Go and Python differ in {len(differ)} of {len(lines)} calls:\n" + "\n".join(differ))
    functions = sum(file.read_text().count(" calls the global function `") for file in (module / name).glob("*.go"))
    if len(lines) < functions / 3:
        sys.exit(f"{package}: only {len(lines)} calls of {functions} global functions were generated")
    failed = sum(len(line) > 2 for line, _ in lines)
    same = f"{len(lines)} calls of {functions} global functions give the same in Go and in Python"
    print(f"{package}: {same}, {failed} of them the same error", flush=True)


def module_with_xgrammar(source: str, target: str, library: Path) -> Path:
    """Copy a Go module of this repository, write the package xgrammar into it, vet and build it as `client`."""
    module = WORK / "xgrammar" / target
    shutil.rmtree(module, ignore_errors=True)
    shutil.copytree(ROOT / source, module)
    text = (module / "go.mod").read_text()
    (module / "go.mod").write_text(text[: text.rindex("=>")] + f"=> {ROOT}\n")
    run(TOOL, "bind", "--go", "--all", library, "-o", module / "xgrammar")
    run("go", "vet", "./...", cwd=module)
    run("go", "build", "-o", "client", ".", cwd=module)
    return module


def compare_structured(library: Path) -> Path:
    """Run both programs of examples/structured, compare the masks of the server with Python's, return its module."""
    module = module_with_xgrammar("examples/structured", "structured", library)
    masks = run(module / "client", library)
    if "complete: true" not in masks:
        sys.exit(f"examples/structured printed\n{masks}")
    run("go", "build", "-o", "serve", "./server", cwd=module)
    compare_server(module, library)
    return module


def compare_server(module: Path, library: Path, *tokens: Path) -> None:
    """Compare what the server of examples/structured answers with Python; end this program when anything differs."""
    compare = ROOT / "conformance" / "clients" / "structured_server.py"
    print(run(sys.executable, compare, module / "serve", library, *tokens).strip(), flush=True)


def compare_xgrammar(library: Path) -> None:
    """Run the calls of conformance/clients in Go and in Python; end this program with an error when results differ."""
    calls = module_with_xgrammar("conformance/clients/xgrammar", "calls", library)
    source, native = ROOT / "conformance" / "clients" / "xgrammar_native.cc", calls / "native.so"
    headers = run(sys.executable, ROOT / "scripts" / "tvm_ffi_path.py", "include").strip()
    run("g++", "-std=c++17", "-O1", "-shared", "-fPIC", "-isystem", headers, "-o", native, source)
    go = run(calls / "client", library, native)
    print("xgrammar: a C++ library calls a function and a class of Go with its objects")
    program = ROOT / "conformance" / "clients" / "xgrammar_calls.py"
    for package in ("tvm_ffi", "selfsame_ffi"):
        python = run(sys.executable, program, package, library)
        if go != python:
            lines = [f"{a}\n{b}" for a, b in zip(go.splitlines(), python.splitlines()) if a != b]
            sys.exit(f"xgrammar: Go and Python with {package} differ:\n" + "\n".join(lines))
    print(f"xgrammar: {len(go.splitlines())} results are equal in Go, in Python with tvm_ffi and with selfsame_ffi")
    module = compare_structured(library)
    shipped(module / "client", library)
    compare_server(module, library, tekken())


def tekken() -> Path:
    """Return the file with the tokens of a language model that a package from PyPI has."""
    folder = WORK / "tokens"
    if not folder.exists():
        (wheel,) = download(WORK / "tokens-download", TOKENS)
        unpack(wheel, folder, lambda name: re.search(r"/tekken_\d+\.json$", name) is not None)
    return max(folder.rglob("tekken_*.json"))


def shipped(program: Path, library: Path) -> None:
    """Run a program in a root folder with it, a library, the system's libraries of both, and /tmp, but no /proc."""
    root = WORK / "root"
    shutil.rmtree(root, ignore_errors=True)
    (root / "srv").mkdir(parents=True)
    (root / "tmp").mkdir()
    for file in (program, library):
        shutil.copy(file, root / "srv")
        for needed in re.findall(r"(/\S+) \(0x", run("ldd", file)):
            target = root / needed[1:]
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(needed, target)
    inside = ["/srv/" + program.name, "/srv/" + library.name]
    become = [] if os.geteuid() == 0 else ["unshare", "--map-root-user"]
    out = run(*become, "chroot", root, *inside)
    if "complete: true" not in out or any((root / "tmp").iterdir()):
        sys.exit(f"in a root folder of its own {program} printed\n{out}")
    files = sorted(path.name for path in root.rglob("*") if path.is_file())
    print("examples/structured runs in a root folder that has only", ", ".join(files))


def newcomer() -> None:
    """Do what docs/go-clients.md says, in an empty folder: its commands, then its program."""
    pages = {name: (ROOT / "docs" / name).read_text() for name in ("go-clients.md", "install.md")}
    commands = re.findall(r"```sh\n(.*?)```", pages["go-clients.md"], re.DOTALL)[0]
    program = re.findall(r"```go\n(// Command .*?)```", pages["go-clients.md"], re.DOTALL)
    edits = re.findall(r"^go mod edit .*", pages["install.md"], re.MULTILINE)
    folder = WORK / "newcomer"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "main.go").write_text(program[0])
    script = [commands, *edits, "go mod tidy", "go run . xgrammar/libxgrammar_bindings.so"]
    text = "\n".join(script).replace("=../selfsame", f"={ROOT}")
    pip, tool = Path(sys.executable).parent, Path(TOOL).resolve().parent
    env = {**os.environ, "PATH": f"{tool}:{pip}:{os.environ['PATH']}"}
    told = run("sh", "-e", "-c", text, cwd=folder, env=env)
    if "complete: true" not in told:
        sys.exit(f"docs/go-clients.md, followed, printed\n{told}")
    print("docs/go-clients.md, followed in an empty folder: the program fills its bitmasks")


def main() -> int:
    """Do what the module's documentation says."""
    os.environ["GOWORK"] = "off"  # the modules below build are in no workspace
    rows, failed = [], False
    for package in sys.argv[1:] or list(CLIENTS):
        folder = unpacked("xgrammar" if package == "structured" else package)
        if folder is None:
            failed = True
            continue
        library = folder / CLIENTS["xgrammar"][1][0]
        if package == "structured":
            compare_structured(library)
            continue
        rows.append(built(package, folder))
        if package == "xgrammar":
            compare_xgrammar(library)
            newcomer()
    if rows:
        head = ["package", "classes", "functions and methods", "with types", "no name", "any", "panics"]
        head += ["go build", "program"]
        print(tables.markdown(head, rows), end="")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
