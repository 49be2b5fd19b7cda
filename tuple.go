package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Tuple2 is a tuple of two values, for parameters, results and elements. In the ABI it is an Array of exactly two elements,
// which are copied in both directions.
type Tuple2[A, B any] struct {
	First  A
	Second B
}

// Tuple3 is a tuple of three values. See [Tuple2].
type Tuple3[A, B, C any] struct {
	First  A
	Second B
	Third  C
}

// Tuple4 is a tuple of four values. See [Tuple2].
type Tuple4[A, B, C, D any] struct {
	First  A
	Second B
	Third  C
	Fourth D
}

func (Tuple2[A, B]) newConv() (*convert.Conv, error) {
	return convert.TupleConv(reflect.TypeFor[Tuple2[A, B]]())
}
func (Tuple3[A, B, C]) newConv() (*convert.Conv, error) {
	return convert.TupleConv(reflect.TypeFor[Tuple3[A, B, C]]())
}
func (Tuple4[A, B, C, D]) newConv() (*convert.Conv, error) {
	return convert.TupleConv(reflect.TypeFor[Tuple4[A, B, C, D]]())
}

// Optional is an E, or None when OK is false, as a parameter, result or element.
type Optional[E any] struct {
	Value E
	OK    bool
}

// Some returns an Optional with a value.
func Some[E any](value E) Optional[E] { return Optional[E]{Value: value, OK: true} }

func (Optional[E]) newConv() (*convert.Conv, error) {
	inner, err := convert.For(reflect.TypeFor[E]())
	if err != nil {
		return nil, err
	}
	return optionalConv[E](inner), nil
}

func optionalConv[E any](inner *convert.Conv) *convert.Conv {
	c := convert.OptionalConv(inner)
	if inner.Named != nil {
		c.Named = func(what func() string) *convert.Conv { return optionalConv[E](inner.Named(what)).InPlaceOf(c) }
	}
	c.SetFrom(func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
		o := (*Optional[E])(dst)
		if v.TypeIndex == abi.IndexNone {
			*o = Optional[E]{}
			return nil
		}
		o.OK = true
		return inner.Lend(v, unsafe.Pointer(&o.Value), lent)
	}, inner)
	c.To = func(src unsafe.Pointer, v *abi.Any) error {
		o := (*Optional[E])(src)
		if !o.OK {
			*v = abi.None()
			return nil
		}
		return inner.To(unsafe.Pointer(&o.Value), v)
	}
	return c
}
