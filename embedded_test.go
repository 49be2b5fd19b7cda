package selfsame_test

import (
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Tests of a program's structs that embed a type of the package, and so have its methods.

type namedPoint struct {
	Name string
	*PointHandle
}

type codedError struct {
	Code int
	*selfsame.Error
}

type rowWithID struct {
	ID int
	selfsame.Tuple2[int, int]
}

type taggedArray struct {
	N int64
	selfsame.Array[string]
}

type holdsTaggedArray struct {
	selfsame.Object
	F taggedArray
}

type withTensor struct {
	selfsame.Object
	selfsame.Tensor
}

// Requirement: D5
func TestEmbeddingIsNoConversion(t *testing.T) {
	balanced(t)
	for name, fn := range map[string]any{
		"handle": func(namedPoint) {},
		"tuple":  func() rowWithID { return rowWithID{} },
		"error":  func(codedError) {},
	} {
		_, err := selfsame.NewFunc(fn)
		t.Run(name, func(t *testing.T) { wantError(t, err, "TypeError", "has no counterpart in the ABI") })
	}
	_, err := selfsame.Register[holdsTaggedArray]("test.HoldsTaggedArray")
	wantError(t, err, "TypeError", "expected field types of package selfsame only as fields of the class struct itself")

	// As arguments they are the value that they embed.
	echo := must(selfsame.NewFunc(func(x any) any { return x }))(t)
	p := PointClass.New(nil)
	for _, arg := range []any{namedPoint{"p", p}, &namedPoint{"p", p}} {
		if got := must(echo.Call(arg))(t); got != p {
			t.Errorf("got %v, want %v", got, p)
		}
	}
	if got, ok := selfsame.PtrAs[Point](namedPoint{"p", p}); !ok || got != p.Get() {
		t.Errorf("PtrAs gave %v", got)
	}
	// A struct that embeds an *Error has a field named Error, not a method, and so is no error.
	_, err = echo.Call(codedError{7, &selfsame.Error{}})
	wantError(t, err, "TypeError", "has no counterpart in the ABI")
}

// Requirement: D1
func TestEmbeddedFieldTypesAreFields(t *testing.T) {
	class := must(selfsame.Register[withTensor]("test.WithTensor"))(t)
	made := class.New(nil)
	f := must(selfsame.NewFunc(func(w *withTensor) *withTensor { return w }))(t)
	if got := must(f.Call(made))(t); got != made {
		t.Errorf("got %v, want %v", got, made)
	}
}
