package selfsame_test

import (
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen"
	"github.com/selfsame-ffi/selfsame/internal/testenv/native"
)

func init() {
	selfsame.MustRegisterFunc("test.typed", func(int8, string, *PointHandle, uint64) {})
	selfsame.MustRegisterFunc("test.answer", func() int { return 42 }, selfsame.Doc("The answer."))
}

var marker byte // its address is an opaque pointer

// Requirement: D5
func TestValuesPassBothWays(t *testing.T) {
	balanced(t)
	echo := must(selfsame.NewFunc(func(a any) any { return a }))(t)
	for _, v := range []any{nil, int64(-1), true, false, 0.25, "", "1234567", "12345678", strings.Repeat("é", 1000),
		math.Inf(1), int64(math.MinInt64), unsafe.Pointer(&marker)} {
		if got := must(echo.Call(v))(t); got != v {
			t.Errorf("%v (%T) came back as %v (%T)", v, v, got, got)
		}
	}
	for _, v := range []any{int8(5), uint16(5), int(5), uint64(5), int32(5)} {
		if got := must(echo.Call(v))(t); got != int64(5) {
			t.Errorf("%T came back as %v (%T)", v, got, got)
		}
	}
	if got := must(echo.Call(float32(0.5)))(t); got != 0.5 {
		t.Errorf("float32: %v", got)
	}
	for _, b := range []string{"", "1234567", "12345678", strings.Repeat("\x00\xff", 500)} {
		if got := must(echo.Call([]byte(b)))(t).([]byte); string(got) != b {
			t.Errorf("%d bytes came back as %d", len(b), len(got))
		}
	}
	if got := must(echo.Call(echo))(t); got != any(echo) {
		t.Errorf("the function came back as %v", got)
	}
	p := PointClass.New(nil)
	if got := must(echo.Call(p))(t); got != any(p) {
		t.Errorf("a handle came back as %v", got)
	}
	if got := must(echo.Call(p.Get()))(t); got != any(p) {
		t.Errorf("a borrowed pointer came back as %v", got)
	}
	runtime.KeepAlive(p)
	type named string
	if got := must(echo.Call(named("a named string")))(t); got != "a named string" {
		t.Errorf("a named string came back as %v", got)
	}
}

// Requirement: D5
func TestParametersAndResultsHaveTheirTypes(t *testing.T) {
	balanced(t)
	call := func(fn any, args ...any) any {
		t.Helper()
		f := must(selfsame.NewFunc(fn))(t)
		defer f.Release()
		return must(f.Call(args...))(t)
	}
	if got := call(func(a int8, b uint64, c float32, d bool) float64 { return float64(a) + float64(b) + float64(c) }, 1, 2, 3, 1); got != 6.0 {
		t.Errorf("numbers: %v", got)
	}
	if got := call(func(s string, b []byte) string { return s + string(b) }, "a longer text ", []byte("and bytes")); got != "a longer text and bytes" {
		t.Errorf("texts: %q", got)
	}
	if got := call(func() {}); got != nil {
		t.Errorf("no result: %v", got)
	}
	if got := call(func(p *Point) *Point { p.X++; return p }, PointClass.New(nil)).(*PointHandle); got.Get().X != 1 {
		t.Errorf("borrowed: %v", got.Get().X)
	}
	if got := call(func() *PointHandle { return nil }); got != nil {
		t.Errorf("nil handle: %v", got)
	}
	if got := call(func(o selfsame.Optional[int]) selfsame.Optional[int] { o.Value++; return o }, 4); got != int64(5) {
		t.Errorf("optional: %v", got)
	}
	if got := call(func(o selfsame.Optional[*PointHandle]) bool { return o.OK }, nil); got != false {
		t.Errorf("no optional: %v", got)
	}
	if got := call(func(xs []string) []int { return []int{len(xs[0]), len(xs)} }, []string{"abc", "d"}).(*selfsame.Array[any]); got.At(0) != int64(3) || got.At(1) != int64(2) {
		t.Errorf("slices: %v", got)
	}
	if got := call(func(f *selfsame.Function, x int) (any, error) { return f.Call(x) }, func(x int) int { return x * 2 }, 21); got != int64(42) {
		t.Errorf("callback: %v", got)
	}
	walk := func(p *Point, visit func(p *Point, depth int) (bool, error)) (int, error) {
		for n := 0; ; n++ {
			if more, err := visit(p, n); err != nil || !more {
				return n, err
			}
		}
	}
	if got := call(walk, PointClass.New(nil), func(p *Point, depth int) bool { p.X++; return depth < 3 }); got != int64(3) {
		t.Errorf("typed callback: %v", got)
	}
	if got := call(func(k int) func(int) int { return func(n int) int { return n * k } }, 5).(*selfsame.Function); must(got.Call(4))(t) != int64(20) {
		t.Errorf("func result: %v", got)
	}
	bad := must(selfsame.NewFunc(walk))(t)
	_, err := bad.Call(PointClass.New(nil), func() string { return "no bool" })
	wantError(t, err, "TypeError", "Expected 0 but got 2 arguments")
	_, err = bad.Call(PointClass.New(nil), 1)
	wantError(t, err, "TypeError", "Mismatched type on argument #1 when calling: `(0: geo.Point, 1: ffi.Function) -> int`. Expected `ffi.Function` but got `int`")
	_, err = selfsame.NewFunc(func(func(chan int)) {})
	wantError(t, err, "TypeError", "func(func(chan int)): parameter 0: func(chan int): parameter 0: chan int has no counterpart")
	many := make([]any, 100)
	for i := range many {
		many[i] = "more than seven characters"
	}
	wantArity := "Expected 1 but got 100 arguments"
	f := must(selfsame.NewFunc(func(string) {}))(t)
	_, err = f.Call(many...)
	wantError(t, err, "TypeError", wantArity)
}

// Requirement: D5
func TestArgumentErrorsNameTheArgument(t *testing.T) {
	balanced(t)
	f := must(selfsame.GetFunc("test.typed"))(t)
	p := PointClass.New(nil)
	const sig = "`test.typed(0: int, 1: str, 2: geo.Point, 3: int) -> void`"
	for _, c := range []struct {
		kind, part string
		args       []any
	}{
		{"TypeError", "Mismatched number of arguments when calling: " + sig + ". Expected 4 but got 0 arguments", nil},
		{"TypeError", "Mismatched type on argument #0 when calling: " + sig + ". Expected `int` but got `float`", []any{1.0, "", p, 1}},
		{"OverflowError", "Integer value 200 does not fit in int8 (-128 to 127) (argument #0 when calling: " + sig, []any{200, "", p, 1}},
		{"TypeError", "argument #1 when calling: " + sig + ". Expected `str` but got `ffi.Bytes`", []any{1, []byte("12345678"), p, 1}},
		{"TypeError", "argument #2 when calling: " + sig + ". Expected `geo.Point` but got `ffi.Array`", []any{1, "", []int{}, 1}},
		{"TypeError", "argument #2 when calling: " + sig + ". Expected `geo.Point` but got `None`", []any{1, "", nil, 1}},
		{"OverflowError", "Integer value -1 does not fit in uint64", []any{1, "", p, -1}},
		{"ValueError", "The string is not UTF-8 at byte 2 (argument #1)", []any{1, "ab\xff", p, 1}},
		{"TypeError", "chan int has no counterpart in the ABI; return a <-chan int, or use an iter.Seq[int] (argument #3)", []any{1, "", p, make(chan int)}},
		{"ValueError", "a *selfsame_test.Point that was not made by its class cannot leave Go", []any{1, "", &Point{}, 1}},
	} {
		_, err := f.Call(c.args...)
		wantError(t, err, c.kind, c.part)
	}
	result := must(selfsame.NewFunc(func() uint64 { return math.MaxUint64 }))(t)
	if largest := must(selfsame.CallAs[uint64](result))(t); largest != math.MaxUint64 {
		t.Errorf("a result beyond 63 bits: got %d", largest)
	}
	_, err := selfsame.CallAs[int64](result)
	wantError(t, err, "OverflowError", "Integer value 18446744073709551615 does not fit in int64")
	text := must(selfsame.NewFunc(func() string { return "not UTF-8: \xff" }))(t)
	_, err = text.Call()
	wantError(t, err, "ValueError", "not UTF-8 at byte 11")
	unmade := must(selfsame.NewFunc(func() *Point { return new(Point) }))(t)
	_, err = unmade.Call()
	wantError(t, err, "ValueError", "was not made by its class")
}

// Requirement: D5
func TestGlobalFunctionsAreRegisteredAndFound(t *testing.T) {
	balanced(t)
	err := selfsame.RegisterFunc("test.answer", func() int { return 43 })
	wantError(t, err, "RuntimeError", "Global Function `test.answer` is already registered")
	f := must(selfsame.GetFunc("test.answer"))(t)
	if g := must(selfsame.GetFunc("test.answer"))(t); g != f {
		t.Error("two handles of one function")
	}
	if n := must(selfsame.CallAs[int32](f))(t); n != 42 {
		t.Errorf("CallAs = %d", n)
	}
	_, err = selfsame.CallAs[string](f)
	wantError(t, err, "TypeError", "Cannot convert from type `int` to `str`")
	_, err = selfsame.GetFunc("test.no such function")
	wantError(t, err, "ValueError", "Cannot find global function `test.no such function`")
	wantError(t, selfsame.RegisterFunc("test.bad", 1), "TypeError", "test.bad: expected a func, got int")
	wantError(t, selfsame.RegisterFunc("", func() {}), "ValueError", "RegisterFunc: argument 'name': expected a name")
	wantError(t, selfsame.RegisterFunc("test.bad", func() {}, selfsame.ArgNames("a")), "ValueError", "expected 0 argument names, got 1")
	f.Release()
	wantPanic(t, "RuntimeError", "after Release", func() { _, _ = f.Call() })
	if g := must(selfsame.GetFunc("test.answer"))(t); g == f {
		t.Error("a released handle was given again")
	}
}

// Requirement: D5
func TestBindMakesATypedFunc(t *testing.T) {
	balanced(t)
	f := must(selfsame.NewFunc(func(a, b string) (string, error) {
		if a == "" {
			return "", selfsame.Errorf("ValueError", "empty")
		}
		return a + b, nil
	}))(t)
	join := must(selfsame.Bind[func(a, b string) (string, error)](f))(t)
	if s := must(join("a text ", "and another"))(t); s != "a text and another" {
		t.Errorf("join = %q", s)
	}
	_, err := join("", "")
	wantError(t, err, "ValueError", "empty")
	wrong := must(selfsame.Bind[func(a, b string) (int, error)](f))(t)
	_, err = wrong("a", "b")
	wantError(t, err, "TypeError", "Cannot convert from type `ffi.SmallStr` to `int`")
	_, err = selfsame.Bind[func() (*Point, error)](f)
	wantError(t, err, "TypeError", "expected a result type that owns its value, got *selfsame_test.Point; use *Handle")
	_, err = selfsame.CallAs[[]*Point](f)
	wantError(t, err, "TypeError", "expected a result type that owns its value, got []*selfsame_test.Point")
	_, err = selfsame.NewFunc(func(func() (selfsame.Optional[*Point], error)) {})
	wantError(t, err, "TypeError", "func(func() (selfsame.Optional[*github.com/selfsame-ffi/selfsame_test.Point], error)): parameter 0: expected a result type")
	_, err = selfsame.Bind[int](f)
	wantError(t, err, "TypeError", "Bind: expected a func type, got")
}

// Requirement: D3
func TestClosuresLiveAsLongAsTheirFunction(t *testing.T) {
	balanced(t)
	p := PointClass.New(nil)
	use := p.UseCount()
	func() {
		f := must(selfsame.NewFunc(func() *PointHandle { return p }))(t)
		h := EverythingClass.New(func(e *Everything) { e.Value.Set(f) })
		f.Release()
		selfsame.Collect()
		g := h.Get().Value.Get().(*selfsame.Function)
		if got := must(g.Call())(t); got != any(p) {
			t.Errorf("closure gave %v", got)
		}
	}()
	if p.UseCount() != use {
		t.Errorf("use count %d, was %d", p.UseCount(), use)
	}
}

// Requirement: D8
func TestFunctionsAreCalledFromManyGoroutines(t *testing.T) {
	balanced(t)
	f := must(selfsame.NewFunc(func(g *selfsame.Function, s string, n int) (any, error) {
		if n == 0 {
			return s, nil
		}
		return g.Call(g, s, n-1)
	}))(t)
	var wg sync.WaitGroup
	for range 8 {
		spawn(&wg, func() {
			for i := range 20 {
				got, err := f.Call(f, "a string that is not small", i)
				if err != nil || got != "a string that is not small" {
					t.Errorf("got %v, %v", got, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// A native function that returns a failure without raising an error, against the rules, gives an error as well.
func TestFailureWithoutAnError(t *testing.T) {
	if !native.RegisterMute("test.mute") {
		t.Fatal("the function could not be registered")
	}
	balanced(t)
	mute := must(selfsame.GetFunc("test.mute"))(t)
	_, err := mute.Call("a text for the frame")
	wantError(t, err, "RuntimeError", "failed and raised no error")
	f := gen.CalleeOf[func(a int64, h *PointHandle) (int64, error)](mute)
	_, err = gen.Invoke2(f, 1, nil)
	wantError(t, err, "RuntimeError", "failed and raised no error")
	p := PointClass.New(nil)
	_, err = gen.Invoke2(f, 1, p)
	wantError(t, err, "RuntimeError", "failed and raised no error")
	p.Release()
}

// Requirement: D5
func TestNamesMustBeText(t *testing.T) {
	err := selfsame.RegisterFunc("test.\xff", func() {})
	wantError(t, err, "ValueError", `RegisterFunc: argument 'name': expected UTF-8, got "test.\xff"`)
}
