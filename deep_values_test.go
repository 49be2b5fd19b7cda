package selfsame_test

import (
	"errors"
	"iter"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Values that contain themselves are errors when they go out, whatever they contain themselves through.
//
// Requirement: D10
func TestValuesThatContainThemselvesAreErrors(t *testing.T) {
	balanced(t)
	byName := map[string]any{}
	byName["self"] = map[string]any{"again": byName}
	items := []any{1, nil}
	items[1] = items
	mixed := map[string]any{}
	mixed["items"] = []any{[]map[string]any{mixed}}
	for name, value := range map[string]any{"map": byName, "slice": items, "mixed": mixed} {
		for _, opts := range [][]selfsame.FuncOption{nil, {selfsame.Plain()}} {
			f := mustFunc(t, func() any { return value }, opts...)
			_, err := f.Call()
			wantError(t, err, "RecursionError", "the value contains itself, or its containers are nested more than 1000 deep")
			t.Logf("%s: %v", name, err)
		}
	}
}

// Requirement: D10
func TestValuesNestedDeepCross(t *testing.T) {
	balanced(t)
	f := mustFunc(t, func(depth int) any {
		var value any = "inside"
		for i := range depth {
			if i%2 == 0 {
				value = []any{value}
			} else {
				value = map[string]any{"x": value}
			}
		}
		return value
	})
	if _, err := f.Call(1000); err != nil {
		t.Error(err)
	}
	_, err := f.Call(1001)
	wantError(t, err, "RecursionError", "nested more than 1000 deep")
}

// A List and a Dict may contain themselves; as Go's own types they are errors.
//
// Requirement: D10
func TestContainersThatContainThemselvesAreErrors(t *testing.T) {
	balanced(t)
	length := mustFunc(t, func(x any) bool { return x == nil }, selfsame.Plain())
	list := must(selfsame.NewList([]any{}))(t)
	list.Append(1, list)
	_, err := length.Call(list)
	wantError(t, err, "RecursionError", "the value contains itself")
	list.Clear()
	list.Release()
}

// Requirement: D10
func TestIterationThatFails(t *testing.T) {
	balanced(t)
	failure := errors.New("the third is broken")
	failing := func(yield func(int, error) bool) {
		_ = yield(1, nil) && yield(2, nil) && yield(0, failure) && yield(4, nil)
	}
	f := mustFunc(t, func() iter.Seq2[int, error] { return failing })
	numbers := mustCall[iter.Seq2[int, error]](t, f)
	var got []int
	var last error
	for n, err := range numbers {
		if err != nil {
			last = err
			continue
		}
		got = append(got, n)
	}
	if len(got) != 2 || got[1] != 2 || !errors.Is(last, failure) {
		t.Errorf("got %v and %v", got, last)
	}
	sum := mustFunc(t, func(numbers iter.Seq2[int, error]) (total int, err error) {
		for n, err := range numbers {
			if err != nil {
				return total, err
			}
			total += n
		}
		return total, nil
	})
	if total := mustCall[int](t, sum, []int64{1, 2, 3}); total != 6 {
		t.Errorf("total: got %d", total)
	}
	_, err := sum.Call([]any{1, "two"})
	wantError(t, err, "TypeError", "element 1 of the iterable: expected int, got str")
}
