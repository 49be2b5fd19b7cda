package selfsame_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// plainNotes is a class whose constructor and methods take Go's own maps and slices.
type plainNotes struct {
	selfsame.Object
	notes selfsame.Value[any]
}

var plainNotesClass = selfsame.MustRegister[plainNotes]("selfsame_test.PlainNotes", selfsame.Plain(),
	selfsame.Init(func(p *plainNotes, notes any) { p.notes.Set(notes) }, "notes"),
	selfsame.Method("types", func(p *plainNotes, more any) string {
		return fmt.Sprintf("%T %T", p.notes.Get(), more.(map[string]any)["list"])
	}, ""))

// heldSize is a class that is nothing but one Go value, of a type of another package.
type heldSize struct {
	selfsame.Object
	Size selfsame.Value[big.Int]
}

// namedSize is one that is more.
type namedSize struct {
	selfsame.Object
	Name selfsame.String
	Size selfsame.Value[*big.Int]
}

var (
	heldSizeClass = selfsame.MustRegister[heldSize]("selfsame_test.HeldSize",
		selfsame.Init(func(h *heldSize, n int64) { h.Size.Set(*big.NewInt(n)) }, "n"))
	namedSizeClass = selfsame.MustRegister[namedSize]("selfsame_test.NamedSize",
		selfsame.Init(func(h *namedSize, n int64) { h.Size.Set(big.NewInt(n)) }, "n"))
)

// Requirement: D10
func TestAnObjectThatIsOneGoValueArrivesAsThatValue(t *testing.T) {
	held, named, unset := heldSizeClass.New(nil), namedSizeClass.New(nil), heldSizeClass.New(nil)
	held.Get().Size.Set(*big.NewInt(5))
	for _, h := range []interface{ Release() }{held, named, unset} {
		defer h.Release()
	}
	describe := func(x any) string { return fmt.Sprintf("%T", x) }
	plain := mustFunc(t, describe, selfsame.Plain())
	kept := mustFunc(t, describe)
	for _, test := range []struct {
		function *selfsame.Function
		argument any
		want     string
	}{
		{plain, held, "big.Int"},
		{plain, []any{held}, "[]interface {}"},
		{plain, named, "*selfsame.Handle[github.com/selfsame-ffi/selfsame_test.namedSize]"},
		{plain, unset, "<nil>"},
		{kept, held, "*selfsame.Handle[github.com/selfsame-ffi/selfsame_test.heldSize]"},
	} {
		got, err := test.function.Call(test.argument)
		if err != nil || got != test.want {
			t.Errorf("%T: got %v, error %v, want %s", test.argument, got, err, test.want)
		}
	}
	sum := mustFunc(t, func(sizes []any, byName map[string]any) int64 {
		a, b := sizes[0].(big.Int), byName["b"].(big.Int)
		return new(big.Int).Add(&a, &b).Int64()
	}, selfsame.Plain())
	if got, err := sum.Call([]any{held}, map[string]any{"b": held}); err != nil || got != int64(10) {
		t.Errorf("got %v, error %v, want 10", got, err)
	}
}

// Requirement: D10
func TestPlainHoldsForMethodsOfAClass(t *testing.T) {
	made := must(selfsame.NewObject("selfsame_test.PlainNotes", map[string]any{"a": []int{1}}))(t)
	defer made.Release()
	got, err := selfsame.CallMethod(made, "types", map[string]any{"list": []any{1, "x"}})
	if err != nil || got != "map[string]interface {} []interface {}" {
		t.Errorf("got %v, error %v", got, err)
	}
	if notes := plainNotesClass.New(nil); notes.Get().notes.IsSet() {
		t.Error("a new object has notes")
	}
}
