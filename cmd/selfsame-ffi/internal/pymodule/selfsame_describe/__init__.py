"""Run by the interpreter that has a module: describes it by its stubs, its sources and itself."""

import json
import sys


def main():
    # What the module prints when it is imported does not belong to the description.
    out, sys.stdout = sys.stdout, sys.stderr
    from .module import Module

    module, overrides = sys.argv[1], sys.stdin.read()
    json.dump(Module(module, overrides).described(), out)
