"""Uses the extension with the stock tvm_ffi package and its runtime, without selfsame_ffi.

Usage: python demo_stock.py LIBRARY FILE

Prints the JSON that `mdtree FILE` prints, without the links.
"""

import atexit
import ctypes
import json
import sys
from pathlib import Path

import tvm_ffi


def walk(node):
    yield node
    for child in node.children:
        yield from walk(child)


def main(library: str, path: str) -> None:
    extension = ctypes.CDLL(library)
    if extension.SelfsameExtensionInit() != 0:  # binds to the runtime that the process has loaded
        raise SystemExit("the extension's registrations failed")
    atexit.register(extension.SelfsameExtensionStop)  # from then on Go releases nothing that belongs to Python
    parse = tvm_ffi.get_global_func("markdown.parse")
    doc = parse(Path(path).read_text(encoding="utf-8"))
    nodes = list(walk(doc))
    headings = [n for n in nodes if hasattr(n, "level") and n.kind() == "Heading"]
    summary = {
        "headings": [{"level": n.level, "line": n.line, "text": n.text_content()} for n in headings],
        "text": doc.text_content(),
        "nodes": len(nodes),
    }
    print(json.dumps(summary))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
