package selfsame_test

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/testenv/everykind"
)

// kindNames are the kinds of package kinds.
var kindNames = []string{
	"int8", "int16", "int32", "int64", "int", "uint8", "uint16", "uint32", "uint64", "uint", "float32", "float64", "bool", "dtype",
	"device", "string", "bytes", "any", "pointer", "object", "maybe", "array", "list", "map", "dict", "tensor", "shape", "function",
	"module", "error",
}

// waysOfKinds are the functions that package kinds has for each kind.
var waysOfKinds = []string{"echo", "adapted", "optional", "slice", "array", "list", "gomap", "map", "dict", "tuple", "call"}

// objectsForFuzzing are values that cannot be made of bytes.
var objectsForFuzzing = sync.OnceValue(func() []any {
	tensor, err := selfsame.NewTensor([]float32{1, 2})
	if err != nil {
		panic(err)
	}
	shape, err := selfsame.NewShape(1, 2)
	if err != nil {
		panic(err)
	}
	function, err := selfsame.NewFunc(func(v any) any { return v })
	if err != nil {
		panic(err)
	}
	return []any{
		everykind.ThingClass.New(nil), everykind.SpecialClass.New(nil), tensor, shape, function, errors.New("an error"), selfsame.CPU,
		selfsame.DataTypeOf[float32](), map[any]any{"a": 1}, map[any]any{int64(1): 0.5}, []any{"a"}, []any{1, 2}, "float32", "cuda:1",
	}
})

// kindValue reads a value of any kind out of fuzz data.
func kindValue(data []byte) any {
	if len(data) > 0 && data[0] >= 128 {
		objects := objectsForFuzzing()
		return objects[int(data[0])%len(objects)]
	}
	value, _, _ := valueIn(data, 0)
	return value
}

// Any value, passed in any way to a function of a kind, either survives the round trip unchanged or is refused with an error
// of the frontend that names the function. There is no panic, no crash and no other error.
func FuzzKinds(f *testing.F) {
	number := binary.LittleEndian.AppendUint64([]byte{1}, math.MaxUint64)
	for i := range kindNames {
		for way := range waysOfKinds {
			f.Add(byte(i), byte(way), number)
			f.Add(byte(i), byte(way), []byte{128 + byte(i)})
		}
	}
	f.Fuzz(func(t *testing.T, kind, way byte, data []byte) {
		name := "kinds." + kindNames[int(kind)%len(kindNames)] + "_" + waysOfKinds[int(way)%len(waysOfKinds)]
		fn := must(selfsame.GetFunc(name))(t)
		args := []any{kindValue(data)}
		switch {
		case strings.HasSuffix(name, "_call"):
			args = []any{objectsForFuzzing()[4], args[0]}
		case strings.HasSuffix(name, "_slice") || strings.HasSuffix(name, "_array") && name != "kinds.array_array" || strings.HasSuffix(name, "_list"):
			args = []any{[]any{args[0], args[0]}}
		case strings.HasSuffix(name, "map") || strings.HasSuffix(name, "_dict"):
			args = []any{map[string]any{"key": args[0]}}
		case strings.HasSuffix(name, "_tuple"):
			args = []any{[]any{args[0], "x"}}
		}
		first, err := fn.Call(args...)
		if err != nil {
			var e *selfsame.Error
			if !errors.As(err, &e) || !slices.Contains([]string{"TypeError", "ValueError", "OverflowError"}, e.Kind) {
				t.Fatalf("%s(%v): %v", name, args, err)
			}
			if !strings.Contains(e.Message, name) && !strings.Contains(e.Message, "UTF-8") {
				t.Fatalf("%s(%v): the message does not name the function: %s", name, args, e.Message)
			}
			return
		}
		again, err := fn.Call(append(args[:len(args)-1:len(args)-1], first)...)
		if err != nil {
			t.Fatalf("%s(%v) is %v, which is refused: %v", name, args, first, err)
		}
		if _, isObject := again.(interface{ Release() }); !isObject && !sameKind(again, first) {
			t.Fatalf("%s(%v) is %v, and again %v", name, args, first, again)
		}
	})
}
