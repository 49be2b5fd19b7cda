package main

import (
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// useKinds sends values of every kind through Go and back: as arguments and results, through callbacks, fields and
// containers. It also sends values of other kinds. It runs on both runtimes, but checks identity on selfsame's only.
const useKinds = `
import ctypes, math, re, sys

ffi = __import__(sys.argv[1])
import kinds

INT64 = (-(1 << 63), (1 << 63) - 1)
WORDS = {"ffi.SmallStr": "str", "ffi.String": "str", "ffi.SmallBytes": "bytes", "ffi.Bytes": "bytes", "ffi.Function": "a callable",
         "ffi.Array": "list or Array", "ffi.Map": "dict or Map", "Array<": "list[", "Map<": "dict[", "<": "[", ">": "]", "ffi.": ""}
identity = sys.argv[1] == "selfsame_ffi"
thing, special = kinds.Thing(7), kinds.Special()
array, shape = ffi.Array([INT64[0], 0, INT64[1]]), ffi.Shape((0, INT64[1], 3))
function = ffi.convert(lambda x: x)
table = {"a longer key": 1, "": INT64[0]}
long = "é€😀\0" * 5000


def integers(low, high):
    wrong = [(1.0, TypeError, "float"), (None, TypeError, "None"), ("1", TypeError, "ffi.SmallStr"), (thing, TypeError, "kinds.Thing")]
    for n in (low - 1, high + 1):
        if INT64[0] <= n <= INT64[1]:
            wrong.append((n, OverflowError, f"Integer value {n} does not fit in"))
    return "int", [0, 1, low, high], wrong


def floats(*extremes):
    wrong = [("x", TypeError, "ffi.SmallStr"), (None, TypeError, "None")]
    return "float", [0.0, -0.0, math.inf, -math.inf, math.nan, *extremes], wrong


float32_max = (2 - 2**-23) * 2.0**127
KINDS = {
    **{f"int{n}": integers(-(1 << n - 1), (1 << n - 1) - 1) for n in (8, 16, 32, 64)},
    **{f"uint{n}": integers(0, min((1 << n) - 1, INT64[1])) for n in (8, 16, 32, 64)},
    "int": integers(*INT64),
    "uint": integers(0, INT64[1]),
    "float32": floats(float32_max, -float32_max, 2.0**-149),
    "float64": floats(sys.float_info.max, -sys.float_info.max, 5e-324),
    "bool": ("bool", [True, False], [(1.5, TypeError, "float"), (None, TypeError, "None")]),
    "dtype": ("DataType", [ffi.dtype("float64"), ffi.dtype("int8x4")], [(1, TypeError, "int"), ("floaty", ValueError, "")]),
    "device": ("Device", [ffi.device("cpu", 0), ffi.device("cuda", 3)], [(1, TypeError, "int"), ("nowhere", ValueError, "")]),
    "string": ("str", ["", "seven..", "eight...", "nul\0inside", "é€😀", long], [(b"x", TypeError, "ffi.SmallBytes"), (1, TypeError, "int")]),
    "bytes": ("bytes", [b"", b"\0", b"seven..", b"eight..\xff", long.encode()], [("x", TypeError, "ffi.SmallStr"), (None, TypeError, "None")]),
    "any": ("Any", [None, INT64[0], 1.5, True, "x", long, b"\xff", thing, array], []),
    "object": ("kinds.Thing", [thing, special], [(None, TypeError, "None"), (array, TypeError, "ffi.Array")]),
    "maybe": ("Optional<kinds.Thing>", [None, thing, special], [(1, TypeError, "int")]),
    "array": ("Array<int>", [array], [([1, "2"], TypeError, "Array[index 1: ffi.SmallStr]"), (1, TypeError, "int")]),
    "list": ("List<str>", [ffi.List(["", "more than seven"])], [(["a", 1], TypeError, "List[index 1: int]")]),
    "map": ("Map<str, int>", [ffi.Map(table)], [({7: 1}, TypeError, "Map[key at 7: int]"), ({"a": 1.5}, TypeError, 'Map[value at "a": float]')]),
    "dict": ("Dict<int, float>", [ffi.Dict({1: 0.5})], [({"a": 1}, TypeError, 'Dict[key at "a": ffi.SmallStr]')]),
    "shape": ("ffi.Shape", [shape], [(1, TypeError, "int")]),
    "function": ("ffi.Function", [function], [(1, TypeError, "int")]),
}


def same(a, b):
    if isinstance(b, float):
        return type(a) is float and (a == b and math.copysign(1, a) == math.copysign(1, b) or math.isnan(a) and math.isnan(b))
    if isinstance(b, ffi.Object) and not isinstance(b, tuple):
        return a is b if identity else a.same_as(b)
    return a == b and (isinstance(a, type(b)) if isinstance(b, (str, bytes)) else type(a) is type(b))


def refused(kind, parts, f, *args):
    try:
        f(*args)
    except kind as e:
        missing = [part for part in parts if part not in str(e)]
        assert not missing, (missing, str(e))
    else:
        raise AssertionError(f"{f} took {args}")


def words(text):
    """A type in the words of Python: "str" for "ffi.SmallStr", "str at [1]" for "Array[index 1: ffi.SmallStr]"."""
    if place := re.fullmatch(r"\w+\[(index|value at|key at) (.*?): (.*)\]", text):
        return words(place[3]) + " as a key" if place[1] == "key at" else inside(place[3], f"[{place[2]}]")
    for old, new in WORDS.items():
        text = text.replace(old, new)
    return re.sub(r"Optional\[(.*)\]", r"\1 or None", text)


def inside(got, path):
    text, _, deeper = words(got).partition(" at ")
    return f"{text} at {path}{deeper}"


for name, (schema, values, wrong) in KINDS.items():
    go = lambda way: getattr(kinds, f"{name}_{way}")
    for value in values:
        for way in ("echo", "adapted", "optional"):
            assert same(go(way)(value), value), (name, way, value, go(way)(value))
        assert same(go("call")(lambda x: x, value), value), (name, value)
        if name != "uint8":  # []uint8 is bytes
            assert same(go("slice")([value, value])[1], value), (name, value)
        assert same(go("array")([value])[0], value) and same(go("list")([value, value])[1], value), (name, value)
        for way in ("gomap", "map", "dict"):
            assert same(go(way)({"a key": value})["a key"], value), (name, way, value)
        assert same(go("tuple")((value, "x"))[0], value), (name, value)
    assert go("optional")(None) is None
    for value, kind, got in wrong:
        whole = [f"expected {words(schema)}, got {words(got)}"] if kind is TypeError else [got]
        for way in ("echo", "adapted"):
            refused(kind, [*whole, f"kinds.{name}_{way}: argument 'e': "], go(way), value)
        if kind is TypeError:
            refused(kind, [f"got {inside(got, '[1]')}"], go("array"), [values[0], value])
            refused(kind, ["got " + inside(got, '["k"]')], go("dict"), {"k": value})
    for cls in (f"Holder_{name}", f"Plain_{name}"):
        if not hasattr(kinds, cls):
            continue
        h = getattr(kinds, cls)()
        for value in values:
            h.value = value
            assert same(h.value, value), (cls, value, h.value)
        for value, kind, got in wrong:
            refused(kind, [f"kinds.{cls}.value", words(got) if kind is TypeError and identity else got], setattr, h, "value", value)
        if cls[0] == "P":
            continue
        for value in values:
            h.maybe, h.array, h.list, h.map, h.dict = value, [value], [value], {"k": value}, {"k": value}
            for got in (h.maybe, h.array[0], h.list[0], h.map["k"], h.dict["k"]):
                assert same(got, value), (cls, value, got)
        h.maybe = None
        assert h.maybe is None
        for value, kind, got in wrong:
            if kind is TypeError:
                came = "got " + inside(got, "[1]") if identity else f"List[index 1: {got}]"  # the stock package shows the text for C++
                refused(kind, [f"kinds.{cls}.list", came], setattr, h, "list", [values[0], value])

# An error is an argument and a result as well, and a tensor is the same one wherever it has been.
try:
    kinds.int8_echo(None)
except TypeError as e:
    error = ffi.convert(e)
    assert str(kinds.error_echo(error)) == str(error)
numpy = __import__("numpy")
tensor = ffi.from_dlpack(numpy.arange(4.0))
again = kinds.tensor_echo(tensor)
again_array = numpy.from_dlpack(kinds.tensor_slice([again])[0])
assert again_array.tolist() == [0, 1, 2, 3] and (not identity or again is tensor)

# A NumPy array of one dimension is accepted for a slice of numbers, whatever its strides, as the list of its elements is.
numbers = [f"{kind}{n}" for kind in ("int", "uint") for n in (8, 16, 32, 64) if (kind, n) != ("uint", 8)]
numbers += ["int", "uint", "float32", "float64", "bool"]
for name in numbers:
    go = getattr(kinds, f"{name}_slice")
    for dtype in (*(f"{kind}{n}" for kind in ("int", "uint") for n in (8, 16, 32, 64)), "float32", "float64", "bool"):
        for array in (numpy.arange(5).astype(dtype), numpy.arange(8).astype(dtype)[::-2], numpy.arange(0).astype(dtype)):
            try:
                want = list(go(array.tolist()))
            except TypeError:
                refused(TypeError, [f"kinds.{name}_slice: argument 'e': "], go, array)
            else:
                assert list(go(array)) == want, (name, dtype, array)
got = list(kinds.float64_slice(numpy.array([1.5, numpy.nan, -numpy.inf])))
assert got[0] == 1.5 and math.isnan(got[1]) and got[2] == -math.inf
refused(OverflowError, ["argument 'e'[1]: "], kinds.int8_slice, numpy.array([1, 200]))
refused(OverflowError, ["does not fit"], kinds.int64_slice, numpy.array([2**63], dtype="uint64"))
assert list(kinds.uint64_slice(numpy.array([7, 2**63 - 1], dtype="uint64"))) == [7, 2**63 - 1]
refused(ValueError, ["one dimension"], kinds.float64_slice, numpy.zeros((2, 2)))
refused(TypeError, ["numbers", "float16"], kinds.float64_slice, numpy.zeros(2, dtype="float16"))
refused(TypeError, ["got numpy.ndarray" if identity else "Tensor"], kinds.string_slice, numpy.zeros(2))
print(len(KINDS))
`

// Every kind of value crosses between Python and Go, on either runtime, with its extremes. A value of another kind raises
// an error that names function, argument, and both types.
//
// Requirements: D1, D5
func TestEveryKindOfValueCrossesIntoPython(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles an extension for each runtime")
	}
	python := stockPython(t)
	for runtime, module := range map[string]string{"selfsame": "selfsame_ffi", "tvm-ffi": "tvm_ffi"} {
		t.Run(runtime, func(t *testing.T) {
			out := t.TempDir()
			ran(t, "build", filepath.Join(testenv.Root(), "internal", "testenv", "everykind"), "--name", "kinds", "-o", out, "--runtime", runtime)
			if got := inPython(t, python, out, useKinds, module); got != "26" {
				t.Errorf("%s kinds were tested", got)
			}
			if runtime == "tvm-ffi" {
				checkHeader(t, filepath.Join(out, "kinds"))
			}
		})
	}
}

// checkHeader compiles the C++ interface of a package with values of every kind, of each of which the table says the type.
func checkHeader(t *testing.T, built string) {
	t.Helper()
	include, _ := testenv.TvmFFI(t)
	header := filepath.Join(t.TempDir(), "kinds.hpp")
	ran(t, "bind", "--cpp", built, "-o", header)
	testenv.Run(t, "g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter",
		"-isystem", include, "-fsyntax-only", "-x", "c++", "-include", header, "/dev/null")
}
