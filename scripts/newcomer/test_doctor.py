"""`selfsame-ffi doctor` as a new user meets it: each of its findings, and what becomes of it when it is mended.

The last test reads the findings in doctor's sources, so that one which no test here provokes makes it fail.
"""

# Requirement: G4

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from scripts.newcomer.findings import Finding, expected_findings
from scripts.newcomer.newcomer import EARLIER, earlier_wheel
from scripts.tools.commands import MODULE, ROOT, VERSION
from scripts.tools.commands import timed as run
from scripts.tools.environments import pip, venv

seen: list[Finding] = []


class Doctor(NamedTuple):
    """The installed tool, and a folder for what the tests make."""

    tool: Path
    env: dict[str, str]
    work: Path

    def examine(self, *arguments: object, cwd: Path | None = None, **changed: str) -> list[Finding]:
        """Doctor's findings with other variables of the environment; an empty one is not set."""
        env = {name: value for name, value in {**self.env, **changed}.items() if value or name == "PATH"}
        command = [self.tool, "doctor", "--json", *map(str, arguments)]
        started = time.monotonic()
        done = subprocess.run(command, env=env, cwd=cwd or self.work, text=True, capture_output=True, timeout=300)
        print(f"{time.monotonic() - started:6.1f} s  doctor {' '.join(map(str, arguments))[:80]}", flush=True)
        told = json.loads(done.stdout)
        findings = [Finding(**{"mend": "", **each}) for each in told["findings"]]
        assert told["healthy"] == all(each.status != "problem" for each in findings)
        assert done.returncode == (0 if told["healthy"] else 1), done.stderr
        seen.extend(findings)
        return findings

    def program(self, name: str, *lines: str) -> Path:
        """A program of the shell in a folder of its own."""
        path = self.work / f"programs{len(list(self.work.iterdir()))}" / name
        path.parent.mkdir()
        path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
        path.chmod(0o755)
        return path

    def module(self, name: str) -> Path:
        """A Go module that `new` made."""
        run(self.tool, "new", name, "--module", f"example.com/{name}", env=self.env, cwd=self.work)
        return self.work / name

    def library(self, name: str, code: str, *flags: object) -> Path:
        """A shared library of C code."""
        path = self.work / f"libraries{len(list(self.work.iterdir()))}" / name
        path.parent.mkdir()
        command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", path, *flags]
        subprocess.run(list(map(str, command)), input=code, text=True, check=True)
        return path


@pytest.fixture(scope="module")
def doctor(folder: Path, env: dict[str, str]) -> Doctor:
    """Away from the environment, so that the tool does not know that environment's Python by its own place."""
    (installed,) = (folder / "venv" / "lib").glob("python*/site-packages/selfsame_ffi/bin/selfsame-ffi")
    (folder / "doctor" / "bin").mkdir(parents=True)
    tool = Path(shutil.copy(installed, folder / "doctor" / "bin"))
    return Doctor(tool, env, folder / "doctor")


def check(findings: list[Finding], name: str, status: str, found: str, mend: str = "") -> None:
    """One of the findings is this."""
    about = [each for each in findings if each.check == name]
    assert any(each.status == status and found in each.found and mend in each.mend for each in about), about
    assert all(each.mend for each in about if each.status == "problem")


def test_healthy_machine(doctor: Doctor) -> None:
    findings = doctor.examine(cwd=doctor.module("healthy"))
    assert [(each.check, each.status) for each in findings] == [
        (name, "ok")
        for name in ("Go", "C compiler", "C++ compiler", "Go module", "Python", "selfsame_ffi", "C++ headers")
    ]
    check(doctor.examine(cwd=ROOT), "Go module", "ok", "is selfsame itself")


def test_missing_programs(doctor: Doctor) -> None:
    empty = str(doctor.tool.parent)
    findings = doctor.examine(PATH=empty, VIRTUAL_ENV="")
    check(findings, "Go", "problem", "the go command was not found in PATH", "put its folder bin into PATH")
    check(findings, "Python", "problem", "no interpreter was found in PATH", "set SELFSAME_PYTHON to one")
    chosen = doctor.examine(
        PATH=empty, VIRTUAL_ENV="", SELFSAME_PYTHON=str(Path(doctor.env["VIRTUAL_ENV"]) / "bin" / "python")
    )
    check(chosen, "selfsame_ffi", "ok", VERSION)


def test_go_that_cannot_be_used(doctor: Doctor) -> None:
    for lines, found, mend in (
        (["echo 'cannot find GOROOT directory' >&2", "exit 2"], "does not run: cannot find GOROOT", "install Go again"),
        (["echo go1.20.3"], "go1.20.3", "install Go 1.24 or later"),
        (["echo 'go: go.mod requires go >= 1.24' >&2", "exit 1"], "requires go >= 1.24", "GOTOOLCHAIN=auto"),
    ):
        before = f"{doctor.program('go', *lines).parent}{os.pathsep}{doctor.env['PATH']}"
        findings = doctor.examine(PATH=before)
        check(findings, "Go", "problem", found, mend)
        assert not any(each.check == "C compiler" for each in findings)


def test_go_that_is_later_than_the_tool(doctor: Doctor) -> None:
    own = shutil.which("go", path=doctor.env["PATH"])
    later = doctor.program("go", f'case "$*" in *GOVERSION*) echo go1.999.0 ;; *) exec "{own}" "$@" ;; esac')
    findings = doctor.examine(PATH=f"{later.parent}{os.pathsep}{doctor.env['PATH']}")
    check(findings, "Go", "warning", "go1.999.0", "build the tool with this Go: ")
    assert any(each.check == "C compiler" for each in findings)


def test_compilers(doctor: Doctor) -> None:
    broken = doctor.program("cc", "echo 'fatal error: stdlib.h: No such file or directory' >&2", "exit 1")
    for value, found in (
        ("no-such-compiler", '"no-such-compiler" was not found in PATH'),
        (" ", "go env {} is empty"),
        (str(broken), "cannot compile a small program: fatal error: stdlib.h"),
    ):
        findings = doctor.examine(CC=value, CXX=value)
        check(findings, "C compiler", "problem", found.format("CC"), "apt-get install gcc libc6-dev")
        check(findings, "C++ compiler", "warning", found.format("CXX"), "building packages does not need it")
    findings = doctor.examine(doctor.work, TMPDIR=str(doctor.work / "gone"))
    check(findings, "C compiler", "warning", "it was not tried")
    check(findings, "library", "problem", "gone", "make room in the folder for temporary files")


def test_zig_serves_where_no_compiler_is(doctor: Doctor) -> None:
    zig = doctor.program("zig", "echo 0.15.2")
    (zig.parent / "go").symlink_to(str(shutil.which("go", path=doctor.env["PATH"])))
    findings = doctor.examine(PATH=str(zig.parent), CC="", CXX="")
    check(findings, "C compiler", "ok", "that of zig, as")


def test_clone_of_another_user(doctor: Doctor) -> None:
    git = doctor.program("git", "echo 'fatal: detected dubious ownership in repository' >&2", "exit 128")
    findings = doctor.examine(cwd=ROOT, PATH=f"{git.parent}{os.pathsep}{doctor.env['PATH']}")
    check(findings, "Go module", "warning", "belongs to another user", "--add safe.directory")


def test_packages_beside_it(doctor: Doctor) -> None:
    """Packages that get on badly, of which doctor reads what is written about them."""
    beside = doctor.work / "beside"
    for name, version, needs in (
        ("apache-tvm-ffi", "0.1.16", ""),
        ("apache-tvm", "0.27.0", ""),
        ("torch", "2.4.0", ""),
        ("memray", "1.19.0", ""),
        ("early", "1.0", "apache-tvm-ffi<0.1.10"),
        ("late", "2.0", "apache-tvm-ffi>=0.1.15"),
    ):
        told = beside / f"{name.replace('-', '_')}-{version}.dist-info" / "METADATA"
        told.parent.mkdir(parents=True)
        required = f"Requires-Dist: {needs}\n" if needs else ""
        told.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{required}")
    (beside / "torch").mkdir()
    (beside / "torch" / "_tensor.py").write_text("class Tensor: ...\n")
    findings = doctor.examine(PYTHONPATH=str(beside))
    check(findings, "packages", "warning", "no release serves both", "keep one of the two")
    check(findings, "packages", "warning", "early 1.0 requires apache-tvm-ffi<0.1.10, and this Python has 0.1.16")
    check(findings, "apache-tvm-ffi", "warning", "copy.copy and pickle of an expression of apache-tvm 0.27.0")
    check(findings, "torch", "warning", "torch 2.4.0 has no C exchange of tensors")
    check(findings, "memray", "warning", "memray 1.19.0 counts address space")


def test_modules_that_fix_mends(doctor: Doctor) -> None:
    """Each is a problem that `doctor --fix` mends."""
    forgotten, unsummed, vendored = map(doctor.module, ("forgotten", "unsummed", "vendored"))
    run("go", "mod", "edit", f"-droprequire={MODULE}", env=doctor.env, cwd=forgotten)
    (unsummed / "go.sum").unlink()
    run("go", "mod", "vendor", env=doctor.env, cwd=vendored)
    shutil.rmtree(vendored / "vendor" / MODULE / "abi" / "include")
    for module, found, mend in (
        (forgotten, f"does not require {MODULE}", "run `go mod tidy` in"),
        (unsummed, "missing go.sum entry for module providing package " + MODULE, "run `go mod tidy` in"),
        (vendored, "does not fit go.mod", "run `go mod vendor` in"),
    ):
        check(doctor.examine(cwd=module), "Go module", "problem", found, mend)
        check(doctor.examine("--fix", cwd=module), "Go module", "ok", f"requires selfsame v{VERSION}")
        run("go", "list", "-deps", "./...", env=doctor.env, cwd=module)


def mend(doctor: Doctor, findings: list[Finding], name: str, **changed: str) -> None:
    """Run the commands that a finding names, in the folder that it names."""
    (finding,) = (each for each in findings if each.check == name)
    place = finding.mend.rpartition("` in ")[2] if "` in " in finding.mend else doctor.work
    commands = re.findall("`(.+?)`", finding.mend)
    assert finding.mend.startswith("run `") and commands
    for command in commands:
        run(*shlex.split(command), env={**doctor.env, **changed}, cwd=Path(place))


def test_modules_that_the_user_mends(doctor: Doctor) -> None:
    plain = doctor.work / "plain"
    plain.mkdir()
    run("go", "mod", "init", "example.com/plain", env=doctor.env, cwd=plain)
    findings = doctor.examine(cwd=plain)
    check(findings, "Go module", "problem", f"does not require {MODULE}", f"run `go get {MODULE}` in {plain}")
    mend(doctor, findings, "Go module")
    check(doctor.examine(cwd=plain), "Go module", "ok", f"requires selfsame v{VERSION}")

    older = doctor.module("older")
    run("go", "get", f"{MODULE}@v{EARLIER}", env=doctor.env, cwd=older)
    findings = doctor.examine(cwd=older)
    check(findings, "Go module", "warning", f"requires selfsame v{EARLIER}, and this is selfsame-ffi {VERSION}")
    mend(doctor, findings, "Go module")
    check(doctor.examine(cwd=older), "Go module", "ok", f"requires selfsame v{VERSION}")

    unknown = doctor.module("unknown")
    run("go", "mod", "edit", f"-require={MODULE}@v0.0.1", env=doctor.env, cwd=unknown)
    findings = doctor.examine(cwd=unknown)
    check(findings, "Go module", "problem", "requires a version of selfsame that the go command does not find: ")
    mend(doctor, findings, "Go module")
    check(doctor.examine(cwd=unknown), "Go module", "ok", f"requires selfsame v{VERSION}")
    (unknown / "go.mod").write_text("modul example.com/unknown\n")
    check(doctor.examine(cwd=unknown), "Go module", "problem", "cannot read go.mod: ", f"correct {unknown / 'go.mod'}")

    workspace = doctor.work / "workspace"
    workspace.mkdir()
    (workspace / "go.work").write_text("go 1.24.0\n")
    unlisted = workspace / "unlisted"
    doctor.module("unlisted").rename(unlisted)
    says = f"is below the workspace {workspace / 'go.work'}, which does not list it"
    check(
        doctor.examine(cwd=unlisted),
        "Go module",
        "problem",
        says,
        f"run `go work use .` in {unlisted}, or set GOWORK=off",
    )
    check(doctor.examine(cwd=unlisted, GOWORK="off"), "Go module", "ok", f"requires selfsame v{VERSION}")
    run("go", "work", "use", ".", env=doctor.env, cwd=unlisted)
    check(doctor.examine(cwd=unlisted), "Go module", "ok", f"requires selfsame v{VERSION}")

    replaced = doctor.module("replaced")
    for path, status, found in (
        ("/gone", "problem", "replaces selfsame by /gone"),
        ("../gone", "problem", "replaces selfsame by ../gone"),
        (ROOT, "ok", f"from {ROOT}"),
    ):
        run("go", "mod", "edit", f"-replace={MODULE}={path}", env=doctor.env, cwd=replaced)
        check(doctor.examine(cwd=replaced), "Go module", status, found)


def test_interpreters(doctor: Doctor) -> None:
    for lines, found, advice in (
        (["echo 'cannot open libpython3.so' >&2", "exit 127"], "does not run: cannot open", "choose another"),
        (["echo '{\"python\": [3, 8, 18]}'"], "is Python 3.8", "choose Python 3.9 or later"),
    ):
        check(doctor.examine("--python", doctor.program("python", *lines)), "Python", "problem", found, advice)


def test_python_package(doctor: Doctor, folder: Path) -> None:
    python = venv(doctor.work / "venv") / "python"
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder / "wheels"), "VIRTUAL_ENV": str(doctor.work / "venv")}
    findings = doctor.examine(**offline)
    check(findings, "selfsame_ffi", "problem", "this Python does not have it", "-m pip install")
    mend(doctor, findings, "selfsame_ffi", **offline)
    check(doctor.examine(**offline), "selfsame_ffi", "ok", VERSION)

    pip("install", "--no-deps", earlier_wheel(folder), python=python, env={**doctor.env, **offline})
    findings = doctor.examine(**offline)
    check(findings, "selfsame_ffi", "problem", f"version {EARLIER}, and this tool is of {VERSION}", "--upgrade")
    check(findings, "C++ headers", "warning", "selfsame/c_api.h was not found", "Go packages do not need the headers")
    mend(doctor, findings, "selfsame_ffi", **offline)
    findings = doctor.examine(**offline)
    check(findings, "selfsame_ffi", "ok", VERSION)
    check(findings, "C++ headers", "ok", "include")


def test_package_that_another_hides(doctor: Doctor) -> None:
    hidden = doctor.work / "hidden"
    hidden.mkdir()
    (hidden / "selfsame_ffi.py").write_text("raise RuntimeError('half installed')\n")
    findings = doctor.examine(PYTHONPATH=str(hidden))
    check(findings, "selfsame_ffi", "problem", "cannot be imported: RuntimeError: half installed", "-m pip install")

    changed = doctor.work / "changed"
    changed.mkdir()
    at_start = changed / "sitecustomize.py"
    at_start.write_text("from selfsame_ffi import _core\n_core.abi_version = lambda: (0, 0, 7)\n")
    findings = doctor.examine(PYTHONPATH=str(changed))
    check(findings, "selfsame_ffi", "problem", "its runtime has the C ABI 0.0.7", "-m pip install")
    at_start.write_text("from selfsame_ffi import libinfo\nlibinfo.find_libtvm_ffi = lambda: '/gone.so'\n")
    library = doctor.library("x.so", "int f(void) { return 0; }")
    findings = doctor.examine(library, PYTHONPATH=str(changed))
    check(findings, "library's C ABI", "warning", "the runtime's functions cannot be read: ")


def test_libraries(doctor: Doctor) -> None:
    plain = "int f(void) { return 0; }\n"
    entry = '__attribute__((visibility("default"))) '
    extension = entry + "int SelfsameExtensionInit(void) { return 0; }\n"
    needy = "int other(void);\nint f(void) { return other(); }\n"
    runtime = doctor.library("libtvm_ffi.so", plain, "-Wl,-soname,libtvm_ffi.so")
    other = doctor.library("libother.so", "int other(void) { return 0; }", "-Wl,-soname,libother.so")
    nameless = doctor.library("libother.so", "int other(void) { return 0; }")
    script = doctor.work / "versions"
    script.write_text("GLIBC_2.999 { global: other; };\n")
    newer = doctor.library(
        "libc.so.6",
        "int other(void) { return 0; }",
        "-nostdlib",
        "-Wl,-soname,libc.so.6",
        f"-Wl,--version-script={script}",
    )
    linked = ["-x", "none"]
    foreign = doctor.library("x.so", plain)
    data = bytearray(foreign.read_bytes())
    data[18:20] = (243).to_bytes(2, "little")  # the machine of an ELF file: RISC-V
    foreign.write_bytes(data)
    text = doctor.work / "text.so"
    text.write_text("no library")
    for path, name, found, advice in (
        (doctor.work / "gone.so", "library", "no such file", "give the path of a shared library"),
        (text, "library", "is no shared library", "was built for Linux"),
        (foreign, "library", "is for Linux on riscv", "--target"),
        (
            doctor.library("_x.so", extension + entry + "const int SelfsameExtensionABI[3] = {9, 8, 7};"),
            "library's C ABI",
            "it was compiled for the C ABI 9.8.7",
            "update selfsame-ffi, or build it again",
        ),
        (
            doctor.library("x.so", "int TVMFFINew(void);\nint f(void) { return TVMFFINew(); }"),
            "library's C ABI",
            "does not have: TVMFFINew",
            "compile it with headers of tvm-ffi",
        ),
        (
            doctor.library("x.so", plain, "-Wl,-soname,libtvm_ffi.so"),
            "library's SONAME",
            "it is libtvm_ffi.so, the name of the runtime",
            "link it with -Wl,-soname,x.so",
        ),
        (
            doctor.library("_x.so", extension, "-Wl,--no-as-needed", *linked, runtime),
            "library's NEEDED",
            "is linked to libtvm_ffi.so",
            "build it again",
        ),
        (doctor.library("x.so", needy, *linked, nameless), "library's NEEDED", "at that path only", "a SONAME"),
        (doctor.library("x.so", needy, *linked, other), "library's NEEDED", "needs libother.so", "-Wl,-rpath"),
        (
            doctor.library("x.so", needy, *linked, newer),
            "library's glibc",
            "it needs glibc 2.999",
            "--target manylinux",
        ),
    ):
        check(doctor.examine(path), name, "problem", found, advice)
    found_by_path = doctor.library("x.so", needy, *linked, other, f"-Wl,-rpath,{other.parent}")
    check(doctor.examine(found_by_path), "library", "ok", "is a library that fits this machine")
    check(doctor.examine(doctor.library("_x.so", extension)), "library", "ok", "is an extension that fits")


def test_built_packages(doctor: Doctor, folder: Path) -> None:
    shop = doctor.module("shop")
    for options in ([], ["--runtime", "tvm-ffi"]):
        run(doctor.tool, "build", ".", *options, env=doctor.env, cwd=shop)
        package = shop / "build" / "shop"
        if options:
            findings = doctor.examine(package, cwd=shop)
            check(
                findings, "library's Python package", "problem", "tvm_ffi, which cannot be imported", "apache-tvm-ffi"
            )
            failed = run("python", "-c", "import shop", env=doctor.env, cwd=package.parent, fails=True)
            assert "ModuleNotFoundError: shop needs apache-tvm-ffi, and this Python does not have it; run `" in failed
            continue
        check(doctor.examine(package, cwd=shop), "library", "ok", "is an extension that fits")
        python = venv(doctor.work / "without") / "python"
        failed = run(python, "-c", "import shop", env=doctor.env, cwd=package.parent, fails=True)
        assert f"ModuleNotFoundError: shop needs selfsame-ffi {VERSION} or later, and this Python does not" in failed
        pip("install", "--no-deps", earlier_wheel(folder), python=python, env=doctor.env)
        failed = run(python, "-c", "import shop", env=doctor.env, cwd=package.parent, fails=True)
        assert f" needs selfsame-ffi {VERSION} or later, and this Python has {EARLIER}; run `" in failed
        findings = doctor.examine("--python", python, package, cwd=shop)
        check(
            findings, "library's Python package", "problem", f"this Python has {EARLIER}", f"'selfsame-ffi>={VERSION}'"
        )


def test_text_says_how_to_mend(doctor: Doctor) -> None:
    told = run(doctor.tool, "doctor", env={**doctor.env, "CC": "no-such-compiler"}, cwd=doctor.work, fails=True)
    assert 'problem  C compiler: "no-such-compiler" was not found in PATH\n         to mend it: install a C' in told
    assert "ok       Python: " in told


def test_every_finding_was_provoked() -> None:
    expected = expected_findings(ROOT / "cmd" / "selfsame-ffi" / "internal" / "doctor")
    assert len(expected) > 35
    missing = [each for each in expected if not any(each.fits(finding) for finding in seen)]
    assert not missing, "\n".join(map(str, missing))
