"""Runs upstream's C++ and Python tests on a package folder, and reads what became of each."""

from __future__ import annotations

import json
import os
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

# The result of each test by its name: "passed", "failed" or "skipped".
Results = dict[str, str]

MAKEFILE = """\
SOURCES := $(wildcard {tests}/*.cc {tests}/extra/*.cc)
OBJECTS := $(patsubst {tests}/%.cc,{folder}/%.o,$(SOURCES))
{folder}/suite: $(OBJECTS)
\t@$(CXX) -o $@ $^ -L{libraries} -ltvm_ffi -ltvm_ffi_testing -lgtest -lgtest_main -pthread -ldl
{folder}/%.o: {tests}/%.cc
\t@mkdir -p $(dir $@); echo "  $(notdir $<)"
\t@$(CXX) -std=c++17 -O0 -w -I{source}/include -I{source}/3rdparty/dlpack/include -I{tests} -c -o $@ $<
"""


def build_cpp(folder: Path, source: Path, package: Path) -> Path:
    """The C++ tests of the source distribution as one program, linked to the package's libraries."""
    if not any(Path(place, "gtest/gtest.h").exists() for place in ("/usr/include", "/usr/local/include")):
        raise SystemExit("googletest is not installed; on Debian or Ubuntu:  apt-get install libgtest-dev")
    objects = folder / f"cpp-{source.name}"
    objects.mkdir(parents=True, exist_ok=True)
    libraries = package / "tvm_ffi" / "lib"
    text = MAKEFILE.format(tests=source / "tests" / "cpp", folder=objects, source=source, libraries=libraries)
    (objects / "Makefile").write_text(text)
    print("compiling the C++ tests", flush=True)
    jobs = str(os.cpu_count() or 1)
    subprocess.run(["make", "-s", "-j", jobs, "-f", str(objects / "Makefile"), str(objects / "suite")], check=True)
    return objects / "suite"


def run_cpp(program: Path, package: Path) -> Results:
    """The results of the C++ tests on the package's library, as "Suite.Test"."""
    report = program.with_name("results.json")
    report.unlink(missing_ok=True)
    environment = {**os.environ, "LD_LIBRARY_PATH": str(package / "tvm_ffi" / "lib")}
    command = [str(program), f"--gtest_output=json:{report}", "--gtest_brief=1"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if not report.exists():
        raise SystemExit(f"the C++ tests ended with status {done.returncode}:\n{done.stdout[-4000:]}")
    program.with_name("output.txt").write_text(done.stdout)
    return read_gtest(json.loads(report.read_text()))


def read_gtest(report: dict) -> Results:
    """The results in googletest's JSON report."""
    results = {}
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            skipped = test.get("result") == "SKIPPED" or test.get("status") == "NOTRUN"
            result = "failed" if test.get("failures") else "skipped" if skipped else "passed"
            results[f"{suite['name']}.{test['name']}"] = result
    return results


def run_python(folder: Path, source: Path, python: Path, package: Path) -> Results:
    """The results of the Python tests on the package, as "file.py::test[case]"."""
    report = folder / f"{package.name}.xml"
    report.unlink(missing_ok=True)
    environment = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["TVM_FFI_CACHE_DIR"] = str(folder / f"cache-{package.name}")
    environment["PATH"] = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", "900", f"--junitxml={report}"]
    done = subprocess.run(
        [*command, "tests/python"],
        cwd=source,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    (folder / f"{package.name}.txt").write_text(done.stdout)
    if not report.exists():
        raise SystemExit(f"the Python tests ended with status {done.returncode}:\n{done.stdout[-4000:]}")
    return read_junit(ElementTree.parse(report).getroot())


def read_junit(root: ElementTree.Element) -> Results:
    """The results in pytest's JUnit report. An expected failure counts as skipped."""
    results = {}
    for case in root.iter("testcase"):
        kinds = {child.tag for child in case}
        name = f"{case.get('classname', '').removeprefix('tests.python.')}::{case.get('name')}"
        results[name] = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
    return results
