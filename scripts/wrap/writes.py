"""Calls what writes an argument in the standard library's packages, from Python and from Go, and compares.

Usage: python3 -m scripts.wrap.writes TOOL FOLDER [PACKAGE...]

The packages are wrapped and built below FOLDER. What the generated code takes as an argument that is written is
called: with a list, and with a buffer where the argument is one of numbers or bytes. A Go program makes the same calls.
Both must agree on the results, on failures, and on what the argument has afterwards.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap
from typing import Any

from scripts.tools.commands import ROOT, run

PACKAGES = (
    "sort slices maps strconv io bufio math/rand container/heap container/list container/ring encoding/hex "
    "encoding/base64 encoding/base32 encoding/binary encoding/ascii85 encoding/json encoding/csv encoding/xml "
    "encoding/gob encoding/pem encoding/asn1 crypto/aes crypto/des crypto/rc4 crypto/cipher crypto/rand crypto/subtle "
    "crypto/hmac crypto/md5 crypto/sha1 crypto/sha256 crypto/sha512 hash/adler32 hash/crc32 hash/crc64 hash/fnv "
    "hash/maphash compress/gzip compress/flate compress/zlib compress/lzw compress/bzip2 unicode/utf8"
).split()
NAME = "writes"

FUNC = re.compile(r'"writes\.(\w+)", func\((.*)\) (\S.*|)\{$')
METHOD = re.compile(r'"(\w+)", func\(o \*(\w+), (.*)\) (\S.*|)\{$')
CALL = re.compile(r"\b(go\w+|o\.Go\(\))\.(\w+)(\[[^\n(]*\])?\((a\d.*)\)$", re.MULTILINE)
WRAPPED = re.compile(r"type (\w+) struct \{[^}]*?gen\.Wrapped\[\*?([\w.]+)\]")
WRITTEN = re.compile(r"gen\.(Written|MaybeWritten|WrittenCopy)\[(.*)\]$")
# Their results are random: only that something changed is compared.
RANDOM = {"gorand.Read", "gorand2.Read"}
BLOCK = ('must(goaes.NewCipher([]byte("0102030405060708")))', 'writes.aes.new_cipher(b"0102030405060708")')
VECTOR = ('[]byte("0807060504030201")', 'b"0807060504030201"')
# Each type with its value in Go and in Python; of the parameters that are written, and of the others.
TO = {"[]byte": ("make([]byte, 64)", "bytearray(64)")}
VALUES = {
    "[]byte": ('[]byte("0102030405060708")', 'b"0102030405060708"'),
    "[]int": ("[]int{3, 1, 2}", "[3, 1, 2]"),
    "[]float64": ("[]float64{3, 1.5, 2}", "[3.0, 1.5, 2.0]"),
    "[]string": ('[]string{"c", "a", "b"}', '["c", "a", "b"]'),
    "[]any": ("[]any{3, 1, 2}", "[3, 1, 2]"),
    "[]rune": ("[]rune{3, 1, 2}", "[3, 1, 2]"),
    "[]int32": ("[]int32{3, 1, 2}", "[3, 1, 2]"),
    "[]int64": ("[]int64{3, 1, 2}", "[3, 1, 2]"),
    "[]uint64": ("[]uint64{3, 1, 2}", "[3, 1, 2]"),
    "[]bool": ("[]bool{true, false}", "[True, False]"),
    "map[string]int": ('map[string]int{"a": 1, "b": 2}', '{"a": 1, "b": 2}'),
    "map[any]any": ('map[any]any{"a": 1, "b": 2}', '{"a": 1, "b": 2}'),
    "int": ("2", "2"),
    "int64": ("1", "1"),
    "uint64": ("1", "1"),
    "uint32": ("1", "1"),
    "uint16": ("1", "1"),
    "byte": ("7", "7"),
    "rune": ("97", "97"),
    "int32": ("97", "97"),
    "float64": ("1.5", "1.5"),
    "bool": ("true", "True"),
    "string": ('"01"', '"01"'),
    "any": ("9", "9"),
    "[][]string": ('[][]string{{"a", "b"}}', '[["a", "b"]]'),
    "goio.Reader": (
        'struct{ goio.Reader }{bytes.NewReader([]byte("0102030405060708"))}',
        'io.BytesIO(b"0102030405060708")',
    ),
    "goio.Writer": ("struct{ goio.Writer }{goio.Discard}", "io.BytesIO()"),
    "gobinary.ByteOrder": ("gobinary.LittleEndian", "writes.binary.little_endian"),
    "gocipher.Block": BLOCK,
}
CALLBACKS = {
    "func(any, any) int": ("func(a, b any) int { return a.(int) - b.(int) }", "lambda a, b: a - b"),
    "func(any, any) bool": ("func(a, b any) bool { return b == 1 }", "lambda a, b: b == 1"),
    "func(any) bool": ("func(a any) bool { return a == 1 }", "lambda a: a == 1"),
}
# Objects of the types that have methods which write an argument, in Go and in Python.
OBJECTS = {
    "gobase64.Encoding": ("gobase64.StdEncoding", "writes.base64.std_encoding"),
    "gobase32.Encoding": ("gobase32.StdEncoding", "writes.base32.std_encoding"),
    "gocipher.Block": BLOCK,
    "gocipher.Stream": tuple(
        f"{f}({b}, {v})" for f, b, v in zip(("gocipher.NewCTR", "writes.cipher.new_ctr"), BLOCK, VECTOR)
    ),
    "gocipher.BlockMode": tuple(
        f"{f}({b}, {v})"
        for f, b, v in zip(("gocipher.NewCBCEncrypter", "writes.cipher.new_cbc_encrypter"), BLOCK, VECTOR)
    ),
    "gocipher.AEAD": (
        f"must(gocipher.NewGCMWithNonceSize({BLOCK[0]}, 16))",
        f"writes.cipher.new_gcm_with_nonce_size({BLOCK[1]}, 16)",
    ),
    "gorc4.Cipher": ('must(gorc4.NewCipher([]byte("key")))', 'writes.rc4.Cipher(b"key")'),
    "gobinary.ByteOrder": ("gobinary.LittleEndian", "writes.binary.little_endian"),
    "gobinary.AppendByteOrder": ("gobinary.BigEndian", "writes.binary.big_endian"),
    "gocsv.Writer": ("gocsv.NewWriter(goio.Discard)", "writes.csv.Writer(io.BytesIO())"),
    "gohash.Hash": ("gosha256.New()", "writes.sha256.new()"),
    "gohash.Hash32": ("gocrc32.NewIEEE()", "writes.crc32.new_ieee()"),
    "gohash.Hash64": ("gofnv.New64()", "writes.fnv.new64()"),
    "gorand.Rand": ("gorand.New(gorand.NewSource(1))", "writes.rand.Rand(writes.rand.new_source(1))"),
}
# The callbacks of these look at the argument.
LOOKING = {"gosort.Slice", "gosort.SliceStable", "gosort.SliceIsSorted"}


def split(text: str) -> list[str]:
    """The parts between the commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return [*parts, text[start:].strip()] if text.strip() else []


class Call:
    """One func or method: how Go and Python call it."""

    def __init__(self, python: str, params: str, result: str, body: str, of: str = "") -> None:
        self.python, self.why, self.of = python, "", OBJECTS.get(of, ("", "writes"))
        self.go: list[str] = []
        self.py: list[str] = []
        self.written: list[int] = []
        called = CALL.search(body)
        if called is None:
            self.why = "its call is no plain one"
            return
        self.callee, self.results = called[1] + "." + called[2], len(split(result.strip("()")))
        self.packages = set(re.findall(r"\b(go\w+)\.", f"{self.of[0] or self.callee} {params}"))
        if of and not self.of[0]:
            self.why = f"no object of {of} is made"
            return
        if "gen.Place(" in body:
            self.why = "it stores its result where it is told"
            return
        self.typed = (f"{self.of[0]}.{called[2]}" if of else self.callee) + (called[3] or "")
        for i, param in enumerate(split(params)):
            name, _, kind = param.partition(" ")
            found = WRITTEN.match(kind)
            if found is not None:
                kind = found[2]
                self.written.append(i)
            optional = re.match(r"selfsame\.Optional\[(.*)\]$", kind)
            kind = (optional[1] if optional else kind).removeprefix("...")  # one of any number
            made = self.value(kind, found is not None and (found[1] != "MaybeWritten" or i == 0))
            if made is None:
                self.why = f"nothing is made for {kind}"
                return
            known = kind.replace("interface{}", "any") in VALUES and not (self.callee in LOOKING and kind == "any")
            self.go.append(f"var a{i} {kind} = {made[0]}" if known else f"a{i} := {made[0]}")
            self.py.append(made[1])

    def value(self, kind: str, written: bool) -> tuple[str, str] | None:
        kind = kind.replace("uint8", "byte").replace("interface{}", "any")
        if kind.startswith("func("):
            kind = re.sub(r"\b\w+ (?=any)", "", kind)
        if self.callee in LOOKING:
            if kind == "any":
                return VALUES["[]any"]
            return ("func(i, j int) bool { return a0[i].(int) < a0[j].(int) }", "lambda i, j: a0[i] < a0[j]")
        if written and kind in TO:
            return TO[kind]
        return VALUES.get(kind) or CALLBACKS.get(kind)


def calls(module: pathlib.Path) -> list[Call]:
    made = []
    for text in (module / "functions.go").read_text().split("selfsame.MustRegisterFunc(")[1:]:
        head, _, body = text.partition("\n")
        found = FUNC.match(head)
        if found is not None and ("gen.Written" in found[2] or "gen.MaybeWritten" in found[2]):
            made.append(Call(found[1], *split_results(found[2], found[3].strip()), body.partition("\n\t}")[0]))
    types: dict[str, str] = dict(WRAPPED.findall((module / "a_types.go").read_text()))
    for path in sorted(module.glob("*_class.go")):
        for text in path.read_text().split("selfsame.Method(")[1:]:
            head, _, body = text.partition("\n")
            found = METHOD.match(head)
            if found is not None and ("gen.Written" in found[3] or "gen.MaybeWritten" in found[3]):
                name, method = str(found[2]), body.partition("\n\t\t}")[0]
                parts = split_results(found[3], found[4].strip())
                made.append(Call(f"{name}.{found[1]}", *parts, method, types.get(name, name)))
    return [call for call in made if call.written or call.why]


def split_results(params: str, result: str) -> tuple[str, str]:
    """The parameters and the results, where a greedy match took results in brackets for parameters."""
    depth = 0
    for i, c in enumerate(params):
        depth += (c == "(") - (c == ")")
        if depth < 0:
            return params[:i], params[i + 1 :].strip().lstrip("(") or result
    return params, result


GO = """
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
%s)

var all = map[string]any{}

func shown(v any) any {
	switch x := v.(type) {
	case []byte:
		return fmt.Sprintf("%%x", x)
	case error:
		return nil
	case map[any]any:
		made := map[string]any{}
		for k, v := range x {
			made[fmt.Sprint(k)] = v
		}
		return made
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.Array && r.Type().Elem().Kind() == reflect.Uint8 {
		return fmt.Sprintf("%%x", v)
	}
	if _, err := json.Marshal(v); err != nil {
		return nil
	}
	return v
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func try(name string, f func() []any) {
	defer func() {
		if recover() != nil {
			all[name] = "panics"
		}
	}()
	all[name] = "panics"
	made := f()
	for i := range made {
		made[i] = shown(made[i])
	}
	all[name] = made
}

func main() {
	_ = bytes.MinRead
%s	_ = json.NewEncoder(os.Stdout).Encode(all)
}
"""


def go_program(todo: list[Call], imports: str) -> str:
    lines = []
    for call in todo:
        names = [f"a{i}" for i in range(len(call.go))]
        sets = "".join(f"{value}; _ = {name}; " for name, value in zip(names, call.go))
        results = [f"r{i}" for i in range(call.results)]
        take = ", ".join(results) + " := " if results else ""
        shown = ", ".join([*(f"a{i}" for i in call.written), *results])
        call_text = f"{call.typed}({', '.join(names)})"
        lines.append(f'\ttry("{call.python}", func() []any {{ {sets}{take}{call_text}; return []any{{{shown}}} }})\n')
    return GO % (imports, "".join(lines))


PYTHON = """
import io, json, sys
import writes

def shown(v):
    if isinstance(v, (bytes, bytearray)):
        return v.hex()
    if isinstance(v, tuple):
        return [shown(x) for x in v]
    return v

def call(name, of, make, written):
    a = make()
    try:
        result = getattr(of(), name)(*a)
    except Exception as error:
        return {"after": [shown(a[i]) for i in written], "failed": f"{type(error).__name__}: {error}"}
    return {"after": [shown(a[i]) for i in written], "result": shown(result)}

all = {}
"""


def python_program(todo: list[Call]) -> str:
    text = PYTHON
    for i, call in enumerate(todo):
        names = [f"a{n}" for n in range(len(call.py))]
        sets = "".join(f"    {name} = {value}\n" for name, value in zip(names, call.py))
        text += f"def make{i}():\n{sets}    return [{', '.join(names)}]\n"
        name = call.python.rpartition(".")[2]
        text += f'all["{call.python}"] = call("{name}", lambda: {call.of[1]}, make{i}, {call.written})\n'
    return text + "json.dump(all, sys.stdout, default=lambda v: None)\n"


def agree(call: Call, go: Any, python: dict[str, Any]) -> str:
    """What differs, "" for nothing."""
    if call.callee in RANDOM:
        return python.get("failed", "") or ("" if any(python["after"][0].strip("0")) else "nothing changed")
    if go == "panics":
        return "" if "failed" in python else f"Go panics, Python returns {python['result']}"
    after, results = go[: len(call.written)], [r for r in go[len(call.written) :]]
    if python["after"] != after:
        return f"the argument is {python['after']}, in Go {after}; {python.get('failed', '')}"
    if "failed" in python:
        return "" if results and results[-1] is None else python["failed"]
    given = python["result"] if isinstance(python["result"], list) and len(results) > 1 else [python["result"]]
    simple = [r for r in results if r is not None]
    if simple and [r for r in given if r is not None] != simple:
        return f"the result is {given}, in Go {results}"
    return ""


def main() -> None:
    tool, folder, packages = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:] or PACKAGES
    folder.mkdir(parents=True, exist_ok=True)
    run(tool, "wrap", *packages, "--name", NAME, "--replace", str(ROOT), "--accept", cwd=folder, errors=True)
    module = folder / NAME
    found = calls(module)
    todo = [call for call in found if not call.why]
    text = "".join((module / file).read_text() for file in ("functions.go", "a_types.go"))
    imports = "".join(
        f'\t{name} "{path}"\n'
        for name, path in sorted(set(re.findall(r'^\t(go\w+) "([^"]+)"$', text, re.MULTILINE)))
        if any(name in call.packages for call in todo)
    )
    oracle = folder / "oracle"
    oracle.mkdir(exist_ok=True)
    (oracle / "go.mod").write_text("module oracle\n\ngo 1.24\n")
    (oracle / "main.go").write_text(go_program(todo, imports))
    go = json.loads(run("go", "run", ".", cwd=oracle, env={**os.environ, "GOWORK": "off"}))
    program = oracle / "calls.py"
    program.write_text(textwrap.dedent(python_program(todo)))
    environment = {**os.environ, "PYTHONPATH": str(module / "build")}
    said = subprocess.run([sys.executable, program], env=environment, check=True, capture_output=True, text=True)
    python = json.loads(said.stdout)
    failed = {call.python: agree(call, go[call.python], python[call.python]) for call in todo}
    for name, why in failed.items():
        if why:
            print(f"{name}: {why}")
    for call in found:
        if call.why:
            print(f"not called: {call.python}: {call.why}")
    wrong = sum(map(bool, failed.values()))
    print(f"{len(todo) - wrong} of {len(todo)} funcs write as in Go, {len(found) - len(todo)} are not called")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
