"""Does what main.go does, with TVM and the HTTP server of Python.

Usage: serve.py MODEL ADDRESS WORKERS
"""

from __future__ import annotations

import json
import queue
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import tvm
from tvm import relax

PIXELS = 256


class Handler(BaseHTTPRequestHandler):
    """Answers the requests of one connection, in a thread of its own."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    vms: queue.SimpleQueue[relax.VirtualMachine] = queue.SimpleQueue()

    def do_POST(self) -> None:  # noqa: N802
        """Answer with the digits in the pictures of the body."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        pictures = np.frombuffer(body, "uint8").reshape(-1, 1, 16, 16).astype("float32") / np.float32(255)
        vm = self.vms.get()
        try:
            probabilities = vm["forward"](tvm.runtime.tensor(pictures)).numpy()
        finally:
            self.vms.put(vm)
        answer = {"digits": probabilities.argmax(1).tolist(), "probabilities": probabilities.tolist()}
        text = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Write no line for each request."""


def main(model: str, address: str, workers: int) -> None:
    """Do what the module's documentation says."""
    module = tvm.runtime.load_module(model)
    for _ in range(workers):
        Handler.vms.put(relax.VirtualMachine(module, tvm.cpu()))
    host, port = address.rsplit(":", 1)
    with ThreadingHTTPServer((host, int(port)), Handler) as server:
        print(f"{host}:{server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
