// Package testvalues makes values for tests. Each function ends the test on failure. The caller owns the result and must
// release it.
package testvalues

import (
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/jsontext"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// JSON parses a JSON text.
func JSON(t testing.TB, text string) abi.Any {
	t.Helper()
	v, err := jsontext.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%.80s: %v", text, err)
	}
	return v
}

// Text makes a string: a small one up to 7 bytes, else one on the heap.
func Text(t testing.TB, s string) abi.Any {
	t.Helper()
	v, err := graph.String(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Bytes makes a bytes value.
func Bytes(t testing.TB, content string) abi.Any {
	t.Helper()
	v, err := graph.NewBytes([]byte(content))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Array makes an Array and takes ownership of its elements.
func Array(t testing.TB, items ...abi.Any) abi.Any {
	t.Helper()
	h, err := graph.NewArray(items)
	return object(t, h, err)
}

func object(t testing.TB, h unsafe.Pointer, err error) abi.Any {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return abi.ObjectValue(h)
}

// List makes a List and takes ownership of its elements.
func List(t testing.TB, items ...abi.Any) abi.Any {
	t.Helper()
	h, err := graph.NewList(items)
	return object(t, h, err)
}

// Map makes a Map (index abi.IndexMap) or Dict (abi.IndexDict) from alternating keys and values, and takes ownership of
// them.
func Map(t testing.TB, index int32, items ...abi.Any) abi.Any {
	t.Helper()
	h, err := graph.NewMap(index, items)
	if err != nil {
		t.Fatal(err)
	}
	return abi.ObjectValue(h)
}

// Append adds a value to a List and takes ownership of it.
func Append(t testing.TB, list, v abi.Any) {
	t.Helper()
	call(t, "ffi.ListAppend", list, v)
	graph.Release(v)
}

// Set stores a value under a key in a Dict and takes ownership of both.
func Set(t testing.TB, dict, key, v abi.Any) {
	t.Helper()
	call(t, "ffi.DictSetItem", dict, key, v)
	graph.ReleaseAll([]abi.Any{key, v})
}

// Clear empties a List or Dict.
func Clear(t testing.TB, container abi.Any) {
	t.Helper()
	if container.TypeIndex == abi.IndexDict {
		call(t, "ffi.DictClear", container)
	} else {
		call(t, "ffi.ListClear", container)
	}
}

func call(t testing.TB, name string, args ...abi.Any) {
	t.Helper()
	function := plane.Global(name)
	defer plane.DecRef(function)
	if _, err := graph.Call(function, args...); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// Shape makes a Shape.
func Shape(t testing.TB, dims ...int64) abi.Any {
	t.Helper()
	v, err := graph.NewShape(dims)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Nest wraps a value into depth Arrays, one inside the other, and takes ownership of it.
func Nest(t testing.TB, v abi.Any, depth int) abi.Any {
	t.Helper()
	for range depth {
		v = Array(t, v)
	}
	return v
}
