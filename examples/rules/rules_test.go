package rules

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/expr-lang/expr"

	"github.com/selfsame-ffi/selfsame"
)

const source = `amount > 100 and country in ["DE", "FR"] or vip`

// rows are those of the figures, as in examples/speed.py.
func rows(n int) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		for i := range n {
			row := map[string]any{"amount": i % 250, "country": []string{"DE", "FR", "US"}[i%3], "vip": i%97 == 0}
			if !yield(row) {
				return
			}
		}
	}
}

func TestMatching(t *testing.T) {
	h := selfsame.New[rule](nil)
	defer h.Release()
	r := h.Get()
	if err := r.compile(source, nil); err != nil {
		t.Fatal(err)
	}
	got, err := r.matching(context.Background(), rows(105))
	if want := []int{0, 97, 102, 103}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.matching(cancelled, rows(10)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got error %v", err)
	}
}

func TestFunctionsAndErrors(t *testing.T) {
	h := selfsame.New[rule](nil)
	defer h.Release()
	r := h.Get()
	double := func(args ...any) (any, error) { return fmt.Sprint(args[0], args[0]), nil }
	if err := r.compile(`double(name) + "!"`, map[string]func(...any) (any, error){"double": double}); err != nil {
		t.Fatal(err)
	}
	if got, err := r.eval(map[string]any{"name": "ab"}); err != nil || got != "abab!" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := r.toJSON(); err == nil {
		t.Error("a rule with a function has a JSON form")
	}
	var failure *selfsame.Error
	if err := r.compile("amount >", nil); !errors.As(err, &failure) || failure.Kind != "ValueError" {
		t.Errorf("half an expression: got error %v, want a ValueError", err)
	}
}

func BenchmarkEval(b *testing.B) {
	program, err := expr.Compile(source, expr.AllowUndefinedVariables())
	if err != nil {
		b.Fatal(err)
	}
	row := map[string]any{"amount": 120, "country": "DE", "vip": false}
	for b.Loop() {
		if _, err := expr.Run(program, row); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMatching(b *testing.B) {
	program, err := expr.Compile(source, expr.AllowUndefinedVariables())
	if err != nil {
		b.Fatal(err)
	}
	all := slices.Collect(rows(100_000))
	for b.Loop() {
		matches := 0
		for _, row := range all {
			if got, _ := expr.Run(program, row); got == true {
				matches++
			}
		}
	}
}
