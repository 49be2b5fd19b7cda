package selfsame_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Layer has a field of each kind that Everything has not.
type Layer struct {
	selfsame.Object
	Type    selfsame.DataType `ffi:"default='float32'"`
	Place   selfsame.Device   `ffi:"default='cpu'"`
	Weight  selfsame.Tensor
	Extents selfsame.Shape
	Names   selfsame.List[string]
	Sizes   selfsame.Map[string, float64]
	Groups  selfsame.Dict[string, *selfsame.Array[*PointHandle]]
	Act     selfsame.Field[*selfsame.Function]
	Bias    selfsame.Field[selfsame.Optional[*selfsame.Tensor]]
	Limit   selfsame.Field[selfsame.Optional[int64]] `ffi:"default=None"`
	Pair    selfsame.Field[selfsame.Tuple2[string, int64]]
	Failed  selfsame.Field[error]
}

var LayerClass = selfsame.MustRegister[Layer]("test.Layer")

// Requirement: D1
func TestFieldsOfEveryKindAreReadAndWritten(t *testing.T) {
	balanced(t)
	h, other := LayerClass.New(nil), LayerClass.New(nil)
	l := h.Get()
	if l.Type.String() != "float32" || l.Place != selfsame.CPU || l.Weight.Get() != nil || l.Extents.Len() != 0 || l.Act.Get() != nil ||
		l.Limit.Get().OK || l.Sizes.Len() != 0 {
		t.Errorf("new: %v %v %v %v", l.Type, l.Place, l.Weight.Get(), l.Limit.Get())
	}
	l.Names.Append("only here")
	l.Groups.Set("none", must(selfsame.NewArray([]*PointHandle{}))(t))
	if other.Get().Names.Len() != 0 || other.Get().Groups.Len() != 0 {
		t.Error("two objects share a list or a dict")
	}
	x := must(selfsame.NewTensor([]float32{1, 2}))(t)
	f := must(selfsame.NewFunc(func(n int64) int64 { return n + 1 }))(t)
	names := must(selfsame.NewList([]string{"a", "b"}))(t)
	p := PointClass.New(nil)
	for _, c := range []struct {
		name string
		set  any
		want any // nil: as set
	}{
		{"type", "int8x4", must(selfsame.ParseDataType("int8x4"))(t)},
		{"type", selfsame.DataTypeOf[bool](), nil},
		{"place", "cuda:2", must(selfsame.ParseDevice("cuda:2"))(t)},
		{"weight", x, nil},
		{"extents", must(selfsame.NewShape(4, 5))(t), nil},
		{"names", names, nil},
		{"act", f, nil},
		{"bias", x, nil},
		{"bias", nil, nil},
		{"limit", 5, int64(5)},
		{"limit", nil, nil},
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
		if list, ok := got.(*selfsame.List[any]); ok {
			if !slices.Equal(list.Slice(), []any{"a", "b"}) || l.Names.At(1) != "b" {
				t.Errorf("names = %v", list.Slice())
			}
			names.Append("c")
			if l.Names.Len() != 3 {
				t.Error("a list of the declared type was copied")
			}
		} else if got != want {
			t.Errorf("%s = %v (%T), want %v (%T)", c.name, got, got, want, want)
		}
	}
	if l.Weight.Get() != x || l.Weight.Len() != 2 || l.Extents.At(1) != 5 || l.Act.Get() != f || l.Place.String() != "cuda:2" {
		t.Errorf("in Go: %v %v", l.Weight.Get(), l.Act.Get())
	}
	if err := selfsame.SetField(h, "sizes", map[string]any{"one": 1, "half": 0.5}); err != nil {
		t.Error(err)
	}
	if v, ok := l.Sizes.Get("one"); !ok || v != 1 {
		t.Errorf("sizes: %v %v", v, ok)
	}
	if err := selfsame.SetField(h, "groups", map[string]any{"all": []any{p}}); err != nil {
		t.Error(err)
	}
	if a, ok := l.Groups.Get("all"); !ok || a.At(0) != p {
		t.Error("groups")
	}
	if err := selfsame.SetField(h, "pair", []any{"x", 3}); err != nil || l.Pair.Get() != (selfsame.Tuple2[string, int64]{First: "x", Second: 3}) {
		t.Errorf("pair = %v, %v", l.Pair.Get(), err)
	}
	failure := errors.New("a failure")
	l.Failed.Set(failure)
	if !errors.Is(l.Failed.Get(), failure) {
		t.Errorf("failed = %v", l.Failed.Get())
	}
	l.Pair.Set(selfsame.Tuple2[string, int64]{First: "from Go", Second: -1})
	if got := must(selfsame.GetField(h, "pair"))(t).(*selfsame.Array[any]); !slices.Equal(got.Slice(), []any{"from Go", int64(-1)}) {
		t.Errorf("pair from outside: %v", got.Slice())
	}
	l.Weight.Set(x)
	l.Extents.Set(7)
	l.Names.Assign(nil)
	l.Sizes.Assign(nil)
	l.Groups.Assign(nil)
	l.Act.Set(nil)
	if l.Extents.Len() != 1 || l.Names.Len() != 0 || l.Sizes.Len() != 0 || l.Act.Get() != nil {
		t.Error("Assign and Set")
	}
	wantPanic(t, "ValueError", "Tensor.Set: argument 'from': expected a tensor, got nil", func() { l.Weight.Set(nil) })
	wantPanic(t, "RuntimeError", "Tensor: expected a field of an object, got a handle, which cannot be set", func() { x.Set(x) })
}

// Requirement: D1
func TestFieldsOfEveryKindRefuseWrongValues(t *testing.T) {
	balanced(t)
	h := LayerClass.New(nil)
	for _, c := range []struct {
		name       string
		set        any
		kind, part string
	}{
		{"type", 1, "TypeError", "Cannot convert from type `int` to `DataType` (field `test.Layer.type`)"},
		{"type", "floaty", "ValueError", "(field `test.Layer.type`)"},
		{"type", "long" + strings.Repeat("g", 600), "ValueError", "(field `test.Layer.type`)"},
		{"place", "nowhere", "ValueError", "`nowhere` is not a device: `cpu`, `cuda:1` and the like (field `test.Layer.place`)"},
		{"weight", []float32{1}, "TypeError", "Cannot convert from type `ffi.Array` to `ffi.Tensor`"},
		{"weight", nil, "TypeError", "Cannot convert from type `None` to `ffi.Tensor`"},
		{"names", []any{"a", 1}, "TypeError", "Cannot convert from type `List[index 1: int]` to `List<str>`"},
		{"sizes", map[string]string{"a": "b"}, "TypeError", "Cannot convert from type `Map[value at \"a\": ffi.SmallStr]` to `Map<str, float>`"},
		{"sizes", map[int]float64{7: 1}, "TypeError", "Cannot convert from type `Map[key at 7: int]`"},
		{"sizes", map[string]string{"x" + strings.Repeat("ü", 30): "b"}, "TypeError", "Map[value at \"x" + strings.Repeat("ü", 19) + "\"...: "},
		{"groups", map[string]any{"a key that is long": []any{1}}, "TypeError", "`Dict[value at \"a key that is long\": Array[index 0: int]]`"},
		{"act", 1, "TypeError", "Cannot convert from type `int` to `ffi.Function`"},
		{"limit", "x", "TypeError", "Cannot convert from type `ffi.SmallStr` to `Optional<int>`"},
		{"pair", []any{"x"}, "TypeError", "Cannot convert from type `Array[size=1]` to `Tuple<str, int>`"},
		{"pair", []any{1, 1}, "TypeError", "Cannot convert from type `Array[index 0: int]` to `Tuple<str, int>`"},
		{"failed", 1, "TypeError", "Cannot convert from type `int` to `Optional<ffi.Error>`"},
	} {
		wantError(t, selfsame.SetField(h, c.name, c.set), c.kind, c.part)
	}
	type borrowing struct {
		selfsame.Object
		P selfsame.Field[*Point]
	}
	wantError(t, reg[borrowing]("t.D"), "TypeError", "borrowing.P: Field: expected a type that owns its value, got *selfsame_test.Point")
}
