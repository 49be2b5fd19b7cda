package selfsame_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math/big"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/selfsame-ffi/selfsame"
)

// Requirement: D10
//
// These tests run without Python, so the types that the ABI lacks cross in their native form. The package signatures in
// python/tests does the same with Python.

func mustFunc(t *testing.T, fn any, opts ...selfsame.FuncOption) *selfsame.Function {
	t.Helper()
	f := must(selfsame.NewFunc(fn, opts...))(t)
	return f
}

func mustCall[R any](t *testing.T, f *selfsame.Function, args ...any) R {
	t.Helper()
	r := must(selfsame.CallAs[R](f, args...))(t)
	return r
}

func TestTimesAndDurationsKeepTheirValue(t *testing.T) {
	at := time.Date(2026, 7, 1, 12, 30, 15, 123456789, time.FixedZone("", 2*3600))
	later := mustFunc(t, func(at time.Time, by time.Duration) time.Time { return at.Add(by) })
	got := mustCall[time.Time](t, later, at, 90*time.Minute)
	if want := at.Add(90 * time.Minute); !got.Equal(want) || got.Format(time.RFC3339Nano) != want.Format(time.RFC3339Nano) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := later.Call("noon", time.Second); err == nil || !strings.Contains(err.Error(), "Expected `datetime` but got `ffi.SmallStr`") {
		t.Errorf("a str for a time: got error %v", err)
	}
}

func TestContextIsNoArgument(t *testing.T) {
	f := mustFunc(t, func(ctx context.Context, n int) (int, error) { return n + 1, ctx.Err() })
	if got := mustCall[int](t, f, 1); got != 2 {
		t.Errorf("got %d", got)
	}
	bound := must(selfsame.Bind[func(context.Context, int) (int, error)](f))(t)
	if got, err := bound(t.Context(), 4); got != 5 || err != nil {
		t.Errorf("bound: got %d, %v", got, err)
	}
	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(io.ErrClosedPipe)
	if _, err := bound(cancelled, 4); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("with a context that is done: got error %v", err)
	}
}

func TestVariadicTakesAnyNumber(t *testing.T) {
	join := mustFunc(t, func(sep string, parts ...string) string { return strings.Join(parts, sep) })
	for n := range 12 {
		parts := slices.Repeat([]string{"a"}, n)
		args := []any{"-"}
		for _, p := range parts {
			args = append(args, p)
		}
		if got := mustCall[string](t, join, args...); got != strings.Join(parts, "-") {
			t.Errorf("%d parts: got %q", n, got)
		}
	}
	if _, err := join.Call(); err == nil || !strings.Contains(err.Error(), "Expected at least 1 but got 0") {
		t.Errorf("without arguments: got error %v", err)
	}
	if _, err := join.Call("-", "a", 2); err == nil || !strings.Contains(err.Error(), "argument #2") ||
		!strings.Contains(err.Error(), "Expected `str` but got `int`") {
		t.Errorf("a wrong third argument: got error %v", err)
	}
	bound := must(selfsame.Bind[func(string, ...string) string](join))(t)
	if got := bound("+", "x", "y"); got != "x+y" {
		t.Errorf("bound: got %q", got)
	}
	if got := mustCall[int](t, mustFunc(t, func(b ...byte) int { return len(b) }), 1, 2, 3); got != 3 {
		t.Errorf("bytes one by one: got %d", got)
	}
}

func TestSeveralResultsAreATuple(t *testing.T) {
	f := mustFunc(t, func(s string) (string, int, bool, error) {
		if s == "" {
			return "", 0, false, io.ErrUnexpectedEOF
		}
		return s[:1], len(s), true, nil
	})
	got := mustCall[selfsame.Tuple3[string, int, bool]](t, f, "hello")
	if got.First != "h" || got.Second != 5 || !got.Third {
		t.Errorf("got %v", got)
	}
	if _, err := f.Call(""); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got error %v", err)
	}
	bound := must(selfsame.Bind[func(string) (string, int, bool, error)](f))(t)
	if a, b, c, err := bound("hello"); a != "h" || b != 5 || !c || err != nil {
		t.Errorf("bound: got %q, %d, %v, %v", a, b, c, err)
	}
	//lint:ignore ST1008 errors as values
	values := mustFunc(t, func() (error, error, int) { return io.EOF, nil, 3 })
	errs := mustCall[selfsame.Tuple3[error, error, int]](t, values)
	if !errors.Is(errs.First, io.EOF) || errs.Second != nil {
		t.Errorf("errors as values: got %v", errs)
	}
}

func TestNumbersOfOtherKinds(t *testing.T) {
	square := mustFunc(t, func(x complex128) complex128 { return x * x })
	if got := mustCall[complex128](t, square, 3+4i); got != -7+24i {
		t.Errorf("complex: got %v", got)
	}
	if got := mustCall[complex64](t, square, 2); got != 4 {
		t.Errorf("complex of an int: got %v", got)
	}
	negate := mustFunc(t, func(n *big.Int) *big.Int { return new(big.Int).Neg(n) })
	for _, text := range []string{"0", "-1", "9223372036854775808", "-9223372036854775809", "123456789012345678901234567890", "-340282366920938463463374607431768211456"} {
		n, _ := new(big.Int).SetString(text, 10)
		if got := mustCall[*big.Int](t, negate, n); got.Cmp(new(big.Int).Neg(n)) != 0 {
			t.Errorf("big: -(%s): got %s", text, got)
		}
	}
	orZero := mustFunc(t, func(n *int) *int {
		if n == nil {
			return new(int)
		}
		if *n == 0 {
			return nil
		}
		return n
	})
	if got := mustCall[*int](t, orZero, nil); got == nil || *got != 0 {
		t.Errorf("None: got %v", got)
	}
	if got := mustCall[*int](t, orZero, 0); got != nil {
		t.Errorf("0: got %v", *got)
	}
	sum := mustFunc(t, func(v [3]float64) [2]float64 { return [2]float64{v[0] + v[1], v[2]} })
	if got := mustCall[[2]float64](t, sum, []float64{1, 2, 3}); got != [2]float64{3, 3} {
		t.Errorf("array: got %v", got)
	}
	if _, err := sum.Call([]float64{1}); err == nil || !strings.Contains(err.Error(), "of 3 elements` but got `Array[size=1]") {
		t.Errorf("array of a wrong size: got error %v", err)
	}
}

func TestPlainContainersAllTheWayDown(t *testing.T) {
	var seen any
	keep := mustFunc(t, func(doc map[string]any) any { seen = doc; return doc }, selfsame.Plain())
	doc := map[string]any{"a": []any{int64(1), 2.5, "x", map[string]any{"b": nil}}, "c": map[any]any{int64(1): true}}
	must(keep.Call(doc))(t)
	if !reflect.DeepEqual(seen, any(doc)) {
		t.Errorf("got %#v", seen)
	}
}

func TestIteratorsAreLazyInBothDirections(t *testing.T) {
	made := 0
	count := mustFunc(t, func() iter.Seq[int] {
		return func(yield func(int) bool) {
			for made = 1; yield(made * made); made++ {
			}
		}
	})
	squares := mustCall[iter.Seq[int]](t, count)
	var got []int
	for n := range squares {
		if got = append(got, n); len(got) == 4 {
			break
		}
	}
	if !slices.Equal(got, []int{1, 4, 9, 16}) || made != 4 {
		t.Errorf("got %v after %d elements were made", got, made)
	}
	next := mustCall[*selfsame.Function](t, count)
	if n := mustCall[int](t, next); n != 1 {
		t.Errorf("first element: got %d", n)
	}
	must(next.Call("close"))(t)
	var failed *selfsame.Error
	if _, err := next.Call(); !errors.As(err, &failed) || failed.Kind != "StopIteration" {
		t.Errorf("after close: got %v", err)
	}

	total := mustFunc(t, func(values iter.Seq[float64]) (sum float64) {
		for v := range values {
			sum += v
		}
		return sum
	})
	if got := mustCall[float64](t, total, []float64{1, 2, 3.5}); got != 6.5 {
		t.Errorf("a slice as an iterator: got %v", got)
	}
	if _, err := total.Call([]string{"x"}); err == nil || !strings.Contains(err.Error(), "element 0 of the iterable: expected float, got str") {
		t.Errorf("a wrong element: got error %v", err)
	}
	pairs := mustFunc(t, func(prices iter.Seq2[string, int]) map[string]int { return maps.Collect(prices) })
	want := map[string]int{"a": 1, "b": 2}
	if got := mustCall[map[string]int](t, pairs, want); !maps.Equal(got, want) {
		t.Errorf("pairs: got %v", got)
	}
	if got := mustCall[map[string]int](t, pairs, maps.All(want)); !maps.Equal(got, want) {
		t.Errorf("pairs of an iterator: got %v", got)
	}
	broken := mustFunc(t, func() iter.Seq[int] { return func(func(int) bool) { panic(io.ErrNoProgress) } })
	if _, err := mustCall[*selfsame.Function](t, broken).Call(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("an iterator that panics: got %v", err)
	}
}

func TestIteratorThatIsDroppedEnds(t *testing.T) {
	ended := make(chan bool, 1)
	f := mustFunc(t, func() iter.Seq[int] {
		return func(yield func(int) bool) {
			for yield(1) {
			}
			ended <- true
		}
	})
	next := mustCall[*selfsame.Function](t, f)
	must(next.Call())(t)
	next.Release()
	for { // it ends in one of the next collections, or the test hangs
		selfsame.Collect()
		select {
		case <-ended:
			return
		default:
			runtime.Gosched()
		}
	}
}

func TestChannelIsAnIterator(t *testing.T) {
	f := mustFunc(t, func(n int) <-chan int {
		ch := make(chan int)
		go func() {
			defer close(ch)
			for i := range n {
				ch <- i
			}
		}()
		return ch
	})
	if got := slices.Collect(mustCall[iter.Seq[int]](t, f, 4)); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("got %v", got)
	}
}

func TestStreamsInBothDirections(t *testing.T) {
	upper := mustFunc(t, func(from io.Reader, to io.Writer) (int64, error) {
		data, err := io.ReadAll(from)
		if err != nil {
			return 0, err
		}
		return io.Copy(to, bytes.NewReader(bytes.ToUpper(data)))
	})
	var out bytes.Buffer
	text := strings.Repeat("selfsame ", 20_000)
	if got := mustCall[int](t, upper, strings.NewReader(text), &out); got != len(text) || out.String() != strings.ToUpper(text) {
		t.Errorf("got %d bytes, and a writer with %d", got, out.Len())
	}
	if got := mustCall[int](t, upper, []byte("bytes"), &out); got != 5 {
		t.Errorf("bytes as a reader: got %d", got)
	}
	open := mustFunc(t, func(text string) io.Reader { return strings.NewReader(text) })
	data, err := io.ReadAll(mustCall[io.Reader](t, open, "back again"))
	if string(data) != "back again" || err != nil {
		t.Errorf("got %q, %v", data, err)
	}
	broken := mustCall[io.Reader](t, mustFunc(t, func() io.Reader { return brokenReader{} }))
	if _, err := io.ReadAll(broken); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a reader that fails: got error %v", err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

type Limits struct {
	MaxDepth int `doc:"how deep"`
	Timeout  time.Duration
	Names    []string
	Inner    *Limit
	secret   int `ffi:"-"`
}

type Limit struct {
	At float64 `ffi:"name=where"`
}

func TestStructsAreRecords(t *testing.T) {
	deeper := mustFunc(t, func(l Limits) (*Limits, error) { l.MaxDepth++; l.secret = 1; return &l, nil })
	in := Limits{MaxDepth: 3, Timeout: time.Second, Names: []string{"a"}, Inner: &Limit{2.5}}
	got := mustCall[*Limits](t, deeper, in)
	if got.MaxDepth != 4 || got.Timeout != time.Second || got.Inner == nil || got.Inner.At != 2.5 || got.secret != 0 {
		t.Errorf("got %+v", got)
	}
	if got := mustCall[Limits](t, deeper, map[string]any{"max_depth": 1}); got.MaxDepth != 2 || got.Names == nil && len(got.Names) != 0 {
		t.Errorf("of a map: got %+v", got)
	}
	for _, c := range []struct {
		arg  any
		want string
	}{
		{map[string]any{"depth": 1}, "selfsame_test.Limits has no field \"depth\""},
		{map[string]any{"max_depth": "x"}, "selfsame_test.Limits.max_depth: expected int, got str"},
		{map[string]any{"inner": map[string]any{"where": "x"}}, "selfsame_test.Limit.where: expected float, got str"},
		{3, "Expected `selfsame_test.Limits` but got `int`"},
	} {
		if _, err := deeper.Call(c.arg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got error %v, want %q", c.arg, err, c.want)
		}
	}
}

type Release struct{ major, minor int }

func (v Release) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"text": fmt.Sprintf("%d.%d", v.major, v.minor), "big": json.Number("123456789012345678901"), "parts": []int{v.major, v.minor}})
}

func (v *Release) UnmarshalJSON(text []byte) error {
	var parts struct{ Parts [2]int }
	err := json.Unmarshal(text, &parts)
	v.major, v.minor = parts.Parts[0], parts.Parts[1]
	return err
}

func TestMarshalersCrossAsTheirJSON(t *testing.T) {
	next := mustFunc(t, func(v Release) Release { v.minor++; return v })
	got := mustCall[map[string]any](t, next, map[string]any{"parts": []int{1, 2}})
	if n, ok := got["big"].(*big.Int); got["text"] != "1.3" || !ok || n.String() != "123456789012345678901" {
		t.Errorf("got %v", got)
	}
	if got := mustCall[Release](t, next, Release{4, 5}); got != (Release{4, 6}) {
		t.Errorf("there and back: got %v", got)
	}
}

func TestCallbackWithoutErrorPanicsWithItsError(t *testing.T) {
	each := mustFunc(t, func(n int, visit func(int) int) (sum int) {
		for i := range n {
			sum += visit(i)
		}
		return sum
	})
	if got := mustCall[int](t, each, 4, func(i int) int { return 10 * i }); got != 60 {
		t.Errorf("got %d", got)
	}
	refuse := func(int) (int, error) { return 0, selfsame.Errorf("KeyError", "no") }
	var failed *selfsame.Error
	if _, err := each.Call(1, refuse); !errors.As(err, &failed) || failed.Kind != "KeyError" || failed.Message != "no" {
		t.Errorf("got error %v", err)
	}
}
