package selfsame_test

import (
	"fmt"
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

// Requirement: D10
func TestPlainHoldsForMethodsOfAClass(t *testing.T) {
	made, err := selfsame.NewObject("selfsame_test.PlainNotes", map[string]any{"a": []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	defer made.Release()
	got, err := selfsame.CallMethod(made, "types", map[string]any{"list": []any{1, "x"}})
	if err != nil || got != "map[string]interface {} []interface {}" {
		t.Errorf("got %v, error %v", got, err)
	}
	if notes := plainNotesClass.New(nil); notes.Get().notes.IsSet() {
		t.Error("a new object has notes")
	}
}
