// Package values makes values for tests. Each function ends the test when it fails; the caller owns what it gets.
package values

import (
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
	"github.com/selfsame-ffi/selfsame/runtime/jsontext"
)

// JSON is the value of a JSON text.
func JSON(t testing.TB, text string) abi.Any {
	t.Helper()
	v, err := jsontext.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%.80s: %v", text, err)
	}
	return v
}

// Text is a string, small or on the heap as its length asks.
func Text(t testing.TB, s string) abi.Any {
	t.Helper()
	v, err := graph.String(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Bytes is a bytes value.
func Bytes(t testing.TB, content string) abi.Any {
	t.Helper()
	v, err := graph.NewBytes([]byte(content))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Array takes over its elements, and so do the other containers.
func Array(t testing.TB, items ...abi.Any) abi.Any {
	t.Helper()
	h, err := graph.NewArray(items)
	if err != nil {
		t.Fatal(err)
	}
	return abi.ObjectValue(h)
}

// List is a List.
func List(t testing.TB, items ...abi.Any) abi.Any {
	t.Helper()
	h, err := graph.NewList(items)
	if err != nil {
		t.Fatal(err)
	}
	return abi.ObjectValue(h)
}

// Map is a Map (abi.IndexMap) or Dict (abi.IndexDict) of keys and values in turn.
func Map(t testing.TB, index int32, items ...abi.Any) abi.Any {
	t.Helper()
	h, err := graph.NewMap(index, items)
	if err != nil {
		t.Fatal(err)
	}
	return abi.ObjectValue(h)
}

// Shape is a Shape.
func Shape(t testing.TB, dims ...int64) abi.Any {
	t.Helper()
	v, err := graph.NewShape(dims)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Nest wraps a value into Arrays, depth times.
func Nest(t testing.TB, v abi.Any, depth int) abi.Any {
	t.Helper()
	for range depth {
		v = Array(t, v)
	}
	return v
}
