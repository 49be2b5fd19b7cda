package selfsame_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

type (
	level  int8
	ratio  float32
	title  string
	option = selfsame.Optional[int64]
)

// Funcs of many shapes give what a direct call gives, whether their arguments fit into registers or not.
//
// Requirement: D5
func TestFuncsOfManyShapesGetTheirArguments(t *testing.T) {
	balanced(t)
	p := PointClass.New(func(p *Point) { p.X = 2 })
	bad := errors.New("bad")
	for _, c := range []struct {
		fn   any
		args []any
		want any
	}{
		{func(a int8, b int16, c int32, d int64) int64 { return int64(a) + int64(b) + int64(c) + d }, []any{-1, -2, -3, -4}, int64(-10)},
		{func(a uint8, b uint16, c uint32, d uint64) uint32 { return uint32(a) + uint32(b) + c + uint32(d) }, []any{255, 65535, 1, 1}, int64(65792)},
		{func(x float32, y float64, z ratio) ratio { return ratio(float64(x)*y) + z }, []any{0.5, 4, 1.25}, 3.25},
		{func(x float64, n level, y float64, b bool) float64 {
			if b {
				return x*float64(n) + y
			}
			return 0
		}, []any{2.0, -3, 10.0, true}, 4.0},
		{func(s title, n int) title { return title(strings.Repeat(string(s), n)) }, []any{"many times over ", 3}, "many times over many times over many times over "},
		{func(p *Point, s string, h *PointHandle, x float64) string { return fmt.Sprint(p.X, s, h.Get().X, x) }, []any{p, "text", p, 0.5}, "2text2 0.5"},
		{func(a any, b any) bool { return a == b }, []any{p, p}, true},
		{func(xs []int, ys []string, f float64) int { return xs[len(xs)-1] + len(ys) + int(f) }, []any{[]int{1, 2, 3}, []string{"a"}, 6.0}, int64(10)},
		{func(a, b, c, d, e, f, g, h, i, j, k int) int { return a + 10*k + b + c + d + e + f + g + h + i + j }, []any{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4}, int64(41)},
		{func(a, b, c, d, e string) string { return a + b + c + d + e }, []any{"a", "b", "c", "d", "e"}, "abcde"},
		{func(a, b, c, d, e, f, g, h, i, j float64) float64 { return a + 10*j }, []any{1, 0, 0, 0, 0, 0, 0, 0, 0, 2}, 21.0},
		{func(o option, s string) option { return selfsame.Some(o.Value + int64(len(s))) }, []any{3, "four"}, int64(7)},
		{func() bool { return true }, nil, true},
		{func() (int8, error) { return -8, nil }, nil, int64(-8)},
		{func() (float32, error) { return 0.75, nil }, nil, 0.75},
		{func() (string, error) { return "a result with an error type", nil }, nil, "a result with an error type"},
		{func() (*PointHandle, error) { return p, nil }, nil, p},
		{func() (any, error) { return 12, nil }, nil, int64(12)},
		{func() error { return nil }, nil, nil},
		{func() (int, error) { return 1, bad }, nil, bad},
		{func() (float64, error) { return 1, bad }, nil, bad},
		{func() (string, error) { return "x", bad }, nil, bad},
		{func() ([]int, error) { return nil, bad }, nil, bad},
		{func() (any, error) { return "x", bad }, nil, bad},
		{func() (*PointHandle, error) { return p, bad }, nil, bad},
		{func() (option, error) { return option{}, bad }, nil, bad},
		{func() (option, error) { return option{}, nil }, nil, nil},
	} {
		f := must(selfsame.NewFunc(c.fn))(t)
		got, err := f.Call(c.args...)
		if c.want == bad {
			if !errors.Is(err, bad) {
				t.Errorf("%T: error %v", c.fn, err)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%T: %v, %v, want %v", c.fn, got, err, c.want)
		}
		f.Release()
	}
	got := must(must(selfsame.NewFunc(func() ([]string, error) { return []string{"one", "two"}, nil }))(t).Call())(t)
	if a := got.(*selfsame.Array[any]); a.Len() != 2 || a.At(1) != "two" {
		t.Errorf("slice result: %v", got)
	}
}

// The garbage collector must see the targets of arguments and results during the whole call.
//
// Requirement: D8
func TestCallsKeepTheirArgumentsUnderCollection(t *testing.T) {
	balanced(t)
	join := must(selfsame.NewFunc(func(parts []string, sep string, extra []byte) (string, error) {
		runtime.Gosched()
		return strings.Join(append(append([]string{}, parts...), string(extra)), sep), nil
	}))(t)
	stop := collectAllTheTime()
	var wg sync.WaitGroup
	for g := range 4 {
		spawn(&wg, func() {
			for n := range 200 {
				part := fmt.Sprintf("part %d of goroutine %d", n, g)
				want := part + " and " + part + " and " + part
				if got, err := join.Call([]string{part, part}, " and ", []byte(part)); err != nil || got != want {
					t.Errorf("got %q, %v, want %q", got, err, want)
					return
				}
			}
		})
	}
	wg.Wait()
	stop()
}

// Funcs of only numbers and objects take their arguments unconverted, unless one needs a conversion or is wrong.
//
// Requirement: D5
func TestFuncsOfNumbersAndObjectsGetTheirArguments(t *testing.T) {
	balanced(t)
	p := PointClass.New(func(p *Point) { p.X = 2 })
	q := Point3Class.New(nil)
	var none *PointHandle
	released := PointClass.New(nil)
	released.Release()
	bad := errors.New("bad")
	mix := func(n int64, x float64, h *PointHandle, b bool, lent *Point, m int) float64 {
		if b {
			return float64(n) + x + h.Get().X + lent.X + float64(m)
		}
		return -1
	}
	for _, c := range []struct {
		fn   any
		args []any
		want any
		kind string // of the error, if there is to be one
		part string
	}{
		{fn: mix, args: []any{1, 0.5, p, true, p, 100}, want: 105.5},
		{fn: mix, args: []any{1, 0.5, q, false, q, 100}, want: -1.0},
		{fn: mix, args: []any{true, 2, p, 1, p, 100}, want: 107.0},
		{fn: mix, args: []any{1, 0.5, p, true, p, "100"}, kind: "TypeError", part: "argument #5"},
		{fn: mix, args: []any{1, 0.5, nil, true, p, 100}, kind: "TypeError", part: "argument #2"},
		{fn: mix, args: []any{1, 0.5, p, true, p}, kind: "TypeError", part: "Expected 6 but got 5"},
		{fn: func(h *PointHandle) *PointHandle { return h }, args: []any{p}, want: p},
		{fn: func(h *PointHandle) (*PointHandle, error) { return h, bad }, args: []any{p}, kind: "RuntimeError", part: "bad"},
		{fn: func(n int) *PointHandle { return none }, args: []any{0}, want: nil},
		{fn: func(n int) *PointHandle { return released }, args: []any{0}, kind: "RuntimeError", part: "after Release"},
		{fn: func(n int) bool { return n > 3 }, args: []any{4}, want: true},
		{fn: func(n int) (bool, error) { return n > 3, nil }, args: []any{3}, want: false},
		{fn: func(x float64) {}, args: []any{1.5}, want: nil},
		{fn: func(x float64) error { return bad }, args: []any{1.5}, kind: "RuntimeError", part: "bad"},
		{fn: func(a, b, c, d, e, f, g, h, i int) int { return a*10 + i }, args: []any{1, 0, 0, 0, 0, 0, 0, 0, 9}, want: int64(19)},
		{fn: func(a int64) int64 { panic("words") }, args: []any{1}, kind: "RuntimeError", part: "words"},
	} {
		f := must(selfsame.NewFunc(c.fn))(t)
		got, err := f.Call(c.args...)
		switch {
		case c.kind != "":
			wantError(t, err, c.kind, c.part)
		case err != nil || got != c.want:
			t.Errorf("%T: %v, %v, want %v", c.fn, got, err, c.want)
		}
		f.Release()
	}
	p.Release()
	q.Release()
}
