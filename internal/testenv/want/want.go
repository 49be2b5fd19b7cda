// Package want has what tests of the frontend expect: errors and panics of a kind, and no objects left over.
package want

import (
	"errors"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Error checks an error's kind and a part of its message.
func Error(t testing.TB, err error, kind, part string) *selfsame.Error {
	t.Helper()
	var e *selfsame.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a %s", err, kind)
	}
	if e.Kind != kind || !strings.Contains(e.Message, part) {
		t.Fatalf("got %s: %s\nwant %s: ...%s...", e.Kind, e.Message, kind, part)
	}
	return e
}

// Panic checks that f panics with an error.
func Panic(t testing.TB, kind, part string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		if r == nil {
			t.Fatalf("no panic, want %s: ...%s...", kind, part)
		}
		err, ok := r.(error)
		if !ok {
			t.Fatalf("panic with %v", r)
		}
		Error(t, err, kind, part)
	}()
	f()
}

// Balanced checks that the test leaves as many live objects as it found of the builtin classes and of those with the given keys, and built with the tag debug,
// as many natives of every class that Go code made.
func Balanced(t *testing.T, keys ...string) {
	t.Helper()
	keys = append(keys, "ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict", "ffi.Tensor", "ffi.Shape", "ffi.Function", "ffi.String", "ffi.Bytes",
		"ffi.Error", "selfsame.GoError")
	count := func() map[string]int64 {
		selfsame.Collect()
		live := map[string]int64{}
		for _, key := range keys {
			if n, ok := selfsame.LiveObjects(key); ok {
				live[key] = n
			}
		}
		return live
	}
	before := count()
	nativesBefore := nativesByClass()
	t.Cleanup(func() {
		after := count()
		for key, n := range after {
			if n != before[key] {
				t.Errorf("live %s: %d before the test, %d after", key, before[key], n)
			}
		}
		for key, natives := range nativesByClass() {
			if n := len(nativesBefore[key]); len(natives) > n {
				t.Errorf("live natives of %s: %d before the test, %d after: %v", key, n, len(natives), natives)
			}
		}
	})
}

// nativesByClass counts the living native objects that Go code made, by class; it is empty without the tag debug.
func nativesByClass() map[string][]selfsame.LiveNative {
	live := map[string][]selfsame.LiveNative{}
	for _, n := range selfsame.LiveNatives() {
		live[n.TypeKey] = append(live[n.TypeKey], n)
	}
	return live
}
