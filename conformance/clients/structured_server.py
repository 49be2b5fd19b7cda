"""Sends requests to the server of examples/structured, and compares each token mask with the one that Python gets.

Usage: structured_server.py SERVER LIBRARY

SERVER is the program, built. Eight requests run at a time. Ends with an error when a mask differs, when a text that
ended is not JSON, or when the server's process has Python or a libtvm_ffi.so in it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import tvm_ffi

NAMESPACE = "xgrammar.tvm_ffi_binding"
VOCABULARY = ["</s>", *map(chr, range(ord(" "), ord("~") + 1)), '":', '": ', "name", "age", "12"]
SCHEMAS: list[dict[str, Any]] = [
    {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"], "additionalProperties": False},
    {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"], "additionalProperties": False},
    {"type": "integer"},
]


def declared(name: str) -> Any:
    """Return a Python class for a class of the library."""

    class Declared(tvm_ffi.Object):
        __slots__ = ()

        def __init__(self, *args: Any) -> None:
            self.__ffi_init__(*args)

    return tvm_ffi.register_object(f"{NAMESPACE}.{name}")(Declared)


def generated(address: str, schema: dict[str, Any], seed: int) -> list[dict[str, Any]]:
    """Return the lines of an answer."""
    body = json.dumps({"schema": schema, "seed": seed, "limit": 200}).encode()
    with urllib.request.urlopen(f"http://{address}/generate", body, timeout=60) as answer:
        return [json.loads(line) for line in answer]


def main(server: str, library: str) -> int:
    """Do what the module's documentation says."""
    tvm_ffi.load_module(library)
    info = declared("TokenizerInfo")(VOCABULARY, 0, None, [0], False)
    compiler = declared("GrammarCompiler")(info, 4, True, -1)
    declared("CompiledGrammar")
    matcher_class = declared("GrammarMatcher")
    wanted = [(schema, seed) for seed in range(8) for schema in SCHEMAS]
    with subprocess.Popen([server, library, "localhost:0"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            with ThreadPoolExecutor(8) as pool:
                answers = list(pool.map(lambda pair: generated(address, *pair), wanted))
            lines = Path(f"/proc/{process.pid}/maps").read_text().splitlines()
        finally:
            process.kill()
    for (schema, seed), steps in zip(wanted, answers):
        compiled = compiler.compile_json_schema(json.dumps(schema), False, None, None, True, None, False)
        matcher = matcher_class(compiled, None, False, -1, None)
        text = ""
        for i, step in enumerate(steps):
            mask = np.zeros((1, (len(VOCABULARY) + 31) // 32), dtype=np.int32)
            matcher.fill_next_token_bitmask(tvm_ffi.from_dlpack(mask), 0, False)
            if step.get("mask") != mask[0].tolist():
                sys.exit(f"schema {schema}, seed {seed}, step {i}: Go got {step}, Python the mask {mask[0].tolist()}")
            matcher.accept_token(step["token"], False)
            text += step["text"] if step["token"] else ""
        if steps[-1]["token"] == 0:
            json.loads(text)
    mapped = {line[line.index("/") :] for line in lines if "/" in line}
    # The runtime holds the name libtvm_ffi.so with a library in memory, which has no symbols.
    foreign = [name for name in mapped if "python" in name or name.endswith("/libtvm_ffi.so")]
    if foreign or library not in mapped:
        sys.exit(f"the server's process has mapped {foreign or mapped}")
    masks = sum(map(len, answers))
    print(f"examples/structured/server: {masks} masks are equal in Go and Python; no Python in its process")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
