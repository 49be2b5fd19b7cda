package selfsame_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/selfsame-ffi/selfsame"
)

// fuzzFuncs are the native functions that the fuzzers call: one for all values, and one per type.
var fuzzFuncs = sync.OnceValue(func() map[string]*selfsame.Function {
	funcs := map[string]*selfsame.Function{}
	for name, fn := range map[string]any{
		"any": func(v any) any { return v }, "adapted any": adaptedFunc1(func(v any) any { return v }),
		"int8": func(n int8) int8 { return n }, "int16": func(n int16) int16 { return n }, "int32": func(n int32) int32 { return n },
		"int64": func(n int64) int64 { return n }, "uint8": func(n uint8) uint8 { return n }, "uint16": func(n uint16) uint16 { return n },
		"uint32": func(n uint32) uint32 { return n }, "uint64": func(n uint64) uint64 { return n },
		"adapted int8": adaptedFunc1(func(n int8) int8 { return n }), "adapted uint32": adaptedFunc1(func(n uint32) uint32 { return n }),
		"float64": func(x float64) float64 { return x }, "string": func(s string) string { return s },
		"adapted string": adaptedFunc1(func(s string) string { return s }), "bytes": func(b []byte) []byte { return b },
		"strings": func(xs []string) []string { return xs },
	} {
		f, err := selfsame.NewFunc(fn)
		if err != nil {
			panic(err)
		}
		funcs[name] = f
	}
	return funcs
})

// valueIn reads one Go value out of fuzz data, and the form in which it comes back.
func valueIn(data []byte, depth int) (value, back any, rest []byte) {
	if len(data) == 0 {
		return nil, nil, nil
	}
	kind, data := data[0]%8, data[1:]
	word := make([]byte, 8)
	switch kind {
	case 0:
		return nil, nil, data
	case 1, 2, 3:
		data = data[copy(word, data):]
		n := int64(binary.LittleEndian.Uint64(word))
		switch kind {
		case 1:
			return n, n, data
		case 2:
			return math.Float64frombits(uint64(n)), math.Float64frombits(uint64(n)), data
		}
		return n&1 == 1, n&1 == 1, data
	case 4, 5:
		size := 0
		if len(data) > 0 {
			size, data = min(int(data[0]), len(data)-1), data[1:]
		}
		content := data[:size]
		if kind == 4 && utf8.Valid(content) {
			return string(content), string(content), data[size:]
		}
		return content, content, data[size:]
	}
	if depth > 4 {
		return nil, nil, data
	}
	values, backs := []any{}, []any{}
	for len(data) > 0 && len(values) < 6 {
		var v, b any
		v, b, data = valueIn(data, depth+1)
		values, backs = append(values, v), append(backs, b)
	}
	return values, backs, data
}

// plain converts a result to Go values without handles: arrays to slices.
func plain(v any) any {
	if a, ok := v.(*selfsame.Array[any]); ok {
		out := []any{}
		for _, e := range a.All() {
			out = append(out, plain(e))
		}
		return out
	}
	return v
}

func sameValue(a, b any) bool {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return ok && math.Float64bits(x) == math.Float64bits(y)
	case []byte:
		y, ok := b.([]byte)
		return ok && bytes.Equal(x, y)
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !sameValue(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

// Any tree of values comes back unchanged from a native function and from a field of type Any.
func FuzzValues(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{6, 4, 3, 'a', 'b', 'c', 5, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 2, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f, 7, 3, 1})
	f.Add([]byte{4, 7, '1', '2', '3', '4', '5', '6', '7'})
	f.Add(append([]byte{4, 8}, "12345678"...))
	f.Add([]byte{5, 2, 0xff, 0xfe})
	f.Fuzz(func(t *testing.T, data []byte) {
		value, back, _ := valueIn(data, 0)
		for _, name := range []string{"any", "adapted any"} {
			got, err := fuzzFuncs()[name].Call(value)
			if err != nil || !sameValue(back, plain(got)) {
				t.Fatalf("%s: %#v came back as %#v, %v", name, value, plain(got), err)
			}
		}
		h := EverythingClass.New(func(e *Everything) { e.Value.Set(value) })
		if got := plain(h.Get().Value.Get()); !sameValue(back, got) {
			t.Fatalf("field: %#v came back as %#v", value, got)
		}
		h.Release()
	})
}

// An integer fits into a type or is refused with an OverflowError, by reflection and by an adapter.
func FuzzIntegers(f *testing.F) {
	for _, n := range []int64{0, -1, 127, 128, -128, -129, 255, 256, 32768, -32769, 65536, math.MaxInt32 + 1, math.MinInt32 - 1,
		math.MaxUint32, math.MaxUint32 + 1, math.MaxInt64, math.MinInt64} {
		f.Add(n)
	}
	ranges := map[string][2]int64{
		"int8": {math.MinInt8, math.MaxInt8}, "int16": {math.MinInt16, math.MaxInt16}, "int32": {math.MinInt32, math.MaxInt32},
		"int64": {math.MinInt64, math.MaxInt64}, "uint8": {0, math.MaxUint8}, "uint16": {0, math.MaxUint16},
		"uint32": {0, math.MaxUint32}, "uint64": {0, math.MaxInt64}, "adapted int8": {math.MinInt8, math.MaxInt8},
		"adapted uint32": {0, math.MaxUint32},
	}
	f.Fuzz(func(t *testing.T, n int64) {
		for name, limits := range ranges {
			got, err := fuzzFuncs()[name].Call(n)
			if n < limits[0] || n > limits[1] {
				wantError(t, err, "OverflowError", fmt.Sprintf("Integer value %d does not fit in", n))
			} else if err != nil || got != n {
				t.Fatalf("%s: %d came back as %v, %v", name, n, got, err)
			}
		}
		if got, err := fuzzFuncs()["float64"].Call(n); err != nil || got != float64(n) {
			t.Fatalf("float64: %d came back as %v, %v", n, got, err)
		}
	})
}

// A string is UTF-8 and comes back, or is refused; bytes always come back.
func FuzzTexts(f *testing.F) {
	for _, s := range []string{"", "1234567", "12345678", "é€😀", "\xff", "cut \xe2\x82", "\xed\xa0\x80", "nul\x00inside", "\xc0\xaf long enough"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := fuzzFuncs()["bytes"].Call([]byte(s)); err != nil || string(got.([]byte)) != s {
			t.Fatalf("bytes: %q came back as %v, %v", s, got, err)
		}
		for _, name := range []string{"string", "adapted string"} {
			got, err := fuzzFuncs()[name].Call(s)
			if !utf8.ValidString(s) {
				wantError(t, err, "ValueError", "not UTF-8")
			} else if err != nil || got != s {
				t.Fatalf("%s: %q came back as %v, %v", name, s, got, err)
			}
		}
		list, err := fuzzFuncs()["strings"].Call([]string{"first", s})
		if !utf8.ValidString(s) {
			wantError(t, err, "ValueError", "not UTF-8")
		} else if err != nil || list.(*selfsame.Array[any]).At(1) != s {
			t.Fatalf("in a list: %q: %v", s, err)
		}
	})
}
