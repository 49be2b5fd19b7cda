package convert

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// Nilable is the type of a parameter of a slice or map type T for which None is nil. It has the value at its own address, so that it is
// converted as one of T.
type Nilable[T any] struct{ Value T }

// nilable is implemented by Nilable.
type nilable interface{ nilableType() reflect.Type }

func (Nilable[T]) nilableType() reflect.Type { return reflect.TypeFor[T]() }

// NewConv implements Converter.
func (Nilable[T]) NewConv() (*Conv, error) {
	inner, err := ForPlain(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	c := *inner
	c.CopiesBytes = c.CopiesBytes || c.Fast == FastBytes || c.Fast == FastLent
	c.Fast, c.BitsIndex, c.Element, c.GoType = NoFastPath, NoBitsIndex, nil, reflect.TypeFor[Nilable[T]]()
	c.LendsNumbers, c.CallsOnly, c.OnlyParameter = false, true, "is a parameter only; use "+reflect.TypeFor[T]().String()
	from, check := c.From, c.Check
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		if v.TypeIndex == abi.IndexNone {
			reflect.NewAt(reflect.TypeFor[T](), dst).Elem().SetZero()
			return nil
		}
		return from(v, dst)
	}
	c.lend = nil
	if check != nil {
		c.Check = func(v *abi.Any) error {
			if v.TypeIndex == abi.IndexNone {
				return nil
			}
			return check(v)
		}
	}
	c.acceptNil()
	return &c, nil
}

// acceptNil says in the name, the schema and the type of a conversion that it takes None.
func (c *Conv) acceptNil() {
	name, schema, of := c.Name, c.Schema, c.Type
	c.Name = func() string { return "Optional<" + name() + ">" }
	c.Schema = func() string { return NestedSchema("Optional", schema()) }
	c.Type = TypeOnce(func() *bridge.Type { return bridge.NewType(bridge.KindOptional, nil, of(), c.Name()) })
}
