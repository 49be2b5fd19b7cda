"""Functions that several tests of the package use."""

import gc

import markdown
import selfsame_ffi


def walk(node):
    """The node and its descendants, in the order of the document."""
    yield node
    for child in node.children:
        yield from walk(child)


def live():
    """Live native objects, after both collectors ran until neither found garbage."""
    before = None
    while before != selfsame_ffi.debug.live_objects():
        before = selfsame_ffi.debug.live_objects()
        gc.collect()
        markdown.collect()
    return before
