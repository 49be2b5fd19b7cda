package convert

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// AllOrFirst is the type of the first parameter of a constructor of an array type A with elements of type E: all elements in one iterable,
// or the first of them.
type AllOrFirst[A, E any] struct {
	All     A
	first   E
	isFirst bool
}

// Fill completes an array, to, which has been set to All, where the elements were given one by one. rest are those behind the first.
func (a AllOrFirst[A, E]) Fill(to, rest []E) error {
	switch {
	case !a.isFirst && len(rest) == 0:
		return nil
	case !a.isFirst || len(to) != 1+len(rest):
		return fault.New("TypeError", "expected %d elements or one iterable of them, got %d arguments", len(to), 1+len(rest))
	}
	to[0] = a.first
	copy(to[1:], rest)
	return nil
}

// NewConv implements Converter.
func (AllOrFirst[A, E]) NewConv() (*Conv, error) {
	all, err := ForPlain(reflect.TypeFor[A]())
	if err != nil {
		return nil, err
	}
	first, err := ForPlain(reflect.TypeFor[E]())
	if err != nil {
		return nil, err
	}
	c := CallConv("", "", func(dst unsafe.Pointer, v *abi.Any) error {
		given := (*AllOrFirst[A, E])(dst)
		failed := all.From(v, unsafe.Pointer(&given.All))
		if _, mismatched := failed.(*Mismatch); mismatched && first.From(v, unsafe.Pointer(&given.first)) == nil {
			given.isFirst = true
			return nil
		}
		return failed
	}, nil)
	c.Traits = TraitsOf(all, first)
	c.Lends, c.tensor = all.Lends, all.tensor
	c.CallsOnly, c.OnlyParameter = true, "is a parameter only; use "+reflect.TypeFor[A]().String()
	c.Name = all.Name
	c.Schema = func() string { return NestedSchema("Variant", all.Schema(), first.Schema()) }
	c.Type = TypeOnce(func() *bridge.Type { return KindType(bridge.KindAny, all.Name())() })
	return c, nil
}
