package selfsame_test

import (
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Requirement: D11
func TestArgumentsThatAreKeywordsOnlyStandBeforeTheRest(t *testing.T) {
	fn := func(first int, width, height int, rest ...int) int {
		return 1000*first + 100*width + 10*height + len(rest)
	}
	names := selfsame.ArgNames("first", "*width=2", "*height=3", "rest")
	registered(t, selfsame.RegisterFunc("test.by_name", fn, names, selfsame.Override()))
	f := must(selfsame.GetFunc("test.by_name"))(t)
	marker := must(must(selfsame.GetFunc("ffi.GetKwargsObject"))(t).Call())(t)
	for _, c := range []struct {
		args []any
		want int64
	}{
		{[]any{1}, 1230},
		{[]any{1, 7, 7}, 1232}, // values of the rest
		{[]any{1, 7, 7, 7}, 1233},
		{[]any{1, marker, "height", 5}, 1250},
		{[]any{1, 7, 7, marker, "height", 5, "width", 4}, 1452},
		{[]any{marker, "first", 4, "width", 6}, 4630},
	} {
		if got := must(f.Call(c.args...))(t); got != c.want {
			t.Errorf("%v: got %v, want %d", c.args, got, c.want)
		}
	}
	_, err := f.Call(1, marker, "depth", 5)
	wantError(t, err, "TypeError", "test.by_name: got an unexpected keyword argument 'depth'")
	_, err = f.Call(1, marker, "height", "x")
	wantError(t, err, "TypeError", "test.by_name: argument 'height': expected int, got str")
	_, err = f.Call()
	wantError(t, err, "TypeError", "test.by_name: argument 'first': missing")

	registered(t, selfsame.RegisterFunc("test.by_name_alone", func(a, b int) int { return 10*a + b }, selfsame.ArgNames("a=1", "*b=2"), selfsame.Override()))
	_, err = must(selfsame.GetFunc("test.by_name_alone"))(t).Call(1, 2)
	wantError(t, err, "TypeError", "test.by_name_alone: expected 0 to 1 arguments, got 2")
}

// Requirement: D11
func TestNamesOfKeywordArgumentsAreChecked(t *testing.T) {
	fn := func(int, int, ...int) {}
	for names, want := range map[[3]string]string{
		{"a", "*b", "c"}:     "argument 'b': expected a default, as `*` makes it a keyword argument only",
		{"*a=1", "b=1", "c"}: "argument 'b': expected `*` before the name, as an argument before it has one",
		{"a", "b", "*c"}:     "argument 'c': expected no default and no `*`, as it takes any number of values",
		{"a", "*-b=1", "c"}:  "expected an identifier as argument name, got `-b`",
	} {
		wantError(t, selfsame.RegisterFunc("test.bad", fn, selfsame.ArgNames(names[:]...)), "ValueError", want)
	}
}

func registered(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
