"""What the first example of README.md presumes: a node with a child, and a function that returns its argument."""

from typing import Optional

import selfsame_ffi
from selfsame_ffi.dataclasses import py_class


@py_class("readme.Node")
class Node(selfsame_ffi.Object):
    """A node that may have a child, and attributes, as a Go class with DynamicAttributes."""

    child: Optional["Node"] = None


node = Node()
a = Node(node)
echo = selfsame_ffi.convert(lambda x: x)


def list_of(value: Node) -> selfsame_ffi.List:
    """The object in a native container, with no other reference in Python."""
    return selfsame_ffi.List([value])
