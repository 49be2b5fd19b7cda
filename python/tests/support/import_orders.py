"""Imports the modules of tvm_ffi in an order, in a forked child each, and prints what every name is then.

Usage: import_orders.py stock PACKAGE
       import_orders.py alias PACKAGE NAME...

For each module of the package, and for each two of a small package in both orders, prints one line of JSON.
It has the order and the public names of the package, or those given, with their kinds: module, class, function or
value. Modules of the standard library are left out. `stock` is the published package, `alias` this one under its name.
"""

import importlib
import inspect
import itertools
import json
import os
import pkgutil
import sys
from importlib.machinery import PathFinder

import numpy  # noqa: F401 (imported once, for all children)

MANY = 8  # modules of a package that has too many pairs


def kind_of(value):
    """Return what a name stands for."""
    if inspect.ismodule(value):
        return "module"
    if inspect.isclass(value):
        return "class"
    return "function" if callable(value) else "value"


def names_of_modules(package):
    """Return the modules of the published package's folder, without importing it."""
    spec = PathFinder.find_spec("tvm_ffi")
    folder = os.path.join(os.path.dirname(spec.origin), *package.split(".")[1:])
    return [f"{package}.{module.name}" for module in pkgutil.iter_modules([folder])]


def is_foreign(value):
    """Whether it is a module of others, which a package happens to import."""
    return inspect.ismodule(value) and value.__name__.partition(".")[0] not in {"tvm_ffi", "selfsame_ffi"}


def names_in(package, names):
    """Return the names of the package with their kinds: those that it has of `names`, or all public ones."""
    module = sys.modules[package]
    if not names:
        names = [name for name, value in vars(module).items() if not name.startswith("_") and not is_foreign(value)]
    return {name: kind_of(getattr(module, name)) for name in names if hasattr(module, name)}


def outcome(order, package, names):
    """Return the names of the package after imports in this order; or the module that was not found."""
    for name in order:
        try:
            importlib.import_module(name)
        except ImportError as error:
            return {"missing": name, "error": type(error).__name__}
    return {"names": names_in(package, names)}


def orders(package):
    """Return the orders to try: each module alone, and each two of a package with few modules."""
    modules = names_of_modules(package)
    pairs = itertools.permutations(modules, 2) if len(modules) < MANY else ()
    return [(package,), *((name,) for name in modules), *pairs]


def main(which, package, *names):
    """Print a line for each order. The children import the package themselves: none depends on Go here."""
    for order in orders(package):
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            if which == "alias":
                importlib.import_module("selfsame_ffi").install_as_tvm_ffi()
            print(json.dumps({"order": order, "found": outcome(order, package, names)}), flush=True)
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:
            print(json.dumps({"order": order, "found": {"crashed": True}}))


if __name__ == "__main__":
    main(*sys.argv[1:])
