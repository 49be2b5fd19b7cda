"""Sends requests to the server of examples/structured, and compares each token and its mask with what Python gets.

Usage: structured_server.py SERVER LIBRARY [TEKKEN]
       structured_server.py --serve LIBRARY TEKKEN LOGITS     is the same server in Python, and prints its address

SERVER is the program, built. With TEKKEN, a file tekken.json of the package mistral-common, the tokens are those of a
language model, and the logits rows of a file that this program records beside SERVER. Eight requests run at a time.
Ends with an error when a mask or a choice differs, when a text that ended is not JSON, or when the server's process has
Python or a libtvm_ffi.so in it. Prints the processor time of the server in Python as a multiple of that of Go's.
"""

from __future__ import annotations

import base64
import http.server
import json
import os
import subprocess
import sys
import urllib.request
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import tvm_ffi

NAMESPACE = "xgrammar.tvm_ffi_binding"
ROWS, TIMES = 16, 3
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


def vocabulary(tekken: str | None) -> tuple[list[Any], int]:
    """Return the tokens of the server, and the one that ends a text."""
    if tekken is None:
        return ["</s>", *map(chr, range(ord(" "), ord("~") + 1)), '":', '": ', "name", "age", "12"], 0
    file = json.loads(Path(tekken).read_text())
    size, special = (file["config"][f"default_{name}"] for name in ("vocab_size", "num_special_tokens"))
    ordinary = [base64.b64decode(token["token_bytes"]) for token in file["vocab"][: size - special]]
    return [b""] * special + ordinary, 2


def generated(address: str, schema: dict[str, Any], seed: int) -> list[dict[str, Any]]:
    """Return the lines of an answer."""
    body = json.dumps({"schema": schema, "seed": seed, "limit": 200}).encode()
    with urllib.request.urlopen(f"http://{address}/generate", body, timeout=60) as answer:
        return [json.loads(line) for line in answer]


class Peer:
    """The same work in Python."""

    def __init__(self, tokens: list[Any], end: int, logits: Any) -> None:
        self.tokens, self.end, self.logits = tokens, end, logits
        info = declared("TokenizerInfo")(tokens, 0, None, [end], False)
        self.compiler = declared("GrammarCompiler")(info, 4, True, -1, False)
        declared("CompiledGrammar")
        self.matcher = declared("GrammarMatcher")

    def steps(self, schema: Any, seed: int, limit: int, chosen: list[int] | None = None) -> Iterator[dict[str, Any]]:
        """Generate the lines of an answer; chosen has the tokens when there are no logits."""
        compiled = self.compiler.compile_json_schema(json.dumps(schema), False, None, None, True, None, False)
        matcher = self.matcher(compiled, None, False, -1, None)
        mask = np.zeros((1, (len(self.tokens) + 31) // 32), dtype=np.int32)
        bitmask = tvm_ffi.from_dlpack(mask)
        for i in range(limit):
            matcher.fill_next_token_bitmask(bitmask, 0, False)
            allowed = np.unpackbits(mask[0].view(np.uint8), bitorder="little")[: len(self.tokens)].view(bool)
            if chosen is None:
                token = int(np.where(allowed, self.logits[(seed + i) % ROWS], -np.inf).argmax())
            else:
                token = chosen[i]
            if not matcher.accept_token(token, False):
                raise ValueError(f"token {token} is not accepted")
            written = b"" if token == self.end else self.tokens[token]
            text = written if isinstance(written, str) else written.decode(errors="replace")
            count, checksum = int(np.count_nonzero(allowed)), zlib.crc32(mask.tobytes())
            yield {"token": token, "text": text, "allowed": count, "sum": checksum}
            if matcher.is_terminated():
                return

    def check(self, schema: dict[str, Any], seed: int, steps: list[dict[str, Any]]) -> None:
        """End this program with an error when an answer is not what Python gets."""
        chosen = [step.get("token", -1) for step in steps] if self.logits is None else None
        for i, (got, wanted) in enumerate(zip(steps, self.steps(schema, seed, len(steps), chosen))):
            if got != wanted:
                sys.exit(f"schema {schema}, seed {seed}, step {i}: Go got {got}, Python {wanted}")
        if steps[-1]["token"] == self.end:
            json.loads("".join(step["text"] for step in steps))


def serve(library: str, tekken: str, recorded: str) -> None:
    """Serve what the server in Go does."""
    tvm_ffi.load_module(library)
    tokens, end = vocabulary(tekken)
    peer = Peer(tokens, end, np.fromfile(recorded, dtype=np.float32).reshape(ROWS, -1))

    class Answers(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name that the base class wants
            wanted = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()
            for step in peer.steps(wanted["schema"], wanted["seed"], wanted["limit"]):
                self.wfile.write(json.dumps(step).encode() + b"\n")

        def log_message(self, *_: Any) -> None:
            """Print nothing."""

    server = http.server.ThreadingHTTPServer(("localhost", 0), Answers)
    print(f"localhost:{server.server_port}", flush=True)
    server.serve_forever()


def asked(command: list[str], wanted: list[tuple[Any, int]], times: int) -> tuple[list[Any], float, set[str]]:
    """Return the answers of a server, the processor time of a token, and the files that its process has mapped."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            with ThreadPoolExecutor(8) as pool:
                answers = list(pool.map(lambda pair: generated(address, *pair), wanted))
            start, tokens = processor_seconds(process.pid), 0
            for pair in wanted * times:
                tokens += len(generated(address, *pair))
            seconds = processor_seconds(process.pid) - start
            lines = Path(f"/proc/{process.pid}/maps").read_text().splitlines()
        finally:
            process.kill()
    return answers, seconds / max(1, tokens), {line[line.index("/") :] for line in lines if "/" in line}


def processor_seconds(process: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(server: str, library: str, tekken: str | None = None) -> int:
    """Do what the module's documentation says."""
    tvm_ffi.load_module(library)
    tokens, end = vocabulary(tekken)
    options, logits = [], None
    if tekken is not None:
        logits = np.random.default_rng(7).standard_normal((ROWS, len(tokens)), dtype=np.float32)
        recorded = str(Path(server).parent / "logits.bin")
        logits.tofile(recorded)
        options = ["-tokens", tekken, "-logits", recorded]
    peer = Peer(tokens, end, logits)
    wanted = [(schema, seed) for seed in range(8) for schema in SCHEMAS]
    times = 0 if tekken is None else TIMES
    answers, token, mapped = asked([server, *options, library, "localhost:0"], wanted, times)
    for (schema, seed), steps in zip(wanted, answers):
        peer.check(schema, seed, steps)
    # The runtime holds the name libtvm_ffi.so with a library in memory, which has no symbols.
    foreign = [name for name in mapped if "python" in name or name.endswith("/libtvm_ffi.so")]
    if foreign or library not in mapped:
        sys.exit(f"the server's process has mapped {foreign or mapped}")
    masks = sum(map(len, answers))
    print(f"examples/structured/server, {len(tokens):,} tokens: {masks} masks are equal in Go and Python")
    print("  there is no Python in its process")
    if tekken is not None:
        command = [sys.executable, __file__, "--serve", library, tekken, recorded]
        others, in_python, _ = asked(command, wanted, times)
        if others != answers:
            sys.exit("the server in Python answers otherwise")
        print(
            f"  so are the choices; a token takes {in_python / token:.1f} times the processor time in Python's server"
        )
    return 0


if __name__ == "__main__":
    sys.exit(serve(*sys.argv[2:]) if sys.argv[1] == "--serve" else main(*sys.argv[1:]))
