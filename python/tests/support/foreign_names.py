"""Hostile names, comments and metadata: a library that registers them, and the emitters that write code of them.

Each text tries to get out of its place: a name into code, a comment out of its line, a literal out of its quotes. Its
statement creates the file CANARY, or is an error for a compiler. So what an emitter wrote is imported or compiled, and
the canary must not be there.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import origins
from native_build import compiler_environment, headers
from repository import FIXTURES, ROOT

SOURCE = FIXTURES / "foreign" / "foreign.c"

#: The canary of each language: a statement that would run or fail.
CANARIES = {
    "python": "open(__import__('os').environ['CANARY'], 'w').close()",
    "cpp": 'static_assert(false, "canary"); struct canary {};',
    "rust": 'compile_error!("canary");',
    "go": "func init() { canary() }",
}

#: Texts of each class, around a statement.
AROUND = (
    "{}",
    "x\n{}\n",
    "x\r{}\r#",
    "x: int\n{}\ny",
    "x; {}; y",
    "__a__(self) -> int: ...\n\n{}\n\nif 1:\n    def __b__",
    "__a(self) -> int: ...\n{}\n#__",
    "a(self): pass\n{}\n",
    "C:\n  pass\n{}\n#",
    '"""\n{}\n"""',
    "'''\n{}\n'''",
    '")\n{}\n("',
    "')\n{}\n('",
    '\\"\n{}\n"',
    "x\\\n{}",
    "x??/\n{}",
    "*/ {} /*",
    "*/\n{}\n/*",
    "--> {}",
    "`\n{}\n`",
    "```\n{}\n```",
    "{{{{ {} }}}}",
    "${{{}}}",
    "%({})s",
    "f'{{{}}}'",
    "</script><script>{}</script>",
    "int; {} #",
    "tvm-ffi-stubgen(end)\n{}\n# tvm-ffi-stubgen(begin): import-section",
    "# tvm-ffi-stubgen(end)\n{}",
    "// tvm-ffi-stubgen(end)\n{}",
    "\u2028{}\u2029",
    "\x0b{}\x0c",
    "\x1c{}\x85",
)
#: Texts that are hostile by themselves: keywords, hooks, what Python reads otherwise, what acts or is seen by nobody.
ALONE = (
    *"class def None self Self crate fn type operator int func import _ __ base property setattr vars x-y 1x".split(),
    *"__getattr__ __del__ __class__ __slots__ __init_subclass__ __dir__ __all__ __path__ __FILE__ _Pragma __x".split(),
    *"__init__ __ffi_init__ __len__ __eq__ __1__ a.b Add print größe 名".split(),
    *("\uff21dd", "\ufb01eld", "\uff43lass", "\uff3f_getattr__", "\u2102", "x\u00b2", "a\u0301", "\u212a", "", " "),
    *(
        "\u202egnp.exe",
        "a\u2066b\u2069",
        "\u200fmark",
        "\ufeffbom",
        "no\u200bwidth",
        "\u3164",
        "a\u115f",
        "tag\U000e0041",
    ),
    *("\U000e0100x", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b2J", "\x00", "a\x00b", "\x7f", "\x80"),
    *("\r", "\n", "\t", "x\\", 'x"', "x'", '""""', "\\", "# fmt: off", "type: ignore", "-*- coding: utf-7 -*-"),
    "go:build ignore\n\n//go:embed x\n+build ignore\n//export y\n#cgo LDFLAGS: -lx",
)


def texts(statement: str, seed: int = 0) -> list[str]:
    """The texts of the corpus around a statement; with a seed, as many that are mixed of their parts."""
    corpus = [*(around.format(statement) for around in AROUND), *ALONE]
    if not seed:
        return corpus
    source = random.Random(seed)
    parts = [*AROUND, *ALONE, *"\n\r\"'\\`#/*;:(){}[]<>=,. \t"]

    def mixed() -> str:
        chosen = [source.choice(parts) for _ in range(source.randrange(1, 5))]
        return "".join(chosen).replace("{}", statement)

    return [mixed() for _ in corpus]


def _schema(name: str, *args: object) -> dict:
    return {"type": name, "args": list(args)} if args else {"type": name}


def _metadata(schema: object, **more: object) -> str:
    return json.dumps({"type_schema": json.dumps(schema), **more})


def _row(number: int, **given: str) -> list[str]:
    key = given.get("key", f"Class{number}")
    of_method = _schema("ffi.Function", _schema("int"), _schema(f"foreign.{key}"), _schema("int"))
    plain = {
        "key": f"foreign.{key}",
        "field": "x",
        "method": "m",
        "doc": "A doc.",
        "metadata": _metadata(_schema("int")),
        "of_method": _metadata(of_method, arg_names=["value"], arg_defaults=["0"]),
        "function": f"foreign.{given.pop('short', f'f{number}')}",
        "parent": "0",
    }
    return list({**plain, **given, "key": plain["key"]}.values())


def rows(statement: str, seed: int = 0) -> list[list[str]]:
    """One class and one function for each text and each place where it may be."""
    made: list[list[str]] = []
    for text in texts(statement, seed):
        kind = text or "x"  # a schema names a type
        record = {
            "key": f"record.{text}R",
            "doc": text,
            "fields": [{"name": text, "type_schema": '{"type": "int"}', "doc": text}],
        }
        typed = _schema(
            "ffi.Function",
            _schema(kind),
            _schema("ffi.Object"),
            _schema(f"record.{text}R"),
            _schema("Optional", _schema(kind, _schema("int"))),
        )
        places = (
            {"key": text, "parent": "1"},
            {"field": text},
            {"method": text},
            {"short": text},
            {"doc": text},
            {"metadata": _metadata(_schema(kind), doc=text)},
            {"metadata": _metadata(_schema("ffi.Array", _schema(f"foreign.{text}")))},
            {"of_method": _metadata(typed, arg_names=[text, text], arg_defaults=["", text], property=text, doc=text)},
            {"of_method": _metadata(typed, records=[record], variadic=True)},
            {"key": f"{text}.Inner", "short": f"{text}.inner"},
        )
        made += [_row(len(made) + i, **place) for i, place in enumerate(places)]
    return made


def table(made: list[list[str]]) -> str:
    """The file that the library reads."""
    return "".join(" ".join(word.encode("utf-8", "surrogatepass").hex() for word in row) + "\n" for row in made)


def library(folder: Path) -> Path:
    """The library, built in a folder."""
    compiler = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise RuntimeError("the tests need a C compiler: install gcc, or set CC")
    made = folder / "libforeign.so"
    command = [compiler, "-std=gnu11", "-O1", "-shared", "-fPIC", f"-I{headers()}", str(SOURCE), "-o", str(made)]
    subprocess.run(command, check=True, env=compiler_environment())
    return made


#: Prints the header of all types whose layout is known.
_LAYOUTS = """
import ctypes, sys
import selfsame_ffi
from selfsame_ffi.dataclasses import gen_abi_cpp
from selfsame_ffi.registry import get_registered_type_keys
library = ctypes.CDLL(sys.argv[1])
known = []
for key in sorted(str(key) for key in get_registered_type_keys() if str(key).startswith("foreign.")):
    pattern = "".join(f"[{sign}]" if sign in "*?[" else sign for sign in key)
    try:
        gen_abi_cpp(pattern)
    except ValueError:
        continue
    known.append(pattern)
print(gen_abi_cpp(known))
"""


class Emitters:
    """Writes code of a library's names in each language, in a folder, and tries it."""

    def __init__(self, folder: Path, seed: int = 0, step: int = 1) -> None:
        self.folder, self.seed, self.step = folder, seed, step  # step: only every so many of the places are tried
        self.canary, self.names = folder / "canary", folder / "names"
        self.library = library(folder)
        self.environment = {
            **os.environ,
            "FOREIGN_NAMES": str(self.names),
            "CANARY": str(self.canary),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def register(self, language: str) -> None:
        """Have the library register the texts with the canary of a language."""
        self.names.write_text(table(rows(CANARIES[language], self.seed)[:: self.step]), encoding="ascii")

    def run(self, *command: object, fails: bool = False, **options: object) -> str:
        """What a command printed. It must succeed, show nothing hidden, and leave no canary."""
        done = subprocess.run(
            list(map(str, command)), capture_output=True, timeout=1800, env=self.environment, check=False, **options
        )
        printed = (done.stdout + done.stderr).decode("utf-8", "replace")
        assert fails or done.returncode == 0, f"{command}: {printed[-3000:]}"
        check_hidden(str(command), printed)
        assert not self.canary.exists(), f"{command} ran a statement that a name or a text has"
        return done.stdout.decode("utf-8")

    def bind(self, language: str, *more: object) -> str:
        return self.run(origins.tool(), "bind", f"--{language}", self.library, "--name", "foreign", *more)

    def try_python(self) -> None:
        """The module of `bind --python` is imported, and has nothing but declarations."""
        self.register("python")
        text = self.bind("python")
        check_hidden("bind --python", text)
        check_python("bind --python", text)
        module = self.folder / "module"
        module.mkdir()
        (module / "foreign.py").write_text(text, encoding="utf-8")
        shutil.copy(self.library, module)
        self.run(sys.executable, "-c", "import foreign; assert len(dir(foreign)) > 100", cwd=module)

    def try_stubs(self) -> None:
        """The stubs in Python are imported as a package."""
        self.register("python")
        package = self.folder / "stubs"
        init = ("--init-pypkg", "dist", "--init-lib", "lib", "--init-prefix", "foreign")
        self.run(sys.executable, "-m", "selfsame_ffi.stub.cli", "--dlls", self.library, *init, package, fails=True)
        found = sorted(package.rglob("*.py"))
        assert len(found) >= 2
        for file in found:
            text = file.read_text(encoding="utf-8")
            check_hidden(str(file), text)
            check_python(str(file), text)
        program = (
            "import sys, ctypes, selfsame_ffi\n"
            "selfsame_ffi.install_as_tvm_ffi()\n"
            "import tvm_ffi.libinfo\n"
            "library = ctypes.CDLL(sys.argv[1])\n"
            "tvm_ffi.libinfo.load_lib_module = lambda *names: library\n"
            "import foreign\n"
            "assert len(dir(foreign)) > 100\n"
        )
        self.run(sys.executable, "-c", program, self.library, cwd=package)

    def try_rust(self) -> None:
        """The module of `bind --rust` and the stubs in Rust are read by rustc."""
        self.register("rust")
        self.check_rust("bind --rust", self.bind("rust"))
        init = ("--init-pypkg", "dist", "--init-lib", "lib", "--init-prefix", "foreign")
        crate = self.folder / "crate"
        (crate / "src").mkdir(parents=True)
        (crate / "Cargo.toml").write_text("[package]\nname = 'foreign'\n")
        command = (sys.executable, "-m", "selfsame_ffi.stub.cli", "--target", "rust", "--dlls", self.library)
        self.run(*command, *init, crate / "src", fails=True)
        for file in sorted(crate.rglob("*.rs")):
            self.check_rust(str(file), file.read_text(encoding="utf-8"))

    def check_rust(self, where: str, text: str) -> None:
        check_hidden(where, text)
        if shutil.which("rustc"):
            read = ["rustc", "--edition", "2021", "--crate-type", "lib", "-Zunpretty=normal", "-"]
            environment = {**self.environment, "RUSTC_BOOTSTRAP": "1"}
            environment.pop("LD_PRELOAD", None)  # of the sanitizers, with which rustc ends
            done = subprocess.run(read, input=text.encode(), capture_output=True, check=False, env=environment)
            assert done.returncode == 0, f"{where}: {done.stderr.decode()[:3000]}"
        code = without_texts(text)
        assert "compile_error!" not in code and "struct canary" not in code, where

    def try_cpp(self) -> None:
        """The header of `bind --cpp` is compiled."""
        self.register("cpp")
        text = self.bind("cpp")
        check_hidden("bind --cpp", text)
        self.compile_cpp("foreign.hpp", text)
        header = self.run(sys.executable, "-c", _LAYOUTS, self.library)
        check_hidden("gen_abi_cpp", header)
        assert header.count("struct alignas") > 100
        self.compile_cpp("layouts.hpp", header)

    def compile_cpp(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")
        program = (
            f'#include "{name}"\nnamespace foreign {{ int canary; }}\nint canary;\n'  # errors beside a struct canary
        )
        compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
        command = [
            compiler,
            "-std=c++17",
            "-fsyntax-only",
            "-w",
            f"-I{headers()}",
            f"-I{self.folder}",
            "-x",
            "c++",
            "-",
        ]
        self.run(*command, input=program.encode())

    def try_go(self) -> None:
        """The package of `bind --go` is compiled beside a func canary that it must not call."""
        self.register("go")
        package = self.folder / "go"
        self.bind("go", "-o", package)
        for file in package.glob("*.go"):
            text = file.read_text(encoding="utf-8")
            check_hidden(str(file), text)
            assert "func init() { canary() }" not in without_texts(text), file
        module = "module example.com/foreign\n\ngo 1.24.0\n\nrequire github.com/selfsame-ffi/selfsame v0.0.0\n\n"
        (package / "go.mod").write_text(module + f"replace github.com/selfsame-ffi/selfsame => {ROOT}\n")
        self.environment.update(GOWORK="off", GOFLAGS="-mod=mod", CGO_ENABLED="1")
        self.run("go", "vet", "./...", cwd=package)

    def try_text(self) -> None:
        """Listings on a terminal, and JSON."""
        self.register("python")
        tool = origins.tool()
        check_hidden("inspect", self.run(tool, "inspect", self.library))
        listed = self.run(tool, "inspect", "--json", self.library)
        check_hidden("inspect --json", listed)
        assert len(json.loads(listed)["classes"]) > 100

    def try_all(self) -> None:
        for trial in (self.try_text, self.try_python, self.try_stubs, self.try_rust, self.try_cpp, self.try_go):
            trial()


def check_hidden(where: str, text: str) -> None:
    """Fail for a character that acts instead of being shown, or that nobody sees."""
    from selfsame_ffi._debug.shown import HIDDEN

    found = HIDDEN.search(text.replace("\n", "").replace("\t", ""))
    assert found is None, f"{where}: U+{ord(found[0]):04X} in {found.string[max(found.start() - 60, 0) :][:120]!r}"


def check_python(where: str, text: str) -> None:
    """Fail for a module with a call that only a hostile text has."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    assert not any(isinstance(each.func, ast.Name) and each.func.id in ("open", "canary") for each in calls), where


def without_texts(text: str) -> str:
    """Code of Rust or Go without its line comments and without what is between its quotes."""
    return re.sub(r'//[^\n]*|"(?:[^"\\]|\\.)*"', '""', text)


@contextlib.contextmanager
def emitters(seed: int = 0) -> Iterator[Emitters]:
    """The emitters for the texts of a seed, in a folder that goes at the end."""
    with tempfile.TemporaryDirectory(prefix="selfsame-names-") as folder:
        yield Emitters(Path(folder), seed)
