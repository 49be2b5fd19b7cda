// Package kinds is the table of the kinds of values that the ABI itself has: their type indices, type keys, and names in each
// language. The package copies writes what C and Python need of it.
package kinds

import (
	"cmp"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Kind is one kind of value: a row of All.
type Kind struct {
	Index int32
	Key   string // the type key that the runtime registers, and the name in the schemas of native code
	Words string // in messages to Python code; "": the key without "ffi."
	// Python is the kind's own name in Python's schemas. As is the name of the kind that Python code sees in its place.
	// When both are empty, Key is the name.
	Python, As string
	// Cpp and Rust are the types of an owned value, with the namespace and the crate of tvm-ffi, and Go is that in a package of
	// somebody's library; "": the language has none.
	Cpp, Rust, Go string
	// Result is the annotation of a result in a Python module, and Argument that of a parameter, which takes more types; "": Result.
	Result, Argument string
	Args             int // how many types of elements a container has, which are arguments of the types above
}

// All are the kinds, by index.
var All = []Kind{
	{Index: abi.IndexAny, Key: "Any", Cpp: "ffi::Any", Rust: "tvm_ffi::Any", Go: "any"},
	{Index: abi.IndexNone, Key: "None", Cpp: "void", Rust: "()", Go: "any", Result: "None"},
	{Index: abi.IndexInt, Key: "int", Cpp: "int64_t", Rust: "i64", Go: "int64", Result: "int"},
	{Index: abi.IndexBool, Key: "bool", Cpp: "bool", Rust: "bool", Go: "bool", Result: "bool"},
	{Index: abi.IndexFloat, Key: "float", Cpp: "double", Rust: "f64", Go: "float64", Result: "float"},
	{Index: abi.IndexOpaquePtr, Key: "void*", Words: "an address", Python: "ctypes.c_void_p", Cpp: "void*", Go: "unsafe.Pointer"},
	{Index: abi.IndexDataType, Key: "DataType", Python: "dtype", Cpp: "DLDataType", Rust: "tvm_ffi::DLDataType",
		Go: "selfsame.DataType", Result: "_ffi.dtype", Argument: "_ffi.dtype | str"},
	{Index: abi.IndexDevice, Key: "Device", Cpp: "DLDevice", Rust: "tvm_ffi::DLDevice",
		Go: "selfsame.Device", Result: "_ffi.Device", Argument: "_ffi.Device | str"},
	{Index: abi.IndexDLTensorPtr, Key: "DLTensor*", As: "Tensor"},
	{Index: abi.IndexRawStr, Key: "const char*", Words: "str", As: "str"},
	{Index: abi.IndexByteArrayPtr, Key: "TVMFFIByteArray*", Words: "bytes", As: "bytes"},
	{Index: abi.IndexObjectRValueRef, Key: "ObjectRValueRef", As: "Object"},
	{Index: abi.IndexSmallStr, Key: "ffi.SmallStr", Words: "str", As: "str"},
	{Index: abi.IndexSmallBytes, Key: "ffi.SmallBytes", Words: "bytes", As: "bytes"},
	{Index: abi.IndexUnchanged, Key: "ffi.Unchanged"},
	{Index: abi.IndexObject, Key: "ffi.Object", Python: "Object", Cpp: "ffi::ObjectRef", Rust: "tvm_ffi::object::ObjectRef",
		Result: "_ffi.Object"},
	{Index: abi.IndexStr, Key: "ffi.String", Words: "str", Python: "str", Cpp: "ffi::String", Rust: "tvm_ffi::String",
		Go: "string", Result: "str"},
	{Index: abi.IndexBytes, Key: "ffi.Bytes", Words: "bytes", Python: "bytes", Cpp: "ffi::Bytes", Rust: "tvm_ffi::Bytes",
		Go: "[]byte", Result: "bytes"},
	{Index: abi.IndexError, Key: "ffi.Error", Cpp: "ffi::Error", Rust: "tvm_ffi::Error",
		Go: "*selfsame.Error", Result: "_ffi.Error", Argument: "_ffi.Error | BaseException"},
	{Index: abi.IndexFunction, Key: "ffi.Function", Words: "a callable", Python: "Callable", Cpp: "ffi::Function", Rust: "tvm_ffi::Function",
		Result: "_ffi.Function", Argument: "_typing.Callable[..., _typing.Any]"},
	{Index: abi.IndexShape, Key: "ffi.Shape", Cpp: "ffi::Shape", Rust: "tvm_ffi::Shape",
		Go: "*selfsame.Shape", Result: "_ffi.Shape", Argument: "_typing.Sequence[int]"},
	{Index: abi.IndexTensor, Key: "ffi.Tensor", Python: "Tensor", Cpp: "ffi::Tensor", Rust: "tvm_ffi::Tensor",
		Go: "*selfsame.Tensor", Result: "_ffi.Tensor", Argument: "_ffi.SupportsDLPack"},
	{Index: abi.IndexArray, Key: "ffi.Array", Args: 1, Words: "list or Array", Python: "Array", Cpp: "ffi::Array", Rust: "tvm_ffi::Array",
		Go: "*selfsame.Array", Result: "_ffi.Array", Argument: "_typing.Sequence"},
	{Index: abi.IndexMap, Key: "ffi.Map", Args: 2, Words: "dict or Map", Python: "Map", Cpp: "ffi::Map", Rust: "tvm_ffi::Map",
		Go: "*selfsame.Map", Result: "_ffi.Map", Argument: "_typing.Mapping"},
	{Index: abi.IndexModule, Key: "ffi.Module", Rust: "tvm_ffi::Module", Go: "*selfsame.Module", Result: "_ffi.Module"},
	{Index: abi.IndexOpaquePyObject, Key: "ffi.OpaquePyObject", Words: "another Python object", As: "Any"},
	{Index: abi.IndexList, Key: "ffi.List", Args: 1, Python: "List", Cpp: "ffi::List", Rust: "tvm_ffi::List",
		Go: "*selfsame.List", Result: "_ffi.List", Argument: "_typing.Sequence"},
	{Index: abi.IndexDict, Key: "ffi.Dict", Args: 2, Python: "Dict", Cpp: "ffi::Dict",
		Go: "*selfsame.Dict", Result: "_ffi.Dict", Argument: "_typing.Mapping"},
	{Index: abi.IndexVisitInterrupt, Key: "ffi.VisitInterrupt"},
	{Index: abi.IndexBigInt, Key: "ffi.BigInt", Words: "int of more than 64 bits", As: "int", Rust: "tvm_ffi::BigInt",
		Go: "any", Result: "int"},
}

// IsObject says whether values of the kind are objects.
func (k Kind) IsObject() bool { return k.Index >= abi.IndexStaticObjectBegin }

// Origin returns the origin in Python's schemas.
func (k Kind) Origin() string { return cmp.Or(k.Python, k.As, k.Key) }

// Of returns the kind of a type index; ok is false for the index of a class.
func Of(index int32) (k Kind, ok bool) {
	for _, k := range All {
		if k.Index == index {
			return k, true
		}
	}
	return Kind{}, false
}

// ByKey returns the kind of a type key; ok is false for the key of a class.
func ByKey(key string) (k Kind, ok bool) {
	for _, k := range All {
		if k.Key == key {
			return k, true
		}
	}
	return Kind{}, false
}

// Named returns the kind that a name in a schema stands for: a type key, with or without "ffi.", or a name in Python.
func Named(name string) (k Kind, ok bool) {
	for _, key := range []string{name, "ffi." + name} {
		if k, ok = ByKey(key); ok {
			return k, true
		}
	}
	for _, k := range All {
		if k.As == "" && k.Origin() == name {
			return k, true
		}
	}
	return Kind{}, false
}

// Seen returns the kind as Python code sees it: another one for some, as a text for a small text.
func (k Kind) Seen() Kind {
	if k.As != "" {
		k, _ = Named(k.As)
	}
	return k
}

// Words returns pairs of texts: what native code writes, and what Python code reads instead. At each place of a text
// the first pair that fits is taken.
func Words() []string {
	var pairs []string
	for _, k := range All {
		if k.Words != "" {
			pairs = append(pairs, k.Key, k.Words)
		}
	}
	return append(pairs, "ffi.", "", "<", "[", ">", "]")
}
