package selfsame_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Requirement: D4
func TestListBehavesLikeASlice(t *testing.T) {
	balanced(t)
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	for round := range 20 {
		l := must(selfsame.NewList[string](nil))(t)
		var want []string
		text := func() string { return fmt.Sprint("element ", random.IntN(1000)) }
		for step := range 200 {
			n := len(want)
			switch random.IntN(8) {
			case 0, 1, 2:
				s := text()
				l.Append(s)
				want = append(want, s)
			case 3:
				at, a, b := random.IntN(n+1), text(), text()
				l.Insert(at, a, b)
				want = slices.Insert(want, at, a, b)
			case 4:
				from := random.IntN(n + 1)
				to := from + random.IntN(n-from+1)
				l.Delete(from, to)
				want = slices.Delete(want, from, to)
			case 5:
				from := random.IntN(n + 1)
				to := from + random.IntN(n-from+1)
				s := text()
				l.Replace(from, to, s)
				want = slices.Replace(want, from, to, s)
			case 6:
				if n > 0 {
					at, s := random.IntN(n), text()
					l.SetAt(at, s)
					want[at] = s
				}
			case 7:
				l.Reverse()
				slices.Reverse(want)
			}
			if got := l.Slice(); !slices.Equal(got, want) {
				t.Fatalf("seed %d, round %d, step %d: %q, want %q", seed, round, step, got, want)
			}
		}
		l.Clear()
		if l.Len() != 0 {
			t.Error("Clear left elements")
		}
	}
}

// Requirement: D4
func TestListHoldsObjects(t *testing.T) {
	balanced(t)
	p, q := PointClass.New(nil), selfsame.Cast[Point](Point3Class.New(nil))
	l := must(selfsame.NewList([]*PointHandle{p}))(t)
	l.Append(q, p)
	if l.At(0) != p || l.At(1) != q || l.At(2) != p || p.UseCount() != 3 {
		t.Errorf("elements: %v, use count %d", l.Slice(), p.UseCount())
	}
	l.SetAt(0, q)
	l.Delete(2, 3)
	if p.UseCount() != 1 || q.UseCount() != 3 {
		t.Errorf("use counts %d and %d", p.UseCount(), q.UseCount())
	}
	same := must(selfsame.NewFunc(func(l *selfsame.List[*PointHandle]) *selfsame.List[*PointHandle] {
		l.Append(p)
		return l
	}))(t)
	if got := must(selfsame.CallAs[*selfsame.List[*PointHandle]](same, l))(t); got != l || l.Len() != 3 {
		t.Errorf("a list came back as another, or unchanged: %d", l.Len())
	}
	if got := must(same.Call(l))(t).(*selfsame.List[any]); !selfsame.Same(got.At(0).(selfsame.AnyHandle), q) || got.Len() != 4 {
		t.Errorf("as any: %v", got.Slice())
	}
}

// Requirement: D4
func TestListRefusesWrongIndexesAndValues(t *testing.T) {
	balanced(t)
	l := must(selfsame.NewList([]int64{1, 2, 3}))(t)
	wantPanic(t, "IndexError", "Index 3 out of bounds 3", func() { l.At(3) })
	wantPanic(t, "IndexError", "Index -1 out of bounds 3", func() { l.SetAt(-1, 0) })
	wantPanic(t, "IndexError", "the range [4, 4) is out of bounds 3", func() { l.Insert(4, 0) })
	wantPanic(t, "IndexError", "the range [2, 1) is out of bounds 3", func() { l.Delete(2, 1) })
	wantPanic(t, "ValueError", "argument 'n': expected at least 0, got -1", func() { l.Grow(-1) })
	wantPanic(t, "MemoryError", "cannot have that many elements", func() { l.Grow(math.MaxInt) })
	wantPanic(t, "RuntimeError", "List: expected a field of an object, got a handle, which cannot be set", func() { l.Set(1) })
	if !slices.Equal(l.Slice(), []int64{1, 2, 3}) {
		t.Errorf("a refused call changed the list: %v", l.Slice())
	}
	if large := must(selfsame.NewList([]uint64{1, 1 << 63}))(t); large.At(1) != 1<<63 {
		t.Errorf("an element beyond 63 bits: got %d", large.At(1))
	}
	words := must(selfsame.NewList([]string{"a"}))(t)
	wantPanic(t, "ValueError", "not UTF-8", func() { words.Append("fine", "\xff", "never") })
	if !slices.Equal(words.Slice(), []string{"a", "fine"}) {
		t.Errorf("words = %q", words.Slice())
	}
	// Another language may store a value of any type.
	must(must(selfsame.GetFunc("ffi.ListAppend"))(t).Call(l, "a word that is no number"))(t)
	wantPanic(t, "TypeError", "Cannot convert from type `List[index 3: ffi.String]` to `List<int>`", func() { l.At(3) })
	wantPanic(t, "TypeError", "List[index 3: ffi.String]", func() {
		for range l.Values() {
		}
	})
	takes := must(selfsame.NewFunc(func(*selfsame.List[int64]) {}))(t)
	_, err := takes.Call(l)
	wantError(t, err, "TypeError", "Expected `List<int>` but got `List[index 3: ffi.String]`")
	_, err = takes.Call("x")
	wantError(t, err, "TypeError", "Expected `List<int>` but got `ffi.SmallStr`")
	l.Release()
	wantPanic(t, "RuntimeError", "List: used after Release", func() { l.Append(1) })
	var none *selfsame.List[int64]
	if none.Len() != 0 {
		t.Error("a nil List has elements")
	}
	wantPanic(t, "ValueError", "a nil list cannot be changed", func() { none.Append(1) })
}

// Requirement: D4
func TestListMayChangeInALoop(t *testing.T) {
	balanced(t)
	l := must(selfsame.NewList([]int64{0, 1, 2, 3, 4, 5}))(t)
	var seen []int64
	for i, v := range l.All() {
		seen = append(seen, v)
		switch i {
		case 1:
			l.Delete(2, 4)
		case 3:
			l.Append(6)
		}
	}
	if !slices.Equal(seen, []int64{0, 1, 4, 5, 6}) {
		t.Errorf("seen %v", seen)
	}
	seen = seen[:0]
	for i, v := range l.Backward() {
		seen = append(seen, v)
		if i == 4 {
			l.Delete(1, 4)
		}
	}
	if !slices.Equal(seen, []int64{6, 6, 0}) {
		t.Errorf("backward %v of %v", seen, l.Slice())
	}
}

// Requirement: D4
func TestListIsMadeOfAnArray(t *testing.T) {
	balanced(t)
	a := must(selfsame.NewArray([]int64{1, 2}))(t)
	f := must(selfsame.NewFunc(func(l *selfsame.List[int64]) *selfsame.List[int64] { l.Append(3); return l }))(t)
	l := must(selfsame.CallAs[*selfsame.List[int64]](f, a))(t)
	if !slices.Equal(l.Slice(), []int64{1, 2, 3}) || a.Len() != 2 {
		t.Errorf("list %v, array %v", l.Slice(), a.Slice())
	}
	g := must(selfsame.NewFunc(func(a *selfsame.Array[int64], s []float64) int { return a.Len() + len(s) }))(t)
	if n := must(g.Call(l, l))(t); n != int64(6) {
		t.Errorf("a list as array and slice: %v", n)
	}
}

// Elements that were converted before a panic are released: the handle's reference is the only one left.
//
// Requirement: D4
func TestPanicsInLoopsLeaveNoReference(t *testing.T) {
	balanced(t)
	p, released := PointClass.New(nil), PointClass.New(nil)
	released.Release()
	gone := must(selfsame.NewList[*PointHandle](nil))(t)
	gone.Release()
	for name, use := range map[string]func(){
		"NewArray": func() { _, _ = selfsame.NewArray([]*PointHandle{p, released}) },
		"Insert": func() {
			l := must(selfsame.NewList[*PointHandle](nil))(t)
			l.Insert(0, p, released)
		},
		"Append to a released list": func() { gone.Append(p) },
		"SetAt in a released list":  func() { gone.SetAt(0, p) },
		"Append to nil":             func() { (*selfsame.List[*PointHandle])(nil).Append(p) },
		"Dict.Set": func() {
			d := must(selfsame.NewDict[*PointHandle, *PointHandle](nil))(t)
			d.Set(p, released)
		},
		"NewMap": func() { _, _ = selfsame.NewMap(map[*PointHandle]*PointHandle{p: released}) },
		"CollectMap": func() {
			_, _ = selfsame.CollectMap(func(yield func(*PointHandle, int) bool) {
				yield(p, 1)
				panic(selfsame.Errorf("ValueError", "the iterator's own"))
			})
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			use()
		}()
		if n := p.UseCount(); n != 1 {
			t.Errorf("%s: %d references are left, want 1", name, n)
		}
	}
	p.Release()
}
