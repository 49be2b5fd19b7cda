package selfsame_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"runtime"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Everything has a field of each kind.
type Everything struct {
	selfsame.Object
	I8     int8
	I16    int16
	I32    int32
	I64    int64 `ffi:"default=-7" doc:"a number"`
	Int    int
	U8     uint8
	U16    uint16
	U32    uint32
	U64    uint64
	F32    float32
	F64    float64 `ffi:"default=1.5"`
	Flag   bool    `ffi:"default=true"`
	hidden int64
	Text   selfsame.String
	Raw    selfsame.Bytes
	Value  selfsame.Any `ffi:"default='seven or more'"`
	Point  selfsame.Ref[Point]
	Maybe  selfsame.Opt[Point]
	Ints   selfsame.Array[int64]
	Floats selfsame.Array[float64]
	Points selfsame.Array[*PointHandle]
	Nested selfsame.Array[[]string]
	Fixed  int64 `ffi:"ro,name=constant,default=42"`
	Secret int64 `ffi:"-"`
}

var EverythingClass = selfsame.MustRegister[Everything]("test.Everything", selfsame.Doc("One of each."))

// Requirement: D1
func TestFieldsAreReadAndWrittenFromOutside(t *testing.T) {
	balanced(t)
	h := EverythingClass.New(nil)
	p := PointClass.New(nil)
	for _, c := range []struct {
		name string
		set  any
		want any // nil: as set
	}{
		{"i8", int64(-128), nil},
		{"i16", int64(32767), nil},
		{"i32", int64(math.MinInt32), nil},
		{"i64", int64(math.MaxInt64), nil},
		{"int", true, int64(1)},
		{"u8", int64(255), nil},
		{"u16", int64(65535), nil},
		{"u32", int64(math.MaxUint32), nil},
		{"u64", int64(math.MaxInt64), nil},
		{"f32", 0.5, nil},
		{"f64", int64(3), 3.0},
		{"flag", int64(0), false},
		{"text", "short", nil},
		{"text", "a long string, öäü", nil},
		{"raw", []byte("1234567"), nil},
		{"raw", []byte("more than seven\x00\xff"), nil},
		{"value", p, nil},
		{"value", nil, nil},
		{"point", p, nil},
		{"maybe", p, nil},
		{"maybe", nil, nil},
	} {
		if err := selfsame.SetField(h, c.name, c.set); err != nil {
			t.Errorf("%s = %v: %v", c.name, c.set, err)
			continue
		}
		want := c.want
		if want == nil {
			want = c.set
		}
		got := must(selfsame.GetField(h, c.name))(t)
		if b, ok := want.([]byte); ok {
			if !slices.Equal(got.([]byte), b) {
				t.Errorf("%s = %v, want %v", c.name, got, want)
			}
		} else if got != want {
			t.Errorf("%s = %v (%T), want %v (%T)", c.name, got, got, want, want)
		}
	}
	e := h.Get()
	if e.I8 != -128 || e.U32 != math.MaxUint32 || e.F32 != 0.5 || e.Flag || e.Text.Get() != "a long string, öäü" {
		t.Errorf("in Go: %v %v %v %v %q", e.I8, e.U32, e.F32, e.Flag, e.Text.Get())
	}
	if e.Point.Get() != p || e.Maybe.Get() != nil || e.Value.Get() != nil {
		t.Error("object fields differ in Go")
	}
	runtime.KeepAlive(h)
}

// Requirement: D1
func TestFieldErrorsNameTheField(t *testing.T) {
	balanced(t)
	h := EverythingClass.New(nil)
	p := PointClass.New(nil)
	list := must(selfsame.NewArray([]any{1, "two"}))(t)
	mixed := must(selfsame.NewArray([]any{p, 1}))(t)
	for _, c := range []struct {
		name       string
		set        any
		kind, part string
	}{
		{"i8", 128, "OverflowError", "Integer value 128 does not fit in int8 (-128 to 127) (field `test.Everything.i8`)"},
		{"u8", -1, "OverflowError", "Integer value -1 does not fit in uint8"},
		{"u64", -1, "OverflowError", "Integer value -1 does not fit in uint64"},
		{"i64", 1.0, "TypeError", "Cannot convert from type `float` to `int` (field `test.Everything.i64`)"},
		{"f64", "x", "TypeError", "Cannot convert from type `ffi.SmallStr` to `float`"},
		{"flag", nil, "TypeError", "Cannot convert from type `None` to `bool`"},
		{"text", []byte("x"), "TypeError", "Cannot convert from type `ffi.SmallBytes` to `str`"},
		{"raw", "x", "TypeError", "Cannot convert from type `ffi.SmallStr` to `bytes`"},
		{"point", nil, "TypeError", "Cannot convert from type `None` to `geo.Point`"},
		{"point", h, "TypeError", "Cannot convert from type `test.Everything` to `geo.Point`"},
		{"maybe", 1, "TypeError", "Cannot convert from type `int` to `Optional<geo.Point>`"},
		{"ints", 1, "TypeError", "Cannot convert from type `int` to `Array<int>`"},
		{"ints", list, "TypeError", "Cannot convert from type `Array[index 1: ffi.SmallStr]` to `Array<int>`"},
		{"points", mixed, "TypeError", "Cannot convert from type `Array[index 1: int]` to `Array<geo.Point>`"},
		{"nested", mixed, "TypeError", "Cannot convert from type `Array[index 0: geo.Point]` to `Array<Array<str>>`"},
		{"constant", 1, "AttributeError", "read only"},
		{"secret", 1, "AttributeError", "SetField: `test.Everything` has no field `secret`"},
		{"hidden", 1, "AttributeError", "no field"},
		{"poimts", 1, "AttributeError", "SetField: `test.Everything` has no field `poimts`; did you mean 'points'?"},
	} {
		wantError(t, selfsame.SetField(h, c.name, c.set), c.kind, c.part)
	}
}

// A field of type uint64 holds each of its values, which beyond int64 cross as BigInt.
//
// Requirement: D1
func TestFieldsOfUint64HoldTheirWholeRange(t *testing.T) {
	balanced(t)
	h := EverythingClass.New(nil)
	for _, n := range []uint64{0, 1, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64 - 1, math.MaxUint64} {
		h.Get().U64 = n
		if got := must(selfsame.GetField(h, "u64"))(t); fmt.Sprint(got) != fmt.Sprint(n) {
			t.Errorf("read: got %v, want %d", got, n)
		}
		h.Get().U64 = 7
		if err := selfsame.SetField(h, "u64", n); err != nil || h.Get().U64 != n {
			t.Errorf("set: got %d, %v, want %d", h.Get().U64, err, n)
		}
	}
	beyond := new(big.Int).Lsh(big.NewInt(1), 64)
	for _, n := range []any{-1, math.MinInt64, beyond, new(big.Int).Neg(beyond), new(big.Int).Lsh(beyond, 64)} {
		wantError(t, selfsame.SetField(h, "u64", n), "OverflowError", "does not fit in uint64")
	}
	for _, name := range []string{"i64", "u32", "i8"} {
		if err := selfsame.SetField(h, name, beyond); err != nil {
			wantError(t, err, "OverflowError", "An integer of more than 64 bits, at least 2**63, does not fit in")
		}
	}
}

// Requirement: D1
func TestNewObjectsHaveInitialValues(t *testing.T) {
	balanced(t)
	h := EverythingClass.New(nil)
	e := h.Get()
	if e.I64 != -7 || e.F64 != 1.5 || !e.Flag || e.Fixed != 42 || e.hidden != 0 || e.U64 != 0 {
		t.Errorf("numbers: %v %v %v %v %v", e.I64, e.F64, e.Flag, e.Fixed, e.U64)
	}
	if e.Text.Get() != "" || e.Raw.Len() != 0 || e.Value.Get() != "seven or more" {
		t.Errorf("texts: %q %q %v", e.Text.Get(), e.Raw.Get(), e.Value.Get())
	}
	if e.Point.Get() != nil || e.Point.Ptr() != nil || e.Ints.Len() != 0 || e.Points.Len() != 0 {
		t.Error("objects are not empty")
	}
	if got := must(selfsame.GetField(h, "points"))(t).(*selfsame.Array[any]); got.Len() != 0 {
		t.Errorf("points = %v", got)
	}
	if got := must(selfsame.GetField(h, "constant"))(t); got != int64(42) {
		t.Errorf("constant = %v", got)
	}
}

func TestCellsInGo(t *testing.T) {
	balanced(t)
	h := EverythingClass.New(nil)
	e := h.Get()
	e.Raw.Set([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9})
	e.Value.Set([]int64{1, 2, 3})
	e.Nested.Set([]string{"a", "a longer string"}, nil)
	if got := e.Raw.Get(); len(got) != 9 || got[8] != 9 {
		t.Errorf("Raw = %v", got)
	}
	if a := e.Value.Get().(*selfsame.Array[any]); a.Len() != 3 || a.At(2) != int64(3) {
		t.Errorf("Value = %v", a)
	}
	if s := e.Nested.At(0); len(s) != 2 || s[1] != "a longer string" || len(e.Nested.At(1)) != 0 {
		t.Errorf("Nested = %q", s)
	}
	wantPanic(t, "TypeError", "chan int has no counterpart", func() { e.Value.Set(make(chan int)) })
	wantPanic(t, "ValueError", "nil handle", func() { e.Point.Set(nil) })
	p := PointClass.New(nil)
	e.Point.Set(p)
	p.Release()
	wantPanic(t, "RuntimeError", "after Release", func() { e.Maybe.Set(p) })
	if e.Point.Ptr().Label.Get() != "a label by default" {
		t.Error("the field does not own its object")
	}
}

// Requirement: D1
func TestReflectionDescribesTheFields(t *testing.T) {
	info := bridge.TypeInfo(EverythingClass.TypeIndex())
	if key := info.Key.String(); key != "test.Everything" {
		t.Fatalf("key = %s", key)
	}
	if info.Metadata == nil || info.Metadata.Doc.String() != "One of each." || info.Metadata.Creator == 0 {
		t.Errorf("metadata: %+v", info.Metadata)
	}
	type want struct {
		schema string
		flags  int64
		index  int32
		size   int64
	}
	rw, def, plain := abi.FlagWritable, abi.FlagHasDefault, abi.FlagPlain
	wants := map[string]want{
		"i8":       {`{"type":"int"}`, rw, 1, 1},
		"i64":      {`{"type":"int"}`, rw | def | plain, 1, 8},
		"f32":      {`{"type":"float"}`, rw, 3, 4},
		"flag":     {`{"type":"bool"}`, rw | def | plain, 2, 1},
		"text":     {`{"type":"ffi.String"}`, rw | plain, -1, 16},
		"raw":      {`{"type":"ffi.Bytes"}`, rw | plain, -1, 16},
		"value":    {`{"type":"Any"}`, rw | def | plain, -1, 16},
		"point":    {`{"type":"geo.Point"}`, rw | plain, 64, 8},
		"maybe":    {`{"type":"Optional","args":[{"type":"geo.Point"}]}`, rw | plain, 64, 8},
		"points":   {`{"type":"ffi.Array","args":[{"type":"geo.Point"}]}`, rw | plain, 71, 8},
		"nested":   {`{"type":"ffi.Array","args":[{"type":"ffi.Array","args":[{"type":"ffi.String"}]}]}`, rw | plain, 71, 8},
		"constant": {`{"type":"int"}`, def | plain, 1, 8},
	}
	seen := 0
	for _, f := range info.OwnFields() {
		w, ok := wants[f.Name.String()]
		if !ok {
			continue
		}
		seen++
		var metadata struct {
			TypeSchema string `json:"type_schema"`
		}
		testenv.OK(t, json.Unmarshal(f.Metadata.Bytes(), &metadata))
		if metadata.TypeSchema != w.schema || f.Flags != w.flags || f.StaticTypeIndex != w.index || f.Size != w.size {
			t.Errorf("%s: schema %s flags %#x index %d size %d", f.Name.String(), metadata.TypeSchema, f.Flags, f.StaticTypeIndex, f.Size)
		}
	}
	if seen != len(wants) || len(info.OwnFields()) != 22 {
		t.Errorf("%d of %d fields, %d in all", seen, len(wants), len(info.OwnFields()))
	}
	for _, m := range bridge.TypeInfo(PointClass.TypeIndex()).OwnMethods() {
		if m.Name.String() != "scale" {
			continue
		}
		want := `{"type_schema":"{\"type\":\"ffi.Function\",\"args\":[{\"type\":\"None\"},{\"type\":\"geo.Point\"},{\"type\":\"float\"}]}","arg_names":["k"],"go_func":"github.com/selfsame-ffi/selfsame_test.(*Point).Scale","dtypes":["","","float64"]}`
		if got := m.Metadata.String(); got != want || m.Doc.String() != "Multiplies both coordinates." || m.Flags != 0 {
			t.Errorf("scale: %s %q %#x", got, m.Doc.String(), m.Flags)
		}
	}
}
