package selfsame_test

import (
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Requirement: D4
func TestArrayHoldsNumbers(t *testing.T) {
	balanced(t)
	a := must(selfsame.NewArray([]int64{1, 2, 3}))(t)
	if a.Len() != 3 || a.At(1) != 2 || !slices.Equal(a.Slice(), []int64{1, 2, 3}) {
		t.Errorf("array: %d %v", a.Len(), a.Slice())
	}
	sum := int64(0)
	for i, v := range a.All() {
		if i == 2 {
			break
		}
		sum += v
	}
	if sum != 3 {
		t.Errorf("sum = %d", sum)
	}
	wantPanic(t, "IndexError", "Index 3 out of bounds 3", func() { a.At(3) })
	wantPanic(t, "IndexError", "Index -1 out of bounds 3", func() { a.At(-1) })
}

// Requirement: D4
func TestArrayHoldsObjects(t *testing.T) {
	balanced(t)
	p, q := PointClass.New(nil), selfsame.Cast[Point](Point3Class.New(nil))
	a := must(selfsame.NewArray([]*PointHandle{p, q}))(t)
	if a.At(0) != p || a.At(1) != q {
		t.Error("elements are other handles")
	}
	h := Point3Class.New(func(p *Point3) { p.Tags.Set("one", "a longer tag") })
	if tags := h.Get().Tags.Slice(); !slices.Equal(tags, []string{"one", "a longer tag"}) {
		t.Errorf("Tags = %q", tags)
	}
	for _, tag := range h.Get().Tags.All() {
		h.Get().Tags.Set() // the loop continues over the array it began with
		if tag == "" {
			t.Error("no tag")
		}
	}
}

// Requirement: D4
func TestArrayKeepsIdentityAndChecksTypes(t *testing.T) {
	balanced(t)
	echo := must(selfsame.NewFunc(func(a *selfsame.Array[int64]) *selfsame.Array[int64] { return a }))(t)
	a := must(selfsame.NewArray([]int64{4, 5}))(t)
	if b := must(selfsame.CallAs[*selfsame.Array[int64]](echo, a))(t); b != a {
		t.Error("an array came back as another handle")
	}
	sum := must(selfsame.NewFunc(func(xs []float64) (s float64) {
		for _, x := range xs {
			s += x
		}
		return s
	}))(t)
	if s := must(sum.Call(a))(t); s != 9.0 {
		t.Errorf("sum = %v", s)
	}
	if s := must(sum.Call([]float64{}))(t); s != 0.0 {
		t.Errorf("sum of nothing = %v", s)
	}
	_, err := echo.Call([]any{1, "x"})
	wantError(t, err, "TypeError", "Mismatched type on argument #0 when calling: `(0: Array<int>) -> Array<int>`. "+
		"Expected `Array<int>` but got `Array[index 1: ffi.SmallStr]`")
	_, err = sum.Call([]any{1, nil})
	wantError(t, err, "TypeError", "Expected `Array<float>` but got `Array[index 1: None]`")
	_, err = echo.Call(1)
	wantError(t, err, "TypeError", "Expected `Array<int>` but got `int`")
	_, err = selfsame.NewArray([]string{"fine", "not\xff fine at all"})
	wantError(t, err, "ValueError", "Array[index 1]: The string is not UTF-8 at byte 3")
	_, err = selfsame.NewArray([]chan int{nil})
	wantError(t, err, "TypeError", "chan int")
}

// Requirement: D4
func TestArrayFieldsAndHandlesDiffer(t *testing.T) {
	balanced(t)
	h := EverythingClass.New(nil)
	e := h.Get()
	a := must(selfsame.NewArray([]int64{1, 2}))(t)
	e.Ints.Assign(a)
	got := must(selfsame.GetField(h, "ints"))(t)
	if same := must(selfsame.NewFunc(func(x, y *selfsame.Array[int64]) bool { return x == y }))(t); must(same.Call(got, a))(t) != true {
		t.Error("Assign copied the array")
	}
	if err := selfsame.SetField(h, "floats", a); err != nil || !slices.Equal(e.Floats.Slice(), []float64{1, 2}) {
		t.Errorf("ints as floats: %v %v", err, e.Floats.Slice())
	}
	wantPanic(t, "RuntimeError", "Array: expected a field of an object, got a handle, which cannot be set", func() { a.Set(1) })
	wantPanic(t, "RuntimeError", "Array.Release: expected a handle, got a field", func() { e.Ints.Release() })
	a.Release()
	a.Release()
	wantPanic(t, "RuntimeError", "Array: used after Release", func() { a.Len() })
	if e.Ints.Len() != 2 {
		t.Errorf("after Release the field has %d elements", e.Ints.Len())
	}
	ints := &e.Ints
	if n := must(must(selfsame.NewFunc(func(a any) int { return a.(*selfsame.Array[any]).Len() }))(t).Call(ints))(t); n != int64(2) {
		t.Errorf("a field as argument: %v", n)
	}
}

// Requirement: D4
func TestArrayIteratorsGiveEveryElement(t *testing.T) {
	balanced(t)
	names := must(selfsame.CollectArray(slices.Values([]string{"ann", "bert", "a name of some length"})))(t)
	if got := slices.Collect(names.Values()); !slices.Equal(got, []string{"ann", "bert", "a name of some length"}) {
		t.Errorf("Values = %q", got)
	}
	var order []int
	for i, name := range names.Backward() {
		if order = append(order, i); name == "bert" {
			break
		}
	}
	if !slices.Equal(order, []int{2, 1}) {
		t.Errorf("Backward went %v", order)
	}
	for _, values := range [][]float64{{}, {1.5}, {1, 2, 3.5}} {
		a := must(selfsame.NewArray(values))(t)
		if got := slices.Collect(a.Values()); !slices.Equal(got, values) {
			t.Errorf("Values = %v, want %v", got, values)
		}
	}
	// Every loop reads ints as floats where floats are declared.
	mixed := must(selfsame.NewArray([]any{1, 2.5}))(t)
	floats := must(selfsame.CallAs[*selfsame.Array[float64]](must(selfsame.NewFunc(func(a any) any { return a }))(t), mixed))(t)
	if got := slices.Collect(floats.Values()); !slices.Equal(got, []float64{1, 2.5}) || !slices.Equal(floats.Slice(), got) {
		t.Errorf("ints as floats = %v", got)
	}
	var none *selfsame.Array[int64]
	if none.Len() != 0 || len(none.Slice()) != 0 {
		t.Error("a nil Array has elements")
	}
	for range none.All() {
		t.Error("a nil Array has elements")
	}
}

// Requirement: D7
func TestArraysOfAnyAreMadeOfSlicesOfAType(t *testing.T) {
	balanced(t)
	words := must(selfsame.NewAnyArray([]string{"a", "b"}))(t)
	if got := words.Slice(); len(got) != 2 || got[1] != any("b") {
		t.Errorf("got %v", got)
	}
	words.Release()
	_, err := selfsame.NewAnyArray([]string{"fine", "\xff"})
	wantError(t, err, "ValueError", "not UTF-8")
}
