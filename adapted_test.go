package selfsame_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen"
)

type adaptedPoint struct {
	selfsame.Object
	X, Y float64
}

func (p *adaptedPoint) sum() float64 { return p.X + p.Y }

var adaptedPointClass = selfsame.MustRegister[adaptedPoint]("adapted.Point",
	selfsame.Init(adaptedTryProc3(func(p *adaptedPoint, x, y float64) error {
		if x < 0 {
			return selfsame.Errorf("ValueError", "x is negative")
		}
		if x > 1e6 {
			panic("x is too large")
		}
		p.X, p.Y = x, y
		return nil
	}), "x", "y"),
	selfsame.Method("sum", adaptedFunc1((*adaptedPoint).sum), "Both coordinates."),
	selfsame.Method("shift", adaptedProc2(func(h *selfsame.Handle[adaptedPoint], by float64) { h.Get().X += by }), "Moves it.", "by"),
	selfsame.Static("origin", adaptedFunc0(func() *selfsame.Handle[adaptedPoint] { return selfsame.New[adaptedPoint](nil) }), ""))

// Funcs of every shape get their arguments from an adapter as they do by reflection.
//
// Requirement: D5
func TestAdaptedFuncsGetTheirArguments(t *testing.T) {
	balanced(t)
	bad := errors.New("bad")
	p := PointClass.New(func(p *Point) { p.X = 2 })
	for _, c := range []struct {
		fn   any
		args []any
		want any
	}{
		{adaptedFunc0(func() int { return 7 }), nil, int64(7)},
		{adaptedFunc1(func(b bool) bool { return !b }), []any{true}, false},
		{adaptedFunc1(func(b bool) bool { return !b }), []any{0}, true},
		{adaptedFunc2(func(a int8, b uint64) int64 { return int64(a) + int64(b) }), []any{-3, 5}, int64(2)},
		{adaptedFunc2(func(x float64, y float32) float64 { return x * float64(y) }), []any{3, 0.5}, 1.5},
		{adaptedFunc3(func(a, b string, n int) string { return strings.Repeat(a+b, n) }), []any{"ab", "a longer text", 2}, "aba longer textaba longer text"},
		{adaptedFunc4(func(p *Point, h *PointHandle, s level, v any) string { return fmt.Sprint(p.X, p == h.Get(), s, v) }), []any{p, p, 3, "x"}, "2 true 3x"},
		{adaptedFunc1(func(h *PointHandle) *PointHandle { return h }), []any{p}, p},
		{adaptedFunc1(func(p *Point) *Point { return p }), []any{p}, p},
		{adaptedFunc1(func(xs []int) int { return len(xs) }), []any{[]int{1, 2}}, int64(2)},
		{adaptedFunc1(func(o option) option { return selfsame.Some(o.Value + 1) }), []any{1}, int64(2)},
		{adaptedFunc0(func() *PointHandle { return nil }), nil, nil},
		{adaptedTryFunc0(func() (float64, error) { return 0.5, nil }), nil, 0.5},
		{adaptedTryFunc1(func(x int) (string, error) { return "", bad }), []any{1}, bad},
		{adaptedTryFunc2(func(x, y int) (int, error) { return x - y, nil }), []any{5, 3}, int64(2)},
		{adaptedTryFunc3(func(x, y, z int) (any, error) { return x + y + z, nil }), []any{1, 2, 3}, int64(6)},
		{adaptedTryFunc4(func(a, b, c, d float64) (float64, error) { return a + b + c + d, bad }), []any{1, 2, 3, 4}, bad},
		{adaptedProc0(func() {}), nil, nil},
		{adaptedProc1(func(int) {}), []any{1}, nil},
		{adaptedProc2(func(int, string) {}), []any{1, "s"}, nil},
		{adaptedProc3(func(int, string, []byte) {}), []any{1, "s", []byte("b")}, nil},
		{adaptedProc4(func(a, b, c, d any) {}), []any{1, "s", nil, p}, nil},
		{adaptedTryProc0(func() error { return bad }), nil, bad},
		{adaptedTryProc1(func(any) error { return nil }), []any{1}, nil},
		{adaptedTryProc2(func(a, b int) error { return bad }), []any{1, 2}, bad},
		{adaptedTryProc3(func(a, b, c int) error { return nil }), []any{1, 2, 3}, nil},
		{adaptedTryProc4(func(a, b, c, d int) error { return bad }), []any{1, 2, 3, 4}, bad},
	} {
		f := must(selfsame.NewFunc(c.fn))(t)
		got, err := f.Call(c.args...)
		if c.want == bad {
			if !errors.Is(err, bad) {
				t.Errorf("error %v", err)
			}
		} else if err != nil || got != c.want {
			t.Errorf("got %v, %v, want %v", got, err, c.want)
		}
		f.Release()
	}
}

// Requirement: D5
func TestAdaptedFuncErrorsNameTheArgument(t *testing.T) {
	balanced(t)
	f := must(selfsame.NewFunc(adaptedFunc3(func(a int8, s string, p *Point) float64 { return p.X })))(t)
	p := PointClass.New(nil)
	const sig = "`(0: int, 1: str, 2: geo.Point) -> float`"
	for _, c := range []struct {
		kind, part string
		args       []any
	}{
		{"TypeError", "Mismatched number of arguments when calling: " + sig + ". Expected 3 but got 1 arguments", []any{1}},
		{"TypeError", "Mismatched type on argument #0 when calling: " + sig + ". Expected `int` but got `float`", []any{1.0, "", p}},
		{"OverflowError", "Integer value 200 does not fit in int8 (-128 to 127) (argument #0 when calling: " + sig, []any{200, "", p}},
		{"TypeError", "argument #1 when calling: " + sig + ". Expected `str` but got `int`", []any{1, 2, p}},
		{"TypeError", "argument #2 when calling: " + sig + ". Expected `geo.Point` but got `None`", []any{1, "", nil}},
	} {
		_, err := f.Call(c.args...)
		wantError(t, err, c.kind, c.part)
	}
	_, err := selfsame.NewFunc(adaptedFunc1[int, int](nil))
	wantError(t, err, "ValueError", "nil func")
	_, err = selfsame.NewFunc((*int)(nil))
	wantError(t, err, "TypeError", "expected a func, got ")
	_, err = selfsame.NewFunc(adaptedProc1(func(chan int) {}))
	wantError(t, err, "TypeError", "chan int has no counterpart")
	panics := must(selfsame.NewFunc(adaptedFunc1(func(xs []int) int { return xs[3] })))(t)
	_, err = panics.Call([]int{1})
	e := wantError(t, err, "IndexError", "Go panic: runtime error: index out of range [3] with length 1")
	if !strings.Contains(e.Backtrace, "TestAdaptedFuncErrorsNameTheArgument") {
		t.Errorf("backtrace: %s", e.Backtrace)
	}
	released := PointClass.New(nil)
	released.Release()
	gives := must(selfsame.NewFunc(adaptedFunc0(func() *PointHandle { return released })))(t)
	_, err = gives.Call()
	wantError(t, err, "RuntimeError", "used after Release")
}

// Requirement: D1
func TestAdaptedFuncsAreConstructorsAndMethods(t *testing.T) {
	balanced(t)
	live := func() int64 { n, _ := adaptedPointClass.LiveObjects(); return n }
	before := live()
	h := must(selfsame.NewObject("adapted.Point", 3, 4.5))(t).(*selfsame.Handle[adaptedPoint])
	must(selfsame.CallMethod(h, "shift", 1))(t)
	if sum := must(selfsame.CallMethod(h, "sum"))(t); sum != 8.5 {
		t.Errorf("sum = %v", sum)
	}
	must(selfsame.CallMethod(h, "origin"))(t).(*selfsame.Handle[adaptedPoint]).Release()
	h.Release()
	_, err := selfsame.NewObject("adapted.Point", -1, 0)
	wantError(t, err, "ValueError", "x is negative")
	_, err = selfsame.NewObject("adapted.Point", 1e7, 0)
	wantError(t, err, "RuntimeError", "x is too large")
	_, err = selfsame.NewObject("adapted.Point", 1, "2")
	wantError(t, err, "TypeError", "adapted.Point: argument 'y': expected float, got str")
	_, err = selfsame.NewObject("adapted.Point", 1)
	wantError(t, err, "TypeError", "adapted.Point: argument 'y': missing")
	if n := live(); n != before {
		t.Errorf("%d live objects, were %d", n, before)
	}
}

// Requirement: D5
func TestCalleesOfFunctionsCallThem(t *testing.T) {
	balanced(t)
	p := PointClass.New(func(p *Point) { p.X = 9 })
	made := func(fn any) *selfsame.Function { return must(selfsame.NewFunc(fn))(t) }
	answer := gen.CalleeOf[func() (int, error)](made(func() int { return 42 }))
	if n := must(gen.Invoke0(answer))(t); n != 42 {
		t.Errorf("Invoke0: %d", n)
	}
	same := gen.CalleeOf[func(*PointHandle) (*PointHandle, error)](made(func(p *Point) *Point { return p }))
	if q := must(gen.Invoke1(same, p))(t); q != p {
		t.Errorf("Invoke1: %v", q)
	}
	if q, err := gen.Invoke1(same, nil); q != nil || err == nil {
		t.Errorf("Invoke1 with nil: %v, %v", q, err)
	}
	needed := gen.CalleeOf[func(int, *PointHandle, *selfsame.Array[int]) (any, error)](made(func(int, selfsame.AnyHandle, []int) {})).Required("", "at", "sizes")
	sizes := must(selfsame.NewArray([]int{1}))(t)
	if _, err := gen.Invoke3(needed, 1, p, sizes); err != nil {
		t.Error(err)
	}
	_, err := gen.Invoke3(needed, 1, nil, sizes)
	wantError(t, err, "TypeError", "argument 'at': expected *")
	_, err = gen.Invoke3(needed, 1, p, nil)
	wantError(t, err, "TypeError", "argument 'sizes': expected *selfsame.Array[int], got nil")
	all := gen.CalleeOf[func(...any) (any, error)](made(func(...any) {})).Required("at", "", "sizes")
	_, err = gen.InvokeAll(all, p, nil, (*selfsame.Array[int])(nil))
	wantError(t, err, "TypeError", "argument 'sizes': expected *selfsame.Array[int], got nil")
	_, err = gen.InvokeAll(all, nil, nil, sizes)
	wantError(t, err, "TypeError", "argument 'at': expected an object, got nil")
	sizes.Release()
	_, err = gen.Invoke3(needed, 1, p, sizes)
	wantError(t, err, "RuntimeError", "used after Release")
	_, err = gen.InvokeAll(all, p, nil, sizes)
	wantError(t, err, "RuntimeError", "used after Release")
	join := gen.CalleeOf[func(a, b string) (string, error)](made(func(a, b string) string { return a + b }))
	for _, text := range []string{"", "short", "a text of middling length", strings.Repeat("a long text ", 500)} {
		if s := must(gen.Invoke2(join, text, "and another one"))(t); s != text+"and another one" {
			t.Errorf("Invoke2: %q", s)
		}
	}
	_, err = gen.Invoke2(join, "fine", "not\xff UTF-8")
	wantError(t, err, "ValueError", "The string is not UTF-8 at byte 3 (argument #1)")
	third := gen.CalleeOf[func([]string, int8, bool) (any, error)](made(func(xs []string, i int, ok bool) any { return xs[i] }))
	if s := must(gen.Invoke3(third, []string{"one", "two"}, 1, true))(t); s != "two" {
		t.Errorf("Invoke3: %v", s)
	}
	_, err = gen.Invoke3(third, []string{"one"}, 1, true)
	wantError(t, err, "IndexError", "index out of range")
	four := gen.CalleeOf[func(a int, x float64, o option, p *Point) (float64, error)](made(
		func(a int, x float64, o option, p *Point) float64 { return float64(a) + x + float64(o.Value) + p.X }))
	if s := must(gen.Invoke4(four, 1, 0.5, selfsame.Some[int64](3), p.Get()))(t); s != 13.5 {
		t.Errorf("Invoke4: %v", s)
	}
	_, err = gen.Invoke4(four, 1, 0.5, option{}, &Point{})
	wantError(t, err, "ValueError", "was not made by its class")
	wrong := gen.CalleeOf[func() (string, error)](made(func() int { return 1 }))
	_, err = gen.Invoke0(wrong)
	wantError(t, err, "TypeError", "Cannot convert from type `int` to `str`")
	_, err = gen.Invoke0(gen.CalleeOf[func() (*Point, error)](made(func() *PointHandle { return p })))
	wantError(t, err, "TypeError", "expected a result type that owns its value")
	_, err = gen.Invoke1(gen.CalleeOf[func(chan int) (int, error)](made(func(any) int { return 0 })), nil)
	wantError(t, err, "TypeError", "chan int has no counterpart")
	gone := PointClass.New(nil)
	gone.Release()
	_, err = gen.Invoke1(same, gone)
	wantError(t, err, "RuntimeError", "used after Release")
	f := made(func() int { return 1 })
	once := gen.CalleeOf[func() (int, error)](f)
	f.Release()
	wantPanic(t, "RuntimeError", "after Release", func() { _, _ = gen.Invoke0(once) })
}

// A function that a Callee calls calls back into Go, which calls it again: each call has a frame of its own.
//
// Requirement: D5
func TestCallsOfACalleeNest(t *testing.T) {
	balanced(t)
	var factorial *gen.Callee[func(n int) (int, error)]
	f := must(selfsame.NewFunc(adaptedTryFunc1(func(n int) (int, error) {
		if n < 2 {
			return 1, nil
		}
		rest, err := gen.Invoke1(factorial, n-1)
		return n * rest, err
	})))(t)
	factorial = gen.CalleeOf[func(n int) (int, error)](f)
	if n := must(gen.Invoke1(factorial, 15))(t); n != 1307674368000 {
		t.Errorf("15! = %d", n)
	}
	factorial = nil // a Callee of the func that refers to it would keep itself alive
}
