"""Uses the syntax tree of a Go library from Python, and checks each line that it prints.

Usage: make demo, which builds the packages and runs this script. The exit status is 1 if a check failed.
"""

import ctypes
import gc
import sys
import traceback
import weakref

import demo_build
from demo_report import Report


def collect(markdown, ffi) -> None:
    """Run both collectors until neither finds garbage: the owner of a subtree must die before the subtree can."""
    live = None
    while live != ffi.debug.live_objects():
        live = ffi.debug.live_objects()
        gc.collect()
        markdown.collect()


def walk(node):
    """The node and its descendants, in the order of the document."""
    yield node
    for child in node.children:
        yield from walk(child)


def show_tree(report: Report, markdown, doc, path) -> None:
    """Compare the tree, walked from Python, with the results of a pure Go program for the same file."""
    expected = demo_build.go_summary(path)
    nodes = list(walk(doc))
    report.section(f"{path.relative_to(demo_build.ROOT)}: {len(nodes)} nodes, walked from Python")
    report.equal("as many nodes as goldmark makes", len(nodes), expected["nodes"])
    headings = [
        {"level": n.level, "line": n.line, "text": n.text_content()} for n in nodes if isinstance(n, markdown.Heading)
    ]
    report.equal(f"its {len(headings)} headings, with level, line and text", headings, expected["headings"])
    links = [
        {"destination": n.destination, "title": n.title, "text": n.text_content()}
        for n in nodes
        if isinstance(n, (markdown.Link, markdown.AutoLink))
    ]
    report.equal(f"its {len(links)} links, with destination, title and text", links, expected["links"])
    report.equal(f"its text, {len(expected['text'])} characters", doc.text_content(), expected["text"])
    report.check(
        "markdown.headings(doc) returns the same objects as the walk",
        all(a is b for a, b in zip(markdown.headings(doc), (n for n in nodes if isinstance(n, markdown.Heading)))),
    )
    for heading in headings[:4]:
        report.note(f"{'#' * heading['level']} {heading['text']}")


def show_stock(report: Report, path) -> None:
    report.section("The same extension, not rebuilt, in a process with the stock tvm_ffi package instead of selfsame")
    expected = demo_build.go_summary(path)
    del expected["links"]
    got = demo_build.stock_summary(demo_build.OUT / "markdown" / "_markdown.so", path)
    report.equal("the same nodes, headings and text", got, expected)


def show_identity(report: Report, markdown, ffi, doc) -> None:
    report.section("One Python object per node, on every way to it")
    node = doc.children[0]
    report.same("doc.children[0] is doc.children[0]", doc.children[0], node)
    report.same("echo(node) is node, through a Go function", markdown.echo(node), node)
    met = []

    def callback(n):
        met.append(n)
        return n

    report.same("apply(callback, node) is node, through Go and back into Python", markdown.apply(callback, node), node)
    report.same("and the callback got the node itself", met.pop(), node)
    cpp_echo = ffi.get_global_func("demo.cpp_echo")
    report.same("cpp_echo(node) is node, through C++ built for the stock runtime", cpp_echo(node), node)
    cpp_call = ffi.get_global_func("demo.cpp_call")
    report.same("cpp_call(callback, node) is node, through C++ and back into Python", cpp_call(callback, node), node)
    report.same("and the callback got the node itself", met.pop(), node)
    make_box = ffi.get_global_func("demo.make_box")
    report.same("box.x is node, held by a C++ object", make_box(node).x, node)
    function = ffi.get_global_func("markdown.echo")
    report.same("get_global_func('markdown.echo') is markdown.echo", function, markdown.echo)


def show_life(report: Report, markdown, ffi, doc) -> None:
    report.section("It stays that object while no Python code refers to it")
    identity = id(doc.children[1])
    gc.collect()
    report.equal("id(doc.children[1]) is the same after drop and gc.collect()", id(doc.children[1]), identity)
    doc.children[1].note = "seen"
    gc.collect()
    report.equal("doc.children[1].note, set before, is still there", getattr(doc.children[1], "note", None), "seen")
    reference = weakref.ref(doc.children[1])
    gc.collect()
    report.check("a weak reference to it is alive", reference() is not None, "the node", reference())
    report.same("and is the node that Go returns", markdown.echo(doc).children[1], reference())
    report.note(f"debug.tie(doc.children[1]): {ffi.debug.tie(doc.children[1])}")
    orphan = markdown.parse("# alone")
    reference = weakref.ref(orphan)
    del orphan
    collect(markdown, ffi)
    report.check("a document that neither Python nor Go holds is gone", reference() is None, "None", reference())


def go_stack(report: Report, error: Exception, function: str) -> None:
    """Check that the traceback of an error from Go includes the Go functions."""
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    ok = "functions.go" in text and function in text
    report.check("its traceback includes the Go functions", ok, f"{function} in functions.go", text)
    report.block(text)


def show_errors(report: Report, markdown, doc) -> None:
    report.section("Errors and panics, both ways")
    try:
        markdown.heading(doc, 1_000_000)
    except IndexError as error:
        report.check(f"a Go error is an IndexError: {error}", "1000000" in str(error), "the index in it", str(error))
        go_stack(report, error, "HeadingAt")
    else:
        report.check("a Go error is an IndexError", False, "an IndexError", "no exception")
    try:
        markdown.buggy_tally(doc)
    except RuntimeError as error:
        report.check(f"a Go panic is a RuntimeError: {error}", "nil map" in str(error), "the panic's text", str(error))
        go_stack(report, error, "BuggyTally")
    else:
        report.check("a Go panic is a RuntimeError", False, "a RuntimeError", "no exception")

    raised = KeyError("no such node")

    def failing(_node):
        raise raised

    report.equal(
        "a Python exception is a Go error with kind and message",
        markdown.explain(failing, doc),
        "the callback failed with a KeyError: 'no such node'",
    )
    try:
        markdown.apply(failing, doc)
    except KeyError as error:
        report.same("and Go returns it as the same exception object", error, raised)
    else:
        report.check("and Go returns it as the same exception object", False, "a KeyError", "no exception")


def measure(echo, options: list) -> list:
    """Time selfsame and the stock package in turn, so that other load slows both alike; keep the fastest runs."""
    runs = [[], []]
    for _ in range(3):
        runs[0].append(demo_build.speed("selfsame_ffi", echo, *options))
        runs[1].append(demo_build.speed("tvm_ffi", echo, *options))
    return [{key: min(run[key] for run in side) for key in side[0]} for side in runs]


def show_speed(report: Report, echo) -> None:
    report.section("Time for one operation on a C++ object, beside the stock package (each in its own process)")
    names = {"held": "a.x, child held", "refetched": "a.x, child dropped and refetched", "call": "f(a), f in C++"}
    rows = []
    slow = []
    for suffix, options in ("", []), (", lean class", ["--lean"]):
        here, there = measure(echo, options)
        rows += [(text + suffix, here[key], there[key]) for key, text in names.items()]
        slow += [names[key] + suffix for key in ("held", "refetched") if there[key] < 3 * here[key]]
    report.speed(rows)
    for name in slow:
        report.warn(f"{name}: less than 3 times as fast as stock, in this run")


def main() -> int:
    report = Report()
    report.title("goldmark, a Go library, as a Python package")
    sys.path.insert(0, str(demo_build.OUT))
    try:
        import markdown  # noqa: PLC0415  (made by `selfsame-ffi build`)
    except ImportError as error:
        raise demo_build.Missing(f"{error}; run: make demo") from error
    import selfsame_ffi as ffi  # noqa: PLC0415

    report.section("A C++ extension, compiled with the headers of the published apache-tvm-ffi")
    echo = demo_build.compile_echo(demo_build.ROOT / "build" / "lib" / "libselfsame.so", "echo.so")
    needed = demo_build.needed_libraries(echo)
    report.check("it needs a runtime by its common name", "libtvm_ffi.so" in needed, "libtvm_ffi.so among them", needed)
    report.check("and not libselfsame.so", "libselfsame.so" not in needed, "no libselfsame.so", needed)
    ctypes.CDLL(str(echo))  # its static initializers register its class and functions

    collect(markdown, ffi)
    before = ffi.debug.live_objects()
    for path in (demo_build.ROOT / "README.md", demo_build.HERE / "testdata" / "handbook.md"):
        doc = markdown.parse(path.read_text(encoding="utf-8"))
        show_tree(report, markdown, doc, path)
    show_identity(report, markdown, ffi, doc)
    show_life(report, markdown, ffi, doc)
    show_errors(report, markdown, doc)

    report.section("Nothing is left behind")
    during = ffi.debug.live_objects()
    del doc
    collect(markdown, ffi)
    counts = f"from {sum(during.values())} to the {sum(before.values())} of the start"
    report.equal(f"live objects are back {counts}", ffi.debug.live_objects(), before)

    show_stock(report, path)
    show_speed(report, echo)
    return report.finish("PYTHONPATH=build/demo build/venv/bin/python -c 'import markdown; help(markdown)'")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except demo_build.Missing as error:
        print(f"demo: {error}", file=sys.stderr)
        sys.exit(1)
