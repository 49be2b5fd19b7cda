package selfsame_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/internal/testenv/everykind"
)

// kindCase is one kind of value of the ABI. Package kinds has functions and classes for it, a C++ library a typed function.
type kindCase struct {
	name   string // in package kinds
	cpp    string // the C++ function, if it has another name
	schema string // as it stands in messages
	plain  bool   // a class struct may hold it as it is
	values []any  // values that must survive a round trip, among them the extremes
	like   [][2]any
	wrong  []wrongValue
}

// wrongValue is a value that must be refused.
type wrongValue struct {
	value any
	kind  string // of the error
	got   string // its type in messages; for another error than a TypeError the whole message up to where it arose
}

// mistyped returns values of other types than the one wanted.
func mistyped(values map[string]any) (out []wrongValue) {
	for got, value := range values {
		out = append(out, wrongValue{value, "TypeError", got})
	}
	return out
}

func outOfRange(name string, values ...int64) (out []wrongValue) {
	for _, n := range values {
		out = append(out, wrongValue{n, "OverflowError", fmt.Sprintf("Integer value %d does not fit in %s", n, name)})
	}
	return out
}

func integerKind(name string, least, most int64) kindCase {
	values := []any{int64(0), int64(1), least, most}
	var beyond []wrongValue
	if least > math.MinInt64 {
		beyond = append(beyond, outOfRange(name, least-1, math.MinInt64)...)
	}
	if most < math.MaxInt64 {
		beyond = append(beyond, outOfRange(name, most+1, math.MaxInt64)...)
	}
	return kindCase{name: name, schema: "int", plain: true, values: values, like: [][2]any{{true, int64(1)}},
		wrong: append(beyond, mistyped(map[string]any{"float": 1.0, "None": nil, "ffi.SmallStr": "1", "kinds.Thing": everykind.ThingClass.New(nil)})...)}
}

func floatKind(name string, values ...float64) kindCase {
	k := kindCase{name: name, schema: "float", plain: true, like: [][2]any{{int64(7), 7.0}, {true, 1.0}},
		wrong: mistyped(map[string]any{"ffi.SmallStr": "1.5", "None": nil, "ffi.Array": []float64{1}})}
	for _, x := range append(values, 0, math.Copysign(0, -1), -1.5, math.Inf(1), math.Inf(-1), math.NaN()) {
		k.values = append(k.values, x)
	}
	return k
}

// kindCases makes the table. The objects in it live as long as the table.
func kindCases(t *testing.T) []kindCase {
	thing, special := everykind.ThingClass.New(func(x *everykind.Thing) { x.N = 7 }), everykind.SpecialClass.New(nil)
	tensor := must(selfsame.NewTensor([]float64{1, 2, 3, 4}, 2, 2))(t)
	function := must(selfsame.NewFunc(func() {}))(t)
	array := must(selfsame.NewArray([]int64{math.MinInt64, 0, math.MaxInt64}))(t)
	list := must(selfsame.NewList([]string{"", "seven..", "more than seven"}))(t)
	mapped := must(selfsame.NewMap(map[string]int64{"": math.MinInt64, "a longer key": math.MaxInt64}))(t)
	dict := must(selfsame.NewDict(map[int64]float64{math.MinInt64: math.Inf(-1), 1: math.SmallestNonzeroFloat64}))(t)
	shape := must(selfsame.NewShape(0, math.MaxInt64, 3))(t)
	failure := must(must(selfsame.NewFunc(func() any { return errors.New("a failure") }))(t).Call())(t).(*selfsame.Error)
	module := kindsModule(t)
	var anchor byte
	long := strings.Repeat("é€😀\x00", 5000)
	cases := []kindCase{
		integerKind("int8", math.MinInt8, math.MaxInt8), integerKind("int16", math.MinInt16, math.MaxInt16),
		integerKind("int32", math.MinInt32, math.MaxInt32), integerKind("int64", math.MinInt64, math.MaxInt64),
		integerKind("int", math.MinInt64, math.MaxInt64),
		integerKind("uint8", 0, math.MaxUint8), integerKind("uint16", 0, math.MaxUint16), integerKind("uint32", 0, math.MaxUint32),
		integerKind("uint64", 0, math.MaxInt64), integerKind("uint", 0, math.MaxInt64),
		floatKind("float32", math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32),
		floatKind("float64", math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64),
		{name: "bool", schema: "bool", plain: true, values: []any{true, false}, like: [][2]any{{int64(2), true}, {int64(0), false}},
			wrong: mistyped(map[string]any{"float": 1.0, "None": nil, "ffi.SmallStr": "true"})},
		{name: "dtype", schema: "DataType", plain: true,
			values: []any{must(selfsame.ParseDataType("float64"))(t), must(selfsame.ParseDataType("int8x4"))(t), must(selfsame.ParseDataType("float8_e4m3fn"))(t)},
			like:   [][2]any{{"bool", selfsame.DataTypeOf[bool]()}, {"uint8", selfsame.DataTypeOf[uint8]()}},
			wrong:  append(mistyped(map[string]any{"int": 1, "None": nil, "Device": selfsame.CPU}), wrongValue{"floaty", "ValueError", ""})},
		{name: "device", schema: "Device", plain: true,
			values: []any{selfsame.CPU, selfsame.Device{Type: 2, ID: math.MaxInt32}, must(selfsame.ParseDevice("vulkan:7"))(t)},
			like:   [][2]any{{"cpu", selfsame.CPU}},
			wrong:  append(mistyped(map[string]any{"int": 1, "None": nil, "DataType": selfsame.DataTypeOf[bool]()}), wrongValue{"nowhere", "ValueError", ""})},
		{name: "string", schema: "str", values: []any{"", "a", "seven..", "eight...", "nul\x00inside", "é€😀", long},
			wrong: append(mistyped(map[string]any{"ffi.SmallBytes": []byte("x"), "int": 1, "None": nil}), wrongValue{"\xff", "ValueError", "The string is not UTF-8 at byte 0"})},
		{name: "bytes", schema: "bytes", values: []any{[]byte{}, []byte{0}, []byte("seven.."), []byte("eight..\xff"), []byte(long)},
			wrong: mistyped(map[string]any{"ffi.SmallStr": "x", "ffi.String": "a longer text", "None": nil})},
		{name: "any", schema: "Any", values: []any{nil, int64(math.MinInt64), math.NaN(), true, "", long, []byte{0xff}, thing, array, tensor, function, selfsame.CPU}},
		{name: "pointer", schema: "void*", values: []any{unsafe.Pointer(&anchor)}, like: [][2]any{{unsafe.Pointer(nil), unsafe.Pointer(nil)}}, wrong: mistyped(map[string]any{"int": 1, "kinds.Thing": thing})},
		{name: "object", schema: "kinds.Thing", values: []any{thing, special}, wrong: mistyped(map[string]any{"None": nil, "int": 1, "geo.Point": PointClass.New(nil), "ffi.Array": array})},
		{name: "maybe", schema: "Optional<kinds.Thing>", values: []any{nil, thing, special}, wrong: mistyped(map[string]any{"int": 1, "geo.Point": PointClass.New(nil)})},
		{name: "array", schema: "Array<int>", values: []any{array}, wrong: mistyped(map[string]any{
			"None": nil, "int": 1, "ffi.Map": mapped, "Array[index 2: ffi.SmallStr]": []any{1, 2, "3"}, "Array[index 0: None]": []any{nil}})},
		{name: "list", schema: "List<str>", values: []any{list}, wrong: mistyped(map[string]any{"None": nil, "ffi.SmallStr": "abc", "List[index 1: int]": []any{"a", 1}})},
		{name: "map", cpp: "map_", schema: "Map<str, int>", values: []any{mapped}, wrong: mistyped(map[string]any{
			"None": nil, "ffi.Array": array, "Map[key at 7: int]": map[int]int{7: 1}, `Map[value at "a": float]`: map[string]float64{"a": 1}})},
		{name: "dict", schema: "Dict<int, float>", values: []any{dict}, wrong: mistyped(map[string]any{
			"None": nil, "ffi.List": list, `Dict[key at "a": ffi.SmallStr]`: map[string]int{"a": 1}, "Dict[value at 1: None]": map[int]any{1: nil}})},
		{name: "tensor", schema: "ffi.Tensor", values: []any{tensor}, wrong: mistyped(map[string]any{"None": nil, "ffi.Array": array})},
		{name: "shape", schema: "ffi.Shape", values: []any{shape}, wrong: mistyped(map[string]any{"None": nil, "int": 3})},
		{name: "function", schema: "ffi.Function", values: []any{function}, wrong: mistyped(map[string]any{"None": nil, "int": 3, "kinds.Thing": thing})},
		{name: "module", schema: "ffi.Module", values: []any{module}, wrong: mistyped(map[string]any{"None": nil, "kinds.Thing": thing})},
		{name: "error", schema: "ffi.Error", values: []any{failure}, wrong: mistyped(map[string]any{"None": nil, "ffi.SmallStr": "error"})},
	}
	return cases
}

// kindsLibrary compiles the C++ library of the tests, with the kernels of the example, once per process. The suite on shared
// runtimes uses the library that its parent process has compiled.
func kindsLibrary(t *testing.T) string {
	t.Helper()
	if ready := os.Getenv("SELFSAME_KINDS_LIBRARY"); ready != "" {
		return ready
	}
	if testing.Short() {
		t.Skip("compiles C++")
	}
	include, _ := testenv.TvmFFI(t)
	path := filepath.Join(t.TempDir(), "kinds.so")
	kindsOnce.Do(func() {
		testenv.Run(t, "g++", "-std=c++17", "-O0", "-fPIC", "-shared", "-DTVM_FFI_DLL_EXPORT_INCLUDE_METADATA=1",
			"-I", include, "-o", path, "internal/testenv/everykind/testdata/kinds.cc")
		kindsCompiled, _ = os.ReadFile(path)
	})
	if err := os.WriteFile(path, kindsCompiled, 0o755); err != nil || len(kindsCompiled) == 0 {
		t.Fatalf("%d bytes compiled, %v", len(kindsCompiled), err)
	}
	return path
}

var (
	kindsOnce     sync.Once
	kindsCompiled []byte
)

// kindsModule returns the library, loaded once for the whole process.
func kindsModule(t *testing.T) *selfsame.Module {
	t.Helper()
	path := kindsLibrary(t)
	kindsLoad.Do(func() { kindsLoaded, kindsFailed = selfsame.LoadModule(path) })
	return must(kindsLoaded, kindsFailed)(t)
}

var (
	kindsLoad   sync.Once
	kindsLoaded *selfsame.Module
	kindsFailed error
)

// sameKind compares a value with the expected one: numbers by their bits, but any NaN with any, objects by identity.
func sameKind(got, want any) bool {
	if x, ok := want.(float64); ok && math.IsNaN(x) {
		y, ok := got.(float64)
		return ok && math.IsNaN(y)
	}
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	if g.Kind() == reflect.Pointer && w.Kind() == reflect.Pointer { // handles of any element type are one handle
		return g.Pointer() == w.Pointer()
	}
	return sameValue(got, want)
}

// refused checks an error of a wrong value. form is the type of the whole argument or field with %s for the kind's, gotForm
// the one that came, and where how the place is named.
func (w *wrongValue) refused(t *testing.T, err error, expected, got, where string) {
	t.Helper()
	var e *selfsame.Error
	if !errors.As(err, &e) || e.Kind != w.kind {
		t.Errorf("%v (%s): got %v, want a %s", w.value, where, err, w.kind)
		return
	}
	testenv.Contains(t, e.Message, expected, got, where)
}

// Every kind of value comes back from Go funcs as it went: as an argument and result of a func, typed or not, called back,
// missing or not, and in each container.
//
// Requirements: D1, D5
func TestKindsPassAsArguments(t *testing.T) {
	balancedKinds(t)
	for _, k := range kindCases(t) {
		t.Run(k.name, func(t *testing.T) {
			fn := func(way string) *selfsame.Function { return must(selfsame.GetFunc("kinds." + k.name + "_" + way))(t) }
			pairs := k.like
			for _, v := range k.values {
				pairs = append(pairs, [2]any{v, v})
			}
			identity := must(selfsame.NewFunc(func(v any) any { return v }))(t)
			for _, p := range pairs {
				for _, way := range []string{"echo", "adapted", "optional"} {
					if got, err := fn(way).Call(p[0]); err != nil || !sameKind(got, p[1]) {
						t.Errorf("%s: %v came back as %v (%T), %v", way, p[0], got, got, err)
					}
				}
				if got, err := fn("call").Call(identity, p[0]); err != nil || !sameKind(got, p[1]) {
					t.Errorf("called back: %v came back as %v, %v", p[0], got, err)
				}
				// A container that crosses as itself keeps what it holds as it is; what Go reads of it is converted.
				for _, c := range []struct {
					way  string
					want any
				}{{"slice", p[1]}, {"array", p[0]}, {"list", p[0]}} {
					if k.name == "uint8" && c.way == "slice" {
						continue // []uint8 is Bytes
					}
					got, err := fn(c.way).Call([]any{p[0], p[0]})
					if err != nil || !sameKind(elementOf(got, 1), c.want) {
						t.Errorf("%s: %v came back as %v, %v", c.way, p[0], got, err)
					}
				}
				for _, c := range []struct {
					way  string
					want any
				}{{"gomap", p[1]}, {"map", p[0]}, {"dict", p[0]}} {
					got, err := fn(c.way).Call(map[string]any{"a key": p[0]})
					if err != nil || !sameKind(entryOf(got, "a key"), c.want) {
						t.Errorf("%s: %v came back as %v, %v", c.way, p[0], got, err)
					}
				}
				if got, err := fn("tuple").Call([]any{p[0], "x"}); err != nil || !sameKind(elementOf(got, 0), p[1]) {
					t.Errorf("tuple: %v came back as %v, %v", p[0], got, err)
				}
			}
			if got, err := fn("optional").Call(nil); err != nil || got != nil {
				t.Errorf("None came back as %v, %v", got, err)
			}
			for _, w := range k.wrong {
				k.wrongArgument(t, &w, fn)
			}
		})
	}
}

func (k *kindCase) wrongArgument(t *testing.T, w *wrongValue, fn func(way string) *selfsame.Function) {
	t.Helper()
	if w.value == "\xff" { // nothing that Go code could pass
		_, err := fn("echo").Call(w.value)
		w.refused(t, err, "", w.got, "")
		return
	}
	for _, way := range []string{"echo", "adapted", "call"} {
		args, at := []any{w.value}, 0
		if way == "call" {
			args, at = []any{fn("echo"), w.value}, 1
		}
		_, err := fn(way).Call(args...)
		where := fmt.Sprintf("argument #%d when calling: `kinds.%s_%s(", at, k.name, way)
		if w.kind == "TypeError" {
			w.refused(t, err, "Expected `"+k.schema+"`", "but got `"+w.got+"`", where)
		} else {
			w.refused(t, err, "", w.got, where)
		}
	}
	good := w.value
	if len(k.values) > 0 {
		good = k.values[0]
	}
	for _, c := range []struct{ way, what, place string }{
		{"slice", "Array", "index 1"}, {"array", "Array", "index 1"}, {"list", "List", "index 1"},
		{"gomap", "Map", `value at "a key"`}, {"map", "Map", `value at "a key"`}, {"dict", "Dict", `value at "a key"`},
	} {
		if k.name == "uint8" && c.way == "slice" {
			continue
		}
		var value any = map[string]any{"a key": w.value}
		if strings.HasPrefix(c.place, "index") {
			value = []any{good, w.value}
		}
		_, err := fn(c.way).Call(value)
		where := fmt.Sprintf("argument #0 when calling: `kinds.%s_%s(", k.name, c.way)
		if w.kind == "TypeError" {
			w.refused(t, err, k.schema+">`", "but got `"+c.what+"["+c.place+": "+w.got+"]`", where)
		} else {
			w.refused(t, err, c.what+"["+c.place+"]", w.got, where)
		}
	}
}

// elementOf returns an element of an Array or List that came as any.
func elementOf(v any, i int) any {
	switch s := v.(type) {
	case *selfsame.Array[any]:
		return s.At(i)
	case *selfsame.List[any]:
		return s.At(i)
	}
	return fmt.Errorf("no sequence: %v", v)
}

func entryOf(v any, key any) (value any) {
	switch m := v.(type) {
	case *selfsame.Map[any, any]:
		value, _ = m.Get(key)
	case *selfsame.Dict[any, any]:
		value, _ = m.Get(key)
	default:
		return fmt.Errorf("no map: %v", v)
	}
	return value
}

// balancedKinds checks the balance as balanced does, for a test that loads a module, which stays for the life of the
// process.
func balancedKinds(t *testing.T) {
	t.Helper()
	kindsModule(t)
	balanced(t)
}

// Every kind comes back from C++ as it went: as a typed argument and result of a C++ function that calls a Go func with it,
// and from fields that C++ code reads and writes by reflection. Wrong values are refused there as well.
//
// Requirements: D1, D5
func TestKindsPassThroughCpp(t *testing.T) {
	balancedKinds(t)
	module := kindsModule(t)
	getField, setField := must(module.Func("get_field"))(t), must(module.Func("set_field"))(t)
	for _, k := range kindCases(t) {
		t.Run(k.name, func(t *testing.T) {
			name := k.cpp
			if name == "" {
				name = k.name
			}
			through := must(module.Func(name))(t)
			echo := must(selfsame.GetFunc("kinds." + k.name + "_echo"))(t)
			for _, v := range k.values {
				if got, err := through.Call(echo, v); err != nil || !sameKind(got, v) {
					t.Errorf("%v came back as %v (%T), %v", v, got, got, err)
				}
			}
			for _, f := range k.fields() {
				h := must(selfsame.NewObject(f.class))(t)
				for _, v := range k.values {
					if v == nil && f.field == "value" && k.name != "maybe" && k.name != "any" {
						continue
					}
					if _, err := setField.Call(h, f.class, f.field, f.make(v)); err != nil {
						t.Errorf("%s.%s = %v: %v", f.class, f.field, v, err)
						continue
					}
					got, err := getField.Call(h, f.class, f.field)
					here := must(selfsame.GetField(h, f.field))(t)
					if err != nil || !sameKind(f.read(got), v) || !sameKind(f.read(here), v) {
						t.Errorf("%s.%s = %v came back as %v, here %v, %v", f.class, f.field, v, f.read(got), f.read(here), err)
					}
				}
				for _, w := range k.wrong {
					if w.value == "\xff" || f.field == "maybe" && w.value == nil {
						continue
					}
					before := must(selfsame.GetField(h, f.field))(t)
					where := "(field `" + f.class + "." + f.field + "`)"
					for _, err := range []error{
						selfsame.SetField(h, f.field, f.make(w.value)),
						func() error { _, err := setField.Call(h, f.class, f.field, f.make(w.value)); return err }(),
					} {
						if w.kind == "TypeError" {
							w.refused(t, err, "to `"+fmt.Sprintf(f.schema, k.schema)+"`", "from type `"+fmt.Sprintf(f.got, w.got)+"`", where)
						} else {
							w.refused(t, err, "", w.got, where)
						}
					}
					if after := must(selfsame.GetField(h, f.field))(t); !sameKind(after, before) {
						t.Errorf("%s.%s changed from %v to %v when %v was refused", f.class, f.field, before, after, w.value)
					}
				}
			}
		})
	}
}

// kindField is a field that holds values of a kind in some way.
type kindField struct {
	class, field string
	schema, got  string // of the field, and of what is refused, with %s for that of the value
	make         func(v any) any
	read         func(v any) any
}

// fields returns the fields that package kinds has for a kind.
func (k *kindCase) fields() []kindField {
	itself := func(v any) any { return v }
	sequence := func(v any) any { return []any{v} }
	first := func(v any) any { return elementOf(v, 0) }
	table := func(v any) any { return map[string]any{"a key": v} }
	entry := func(v any) any { return entryOf(v, "a key") }
	holder := "kinds.Holder_" + k.name
	fields := []kindField{
		{holder, "value", "%s", "%s", itself, itself},
		{holder, "maybe", "Optional<%s>", "%s", itself, itself},
		{holder, "array", "Array<%s>", "Array[index 0: %s]", sequence, first},
		{holder, "list", "List<%s>", "List[index 0: %s]", sequence, first},
		{holder, "map", "Map<str, %s>", `Map[value at "a key": %s]`, table, entry},
		{holder, "dict", "Dict<str, %s>", `Dict[value at "a key": %s]`, table, entry},
	}
	if k.plain {
		fields = append(fields, kindField{"kinds.Plain_" + k.name, "value", "%s", "%s", itself, itself})
	}
	return fields
}
