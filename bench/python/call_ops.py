"""One call of each public function, method and property of the published package; calls.py runs it.

Usage: call_ops.py selfsame|tvm_ffi FOLDER_OF_THE_BUILT_EXTENSIONS

Rows are named by what they call, and where one name has several kinds of arguments, by these behind a comma.
"""

from __future__ import annotations

import copy
import importlib
import os
import pickle
import sys
from typing import Any

import numpy as np
from ops import Operation, keep_a_thread, load_ffi, serve

NUMBER = 200
FEW = 10


def rows(statements: dict, number: int = NUMBER, **names) -> dict:
    """The operation of each statement, all of them with the same names."""
    return {row: Operation(statement, number, **names) for row, statement in statements.items()}


def declared(ffi, dataclasses) -> tuple:
    """A class with few fields, one with many kinds of them, and an enum of each kind."""

    class Point(ffi.Object):
        x: int
        y: float = 1.0

    class Wide(ffi.Object):
        x: int
        name: str = "a"
        tags: list[int] = dataclasses.field(default_factory=list)
        sizes: dict[str, int] = dataclasses.field(default_factory=dict)
        maybe: int | None = None
        below: Any = None

    class Digit(dataclasses.IntEnum, type_key="bench.calls.Digit"):
        ONE = 1
        TWO = 2

    class Letter(dataclasses.StrEnum, type_key="bench.calls.Letter"):
        A = "a"

    options = {"eq": True, "order": True, "unsafe_hash": True, "structural_eq": "tree"}
    point = dataclasses.py_class("bench.calls.Point", **options)(Point)
    wide = dataclasses.py_class("bench.calls.Wide", **options)(Wide)
    return point, wide, Digit, Letter


def of_containers(ffi) -> dict:
    """Array, List, Map, Dict and Shape."""
    ints, entries = list(range(20)), {f"key {i}": i for i in range(20)}
    names = {
        "ffi": ffi,
        "ints": ints,
        "entries": entries,
        "a": ffi.Array(ints),
        "b": ffi.Array(ints),
        "l": ffi.List(ints),
        "m": ffi.Map(entries),
        "d": ffi.Dict(entries),
        "o": ffi.Array([ffi.Array(ints), ffi.Map(entries)]),
        "s": ffi.Shape((1, 2, 3)),
        "copy": copy,
        "pickle": pickle,
    }
    sequences = {
        "{}()": "ffi.{}(ints)",
        "{}(), empty": "ffi.{}(())",
        "{}(), of its own": "ffi.{}({})",
        "{}[i]": "{}[3]",
        "{}[-1]": "{}[-1]",
        "{}[i:j]": "{}[1:5]",
        "len({})": "len({})",
        "iter({})": "list({})",
        "x in {}": "19 in {}",
        "{} ==": "{} == {}",
        "{} !=": "{} != {}",
        "hash({})": "hash({})",
        "bool({})": "bool({})",
        "{} + list": "{} + ints",
        "list + {}": "ints + {}",
        "repr({})": "repr({})",
        "copy({})": "copy.copy({})",
        "{}.index": "{}.index(5)",
        "{}.count": "{}.count(5)",
        "pickle({})": "pickle.dumps({})",
        "unpickle({})": "pickle.loads(pickle.dumps({}))",
        "{}.same_as": "{}.same_as({})",
        "reversed({})": "list(reversed({}))",
    }
    mappings = {
        "{}()": "ffi.{}(entries)",
        "{}(), empty": "ffi.{}({{}})",
        "{}[k]": "{}['key 3']",
        "len({})": "len({})",
        "iter({})": "list({})",
        "k in {}": "'key 3' in {}",
        "k in {}, missing": "'none' in {}",
        "{} ==": "{} == {}",
        "{} !=": "{} != {}",
        "hash({})": "hash({})",
        "bool({})": "bool({})",
        "{}.keys": "list({}.keys())",
        "{}.values": "list({}.values())",
        "{}.items": "list({}.items())",
        "{}.get": "{}.get('key 3')",
        "{}.get, missing": "{}.get('none')",
        "repr({})": "repr({})",
        "copy({})": "copy.copy({})",
        "pickle({})": "pickle.dumps({})",
    }
    found = {}
    for kind, name, forms in (
        ("Array", "a", sequences),
        ("List", "l", sequences),
        ("Map", "m", mappings),
        ("Dict", "d", mappings),
    ):
        for row, statement in forms.items():
            # `ffi.{}` names the class, each other `{}` the value.
            text = statement.replace("ffi.{}", f"ffi.{kind}").replace("{{}}", "dict()").replace("{}", name)
            found[row.replace("{}", kind)] = text
    found |= {
        "List.append and pop": "l.append(1); l.pop()",
        "List.insert and pop(0)": "l.insert(0, 1); l.pop(0)",
        "List.extend": "ffi.List(()).extend(ints)",
        "List.clear": "ffi.List(ints).clear()",
        "List.reverse": "l.reverse()",
        "List[i] =": "l[3] = 3",
        "List del": "l.append(1); del l[-1]",
        "Dict[k] =": "d['key 3'] = 3",
        "Dict.pop": "d['x'] = 1; d.pop('x')",
        "Dict del": "d['x'] = 1; del d['x']",
        "Dict.update": "d.update({'key 3': 3})",
        "Dict.clear": "ffi.Dict(entries).clear()",
        "Array of objects[0]": "o[0]",
        "Shape()": "ffi.Shape((1, 2))",
        "Shape[i]": "s[0]",
        "repr(Shape)": "repr(s)",
        "Shape ==": "s == (1, 2, 3)",
    }
    return rows(found, **names)


def of_values(ffi) -> dict:
    """Data types, devices, streams, conversion and tensors."""
    array = np.ones((2, 3), "float32")
    names = {
        "ffi": ffi,
        "t": ffi.from_dlpack(array),
        "n": array,
        "np": np,
        "d": ffi.dtype("float32"),
        "e": ffi.dtype("int8x4"),
        "c": ffi.device("cpu"),
        "g": ffi.device("cuda", 1),
        "f": len,
        "o": object(),
        "ints": list(range(20)),
        "pickle": pickle,
        "copy": copy,
        "nd": np.dtype("float32"),
    }
    return rows(
        {
            "dtype()": "ffi.dtype('float32')",
            "dtype(), of a dtype": "ffi.dtype(d)",
            "dtype(), of NumPy's": "ffi.dtype(nd)",
            "dtype(), lanes": "ffi.dtype('int8x4')",
            "dtype.from_dlpack_data_type": "ffi.dtype.from_dlpack_data_type((2, 32, 1))",
            "dtype.with_lanes": "d.with_lanes(4)",
            "dtype.itemsize": "d.itemsize",
            "dtype.type_code": "d.type_code",
            "dtype.bits": "d.bits",
            "dtype.lanes": "d.lanes",
            "dtype.is_bool": "d.is_bool",
            "dtype.is_integer": "d.is_integer",
            "dtype.is_float": "d.is_float",
            "dtype.is_handle": "d.is_handle",
            "dtype.is_dtype": "ffi.dtype.is_dtype('float32')",
            "dtype.is_dtype, no": "ffi.dtype.is_dtype('none')",
            "repr(dtype)": "repr(d)",
            "str(dtype)": "str(d)",
            "hash(dtype)": "hash(d)",
            "dtype ==": "d == 'float32'",
            "pickle(dtype)": "pickle.dumps(d)",
            "device()": "ffi.device('cpu', 0)",
            "device(), with index": "ffi.device('cuda:1')",
            "Device()": "ffi.Device('cpu', 0)",
            "Device.type": "c.type",
            "Device.index": "c.index",
            "Device.dlpack_device_type": "c.dlpack_device_type()",
            "Device ==": "c == g",
            "hash(Device)": "hash(c)",
            "repr(Device)": "repr(c)",
            "str(Device)": "str(c)",
            "pickle(Device)": "pickle.dumps(c)",
            "copy(Device)": "copy.copy(c)",
            "get_raw_stream": "ffi.get_raw_stream(c)",
            "use_raw_stream": "with ffi.use_raw_stream(g, 0): pass",
            "from_dlpack": "ffi.from_dlpack(n)",
            "np.from_dlpack": "np.from_dlpack(t)",
            "Tensor.shape": "t.shape",
            "Tensor.strides": "t.strides",
            "Tensor.dtype": "t.dtype",
            "Tensor.device": "t.device",
            "Tensor.ndim": "t.ndim",
            "Tensor.numel": "t.numel()",
            "Tensor.size": "t.size(0)",
            "Tensor.data_ptr": "t.data_ptr()",
            "Tensor.is_contiguous": "t.is_contiguous()",
            "Tensor.__dlpack_device__": "t.__dlpack_device__()",
            "Tensor.__dlpack__": "t.__dlpack__()",
            "repr(Tensor)": "repr(t)",
            "hash(Tensor)": "hash(t)",
            "Tensor ==": "t == t",
            "convert, int": "ffi.convert(1)",
            "convert, str": "ffi.convert('text')",
            "convert, list": "ffi.convert(ints)",
            "convert, dict": "ffi.convert({'a': 1})",
            "convert, function": "ffi.convert(f)",
            "convert, array": "ffi.convert(n)",
            "convert, None": "ffi.convert(None)",
            "convert, object": "ffi.convert(t)",
            "convert, opaque": "ffi.convert(o)",
            "convert_func": "ffi.convert_func(f)",
        },
        **names,
    )


def of_functions(ffi, name: str, folder: str) -> dict:
    """Functions, modules, the registry and errors."""
    library = os.path.join(folder, "libbench_ffi.so")
    registry = importlib.import_module(f"{name}.registry")
    module = ffi.system_lib()
    missing = {"ffi": ffi, "m": module}
    made = rows(
        {
            "f()": "f(1)",
            "f(), a callback": "g(1)",
            "f(), raising": "try: r(1)\nexcept ValueError: pass",
            "Function.release_gil": "f.release_gil",
            "hash(Function)": "hash(f)",
            "Function ==": "f == f",
            "repr(Function)": "repr(f)",
            "get_global_func": "ffi.get_global_func('bench.echo_packed')",
            "get_global_func, missing": "ffi.get_global_func('bench.none', allow_missing=True)",
            "get_global_func_metadata": "ffi.get_global_func_metadata('bench.echo_packed')",
            "register_global_func": "ffi.register_global_func('bench.calls.f', p, override=True)",
            "register_global_func, as a decorator": "ffi.register_global_func('bench.calls.g', override=True)(p)",
            "remove_global_func": "ffi.remove_global_func('bench.calls.none')",
            "register_error": "ffi.register_error('BenchError', E)",
            "system_lib": "ffi.system_lib()",
            "Module.kind": "m.kind",
            "Module.imports": "m.imports",
            "Module.implements_function": "m.implements_function('f')",
            "Module.get_function_metadata": "m.get_function_metadata('f')",
            "Module.get_function_doc": "m.get_function_doc('f')",
            "Module.get_write_formats": "m.get_write_formats()",
            "Module.get_property_mask": "m.get_property_mask()",
            "Module.is_binary_serializable": "m.is_binary_serializable()",
            "Module.is_runnable": "m.is_runnable()",
            "Module.is_compilation_exportable": "m.is_compilation_exportable()",
            "Module.clear_imports": "m.clear_imports()",
            "Module.inspect_source": "m.inspect_source()",
            "Module.entry_name": "m.entry_name",
            "Module ==": "m == m",
            "hash(Module)": "hash(m)",
            "repr(Module)": "repr(m)",
        },
        f=ffi.get_global_func("bench.echo_packed"),
        g=ffi.convert(lambda x: x),
        r=ffi.convert(int_of_text),
        p=lambda x: x,
        E=type("BenchError", (RuntimeError,), {}),
        **missing,
    )
    made |= rows(
        {
            "load_module": "ffi.load_module(library)",
            "Module[name]": "m['twice']",
            "Module.name": "m.twice",
            "Module.get_function": "m.get_function('twice')",
            "Module.name()": "m.twice(1)",
            "object.x =, tensor": "n.x = t",
            "object.x, tensor": "n.x",
        },
        ffi=ffi,
        library=library,
        m=ffi.load_module(library),
        n=ffi.get_global_func("bench.make")(None),
        t=ffi.from_dlpack(np.zeros(4, "float32")),
    )
    made |= rows(
        {
            "Module[name], missing": "try: m['none']\nexcept AttributeError: pass",
            "Module.name, missing": "try: m.none\nexcept AttributeError: pass",
            "Module.get_function, missing": "try: m.get_function('none')\nexcept AttributeError: pass",
        },
        **missing,
    )
    made |= rows(
        {
            "get_registered_type_keys": "r.get_registered_type_keys()",
            "list_global_func_names": "r.list_global_func_names()",
        },
        FEW,
        r=registry,
    )
    return made


def int_of_text(_x):
    """Fail."""
    raise ValueError("not an int")


def of_objects(ffi, name: str) -> dict:
    """Objects, the functions of dataclasses, enums, and what works on whole structures."""
    dataclasses, paths, serialization, core = (
        importlib.import_module(f"{name}.{part}") for part in ("dataclasses", "access_path", "serialization", "core")
    )
    point, wide, digit, letter = declared(ffi, dataclasses)
    whole = wide(1, "b", [1, 2], {"a": 1}, 3, point(1))
    path = paths.AccessPath.root().attr("a").array_item(1)
    points = [point(i) for i in range(20)]
    tree = ffi.Array([point(i) for i in range(20)])
    names = {
        "ffi": ffi,
        "dc": dataclasses,
        "s": serialization,
        "core": core,
        "AccessPath": paths.AccessPath,
        "Point": point,
        "Wide": wide,
        "Digit": digit,
        "Letter": letter,
        "p": point(1),
        "q": point(1),
        "w": whole,
        "v": wide(1, "b", [1, 2], {"a": 1}, 3, point(1)),
        "path": path,
        "other": paths.AccessPath.root().attr("a").array_item(1),
        "tree": tree,
        "same": ffi.Array([point(i) for i in range(20)]),
        "held": ffi.Array(points),
        "keep": points,
        "map_of": ffi.Map({f"key {i}": p for i, p in enumerate(points)}),
        "map_alone": ffi.Map({f"key {i}": point(i) for i in range(20)}),
        "text": serialization.to_json_graph_str(tree),
        "copy": copy,
        "pickle": pickle,
        "ints": [1, 2],
        "schema": core.TypeSchema.from_annotation(list[int]),
        "json": {"type": "ffi.Array", "args": [{"type": "int"}]},
        "json_text": '{"type":"ffi.Map","args":[{"type":"ffi.String"},{"type":"int"}]}',
        "kept": ffi.StructuralKey(ffi.Array([1, 2])),
        "again": ffi.StructuralKey(ffi.Array([1, 2])),
        "back": lambda n: None,
        "same_node": lambda n: n,
        "digit": digit.ONE,
    }
    quick = {
        "Object()": "Point(1)",
        "Object(), keywords": "Point(x=1, y=2.0)",
        "Object(), many fields": "Wide(1, 'b', ints, {'a': 1}, 3, p)",
        "object.x": "p.x",
        "object.x, text": "w.name",
        "object.x, container": "w.tags",
        "object.x, object": "w.below",
        "object.x =": "p.x = 1",
        "object.x =, container": "w.tags = ints",
        "object.x =, object": "w.below = p",
        "object ==": "p == q",
        "object ==, many fields": "w == v",
        "object <": "p < q",
        "hash(object)": "hash(p)",
        "hash(object), many fields": "hash(w)",
        "repr(object)": "repr(p)",
        "repr(object), many fields": "repr(w)",
        "Object.same_as": "p.same_as(q)",
        "object_repr": "core.object_repr(p)",
        "copy(object)": "copy.copy(p)",
        "copy(object), many fields": "copy.copy(w)",
        "is_dataclass": "dc.is_dataclass(p)",
        "fields": "dc.fields(Point)",
        "fields, of an object": "dc.fields(w)",
        "replace": "dc.replace(p, x=3)",
        "replace, many fields": "dc.replace(w, x=3)",
        "asdict": "dc.asdict(p)",
        "astuple": "dc.astuple(p)",
        "Enum.ONE": "Digit.ONE",
        "Enum.value": "digit.value",
        "Enum.value, text": "Letter.A.value",
        "Enum ==": "digit == 1",
        "hash(Enum)": "hash(digit)",
        "repr(Enum)": "repr(digit)",
        "Enum.get": "Digit.get('ONE')",
        "Enum.all_entries": "list(Digit.all_entries())",
        "AccessPath.root": "AccessPath.root()",
        "AccessPath.attr": "path.attr('x')",
        "AccessPath.array_item": "path.array_item(1)",
        "AccessPath.map_item": "path.map_item('x')",
        "AccessPath.is_prefix_of": "path.is_prefix_of(other)",
        "AccessPath.to_steps": "path.to_steps()",
        "AccessPath ==": "path == other",
        "AccessPath ==, the same": "path == path",
        "AccessPath !=": "path != other",
        "hash(AccessPath)": "hash(path)",
        "repr(AccessPath)": "repr(path)",
        "AccessPath.parent": "path.parent",
        "AccessPath.step": "path.step",
        "AccessPath.depth": "path.depth",
        "AccessStep.kind": "path.step.kind",
        "AccessStep.key": "path.step.key",
        "StructuralKey()": "ffi.StructuralKey(held)",
        "hash(StructuralKey)": "hash(kept)",
        "StructuralKey ==": "kept == again",
        "StructuralKey.key": "kept.key",
        "structural_equal": "ffi.structural_equal(p, q)",
        "structural_hash": "ffi.structural_hash(p)",
        "TypeSchema.convert": "schema.convert(ints)",
        "TypeSchema.check_value": "schema.check_value(ints)",
        "TypeSchema.repr": "schema.repr()",
        "TypeSchema.to_json": "schema.to_json()",
        "TypeSchema.from_json_obj": "core.TypeSchema.from_json_obj(json)",
        "TypeSchema.from_json_str": "core.TypeSchema.from_json_str(json_text)",
        "TypeSchema.from_annotation": "core.TypeSchema.from_annotation(int)",
        "TypeSchema ==": "schema == schema",
    }
    slow = {
        "asdict, many fields": "dc.asdict(w)",
        "astuple, many fields": "dc.astuple(w)",
        "deepcopy(object)": "copy.deepcopy(p)",
        "deepcopy(object), many fields": "copy.deepcopy(w)",
        "deepcopy(Array), of objects": "copy.deepcopy(tree)",
        "deepcopy(Array), of objects that Python holds": "copy.deepcopy(held)",
        "deepcopy(Map), of objects": "copy.deepcopy(map_alone)",
        "deepcopy(Map), of objects that Python holds": "copy.deepcopy(map_of)",
        "pickle(object)": "pickle.dumps(p)",
        "pickle(object), many fields": "pickle.dumps(w)",
        "unpickle(object)": "pickle.loads(pickle.dumps(p))",
        "structural_equal, of a tree": "ffi.structural_equal(tree, same)",
        "structural_hash, of a tree": "ffi.structural_hash(tree)",
        "get_first_structural_mismatch": "ffi.get_first_structural_mismatch(tree, same)",
        "structural_walk": "ffi.structural_walk(tree, (Point, back))",
        "structural_map": "ffi.structural_map(tree, (Point, same_node))",
        "structural_visit": "ffi.structural_visit(tree, (Point, back))",
        "structural_mutate": "ffi.structural_mutate(tree, (Point, same_node))",
        "to_json_graph_str": "s.to_json_graph_str(tree)",
        "from_json_graph_str": "s.from_json_graph_str(text)",
        "repr(Array), of objects": "repr(tree)",
    }
    return rows(quick, **names) | rows(slow, FEW, **names)


def main() -> None:
    """Serves requests until the input ends."""
    peer, folder = sys.argv[1:3]
    keep_a_thread()
    ffi = load_ffi(peer, folder)
    name = ffi.__name__
    operations = of_containers(ffi) | of_values(ffi) | of_functions(ffi, name, folder) | of_objects(ffi, name)
    serve({row: each for row, each in operations.items() if runs(each)})


def runs(operation: Operation) -> bool:
    """Whether a peer has an operation."""
    try:
        operation.timer.timeit(1)
    except (AttributeError, TypeError, NotImplementedError):
        return False
    return True


if __name__ == "__main__":
    main()
