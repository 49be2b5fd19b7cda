package selfsame_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen/overlay"
)

type (
	boundCount int64
	boundRatio float64
	boundName  string
)

const longText = "a text that does not fit into a value"

// boundFuncs returns one func of each func type, with every kind of parameter and result.
func boundFuncs(t *testing.T, p *PointHandle) []any {
	return []any{
		func(n int) int { return n + 1 },
		func(n int64) (boundCount, error) { return boundCount(n) * 2, nil },
		func(n boundCount) float64 { return float64(n) / 2 },
		func(x float64) (boundRatio, error) { return boundRatio(x) + 0.5, nil },
		func(x boundRatio) bool { return x > 1 },
		func(s string) string { return s + "!" },
		func(s boundName) (boundName, error) { return s + longText, nil },
		func(s string) int64 { return int64(len(s)) },
		func(h *PointHandle) *PointHandle { return h },
		func(h *PointHandle) (float64, error) { return h.Get().X, nil },
		func(n int64) *PointHandle { return p },
		func(x float64) {},
		func(s string) error { return nil },
		func(a, b int64) int64 { return a - b },
		func(a int64, x float64) (float64, error) { return float64(a) * x, nil },
		func(x float64, a int64) (float64, error) { return float64(a) - x, nil },
		func(s string, n int64) string { return strings.Repeat(s, int(n)) },
		func(n int64, s boundName) (bool, error) { return len(s) == int(n), nil },
		func(h *PointHandle, x float64) (*PointHandle, error) { return h, nil },
		func(s, u string) string { return u + s },
		func(x, y float64) { t.Helper() },
		func(h, k *PointHandle) error { return nil },
		func() int64 { return 5 },
		func(b bool) bool { return !b },
		func(a, b, c int64) int64 { return a + b + c },
		func(a int8) int16 { return int16(a) },
		func(xs []int64) int { return len(xs) },
	}
}

// argumentFor returns a value of a parameter's type.
func argumentFor(t reflect.Type, p *PointHandle) reflect.Value {
	if t == reflect.TypeFor[*PointHandle]() {
		return reflect.ValueOf(p)
	}
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Int, reflect.Int64, reflect.Int8:
		v.SetInt(3)
	case reflect.Float64:
		v.SetFloat(2.25)
	case reflect.String:
		v.SetString(longText)
	case reflect.Slice:
		v.Set(reflect.ValueOf([]int64{1, 2}))
	}
	return v
}

// These give func types of boundFuncs binders, as selfsame-ffi build does; the others are bound by reflection.
var _ = []bool{
	overlay.Binder(func(f *overlay.Bound) func(int64) (boundCount, error) {
		return func(n int64) (boundCount, error) { return overlay.Call1[boundCount](f, n) }
	}),
	overlay.Binder(func(f *overlay.Bound) func(boundRatio) bool {
		return func(x boundRatio) bool { return overlay.Must(overlay.Call1[bool](f, x)) }
	}),
	overlay.Binder(func(f *overlay.Bound) func(boundName) (boundName, error) {
		return func(s boundName) (boundName, error) { return overlay.Call1[boundName](f, s) }
	}),
	overlay.Binder(func(f *overlay.Bound) func(int64) *PointHandle {
		return func(n int64) *PointHandle { return overlay.Must(overlay.Call1[*PointHandle](f, n)) }
	}),
	overlay.Binder(func(f *overlay.Bound) func(*PointHandle, float64) (*PointHandle, error) {
		return func(h *PointHandle, x float64) (*PointHandle, error) { return overlay.Call2[*PointHandle](f, h, x) }
	}),
	overlay.Binder(func(f *overlay.Bound) func(float64) {
		return func(x float64) { overlay.Must(overlay.Call1[overlay.Nothing](f, x)) }
	}),
	overlay.Binder(func(f *overlay.Bound) func(string) error {
		return func(s string) error {
			_, err := overlay.Call1[overlay.Nothing](f, s)
			return err
		}
	}),
	overlay.Binder(func(f *overlay.Bound) func(int64, int64, int64) int64 {
		return func(a, b, c int64) int64 { return overlay.Must(overlay.Call3[int64](f, a, b, c)) }
	}),
	overlay.Binder(func(f *overlay.Bound) func([]int64) int {
		return func(xs []int64) int { return overlay.Must(overlay.Call1[int](f, xs)) }
	}),
}

// A func that Bind makes of a Function of a Go func does what that func does, whatever its type.
//
// Requirement: D5
func TestBoundFuncsOfEveryTypeDoTheSame(t *testing.T) {
	balanced(t)
	p := PointClass.New(func(p *Point) { p.X = 2 })
	for _, fn := range boundFuncs(t, p) {
		original := reflect.ValueOf(fn)
		// A func that takes a func gets it as Bind makes it.
		var in []reflect.Value
		for i := range original.Type().NumIn() {
			in = append(in, argumentFor(original.Type().In(i), p))
		}
		want := original.Call(in)
		taker := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{original.Type()}, nil, false), func(args []reflect.Value) []reflect.Value {
			for range 3 {
				got := args[0].Call(in)
				for i := range want {
					if !reflect.DeepEqual(got[i].Interface(), want[i].Interface()) {
						t.Errorf("%s: got %v, want %v", original.Type(), got[i], want[i])
					}
				}
			}
			return nil
		})
		f := must(selfsame.NewFunc(taker.Interface()))(t)
		if _, err := f.Call(fn); err != nil {
			t.Errorf("%s: %v", original.Type(), err)
		}
		f.Release()
	}
	p.Release()
}

// A bound func without an error among its results panics with the function's error; one with an error returns it.
//
// Requirement: D6
func TestBoundFuncsOfAnyTypeReportErrors(t *testing.T) {
	balanced(t)
	f := must(selfsame.NewFunc(func(v any) (any, error) { return nil, selfsame.Errorf("ValueError", "no") }))(t)
	echo := must(selfsame.NewFunc(func(v any) (any, error) { return v, nil }))(t)
	recovered := func(call func()) (message string) {
		defer func() {
			if err, ok := recover().(error); ok {
				message = err.Error()
			}
		}()
		call()
		return ""
	}
	if _, err := must(selfsame.Bind[func(string) (string, error)](f))(t)(longText); err == nil || !strings.Contains(err.Error(), "no") {
		t.Errorf("an error returned: %v", err)
	}
	if err := must(selfsame.Bind[func(string) error](f))(t)("x"); err == nil || !strings.Contains(err.Error(), "no") {
		t.Errorf("an error returned by a binder: %v", err)
	}
	if err := must(selfsame.Bind[func(int64) error](f))(t)(1); err == nil || !strings.Contains(err.Error(), "no") {
		t.Errorf("an error returned: %v", err)
	}
	if got := recovered(func() { must(selfsame.Bind[func(float64)](f))(t)(1) }); !strings.Contains(got, "no") {
		t.Errorf("a panic: %q", got)
	}
	if got := recovered(func() { must(selfsame.Bind[func(float64) int64](f))(t)(1) }); !strings.Contains(got, "no") {
		t.Errorf("a panic: %q", got)
	}
	if _, err := must(selfsame.Bind[func(string) (int64, error)](echo))(t)(longText); err == nil || !strings.Contains(err.Error(), "`int`") {
		t.Errorf("a wrong result: %v", err)
	}
	if _, err := must(selfsame.Bind[func(string) (string, error)](echo))(t)("\xff"); err == nil {
		t.Error("text that is not UTF-8 was passed on")
	}
	call := must(selfsame.Bind[func(int64) (int64, error)](echo))(t)
	echo.Release()
	if got := recovered(func() { _, _ = call(1) }); !strings.Contains(got, "Release") {
		t.Errorf("a released function: %q", got)
	}
	f.Release()
}

// Slices and maps of numbers and text cross in bulk; those with an element of another type one by one, with equal results.
//
// Requirement: D10
func TestSlicesAndMapsCrossInBulk(t *testing.T) {
	balanced(t)
	type names []boundName
	for _, c := range []struct{ fn, arg, want any }{
		{func(v []int64) []int64 { return v }, []int64{1, -2, 3}, "[1 -2 3]"},
		{func(v []float64) []float64 { return v }, []any{1.5, 2, true}, "[1.5 2 1]"},
		{func(v []bool) []bool { return v }, []any{true, 0}, "[true false]"},
		{func(v []boundCount) []boundCount { return v }, []int{1, 2}, "[1 2]"},
		{func(v names) names { return v }, []string{"a", longText, "with\x00zero", ""}, "[a " + longText + " with\x00zero ]"},
		{func(v []string) []string { return v }, []string{}, "[]"},
		{func(v map[string]int64) map[string]int64 { return v }, map[string]int{"a": 1, longText: 2}, "map[a:1 " + longText + ":2]"},
		{func(v map[boundName]boundRatio) map[boundName]boundRatio { return v }, map[string]any{"a": 1, "b": 0.5}, "map[a:1 b:0.5]"},
		{func(v map[int64]string) map[int64]string { return v }, map[int]string{7: longText, 8: "\x00 and more"}, "map[7:" + longText + " 8:\x00 and more]"},
		{func(v map[int64]bool) map[int64]bool { return v }, map[int]bool{7: true}, "map[7:true]"},
		{func(v map[string]string) map[string]string { return v }, map[string]string{"k": "v"}, "map[k:v]"},
		{func(v map[string]any) map[string]any { return v }, map[string]any{"k": 1}, "map[k:1]"},
	} {
		f := must(selfsame.NewFunc(c.fn))(t)
		back := reflect.New(reflect.TypeOf(c.fn).In(0))
		check := must(selfsame.NewFunc(reflect.MakeFunc(reflect.FuncOf([]reflect.Type{back.Type().Elem()}, nil, false),
			func(in []reflect.Value) []reflect.Value {
				if got := fmt.Sprint(in[0].Interface()); got != c.want {
					t.Errorf("%T: got %q, want %q", c.fn, got, c.want)
				}
				return nil
			}).Interface()))(t)
		result, err := f.Call(c.arg)
		if err == nil {
			_, err = check.Call(result)
		}
		if err != nil {
			t.Errorf("%T: %v", c.fn, err)
		}
		if r, ok := result.(interface{ Release() }); ok {
			r.Release()
		}
		f.Release()
		check.Release()
	}
	f := must(selfsame.NewFunc(func() []string { return []string{longText, "\xff" + longText} }))(t)
	if _, err := f.Call(); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("text that is not UTF-8: %v", err)
	}
	f.Release()
}
