package selfsame

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
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

func (Tuple2[A, B]) newConv() (*conv, error)    { return tupleConv(reflect.TypeFor[Tuple2[A, B]]()) }
func (Tuple3[A, B, C]) newConv() (*conv, error) { return tupleConv(reflect.TypeFor[Tuple3[A, B, C]]()) }
func (Tuple4[A, B, C, D]) newConv() (*conv, error) {
	return tupleConv(reflect.TypeFor[Tuple4[A, B, C, D]]())
}

// tupleConv makes the conversion of a struct whose fields are the values of a tuple.
func tupleConv(t reflect.Type) (*conv, error) {
	parts := make([]*conv, t.NumField())
	made := &conv{}
	for i := range parts {
		inner, err := convFor(t.Field(i).Type)
		if err != nil {
			return nil, err
		}
		parts[i] = inner
		made.classes = append(made.classes, inner.classes...)
		made.borrows = made.borrows || inner.borrows
		made.callsOnly = made.callsOnly || inner.callsOnly
		made.records = append(made.records, inner.records...)
		made.onlyParameter += inner.onlyParameter
		made.onlyResult += inner.onlyResult
	}
	list := func(of func(*conv) string) []string {
		out := make([]string, len(parts))
		for i, p := range parts {
			out[i] = of(p)
		}
		return out
	}
	made.name = func() string {
		return "Tuple<" + strings.Join(list(func(p *conv) string { return p.name() }), ", ") + ">"
	}
	made.schema = func() string {
		return nestedSchema("Tuple", list(func(p *conv) string { return p.schema() })...)
	}
	made.typ = typeOnce(func() *bridge.Type {
		types := make([]*bridge.Type, len(parts))
		for i, p := range parts {
			types[i] = p.typ()
		}
		return bridge.NewTupleType(types, made.name())
	})
	items := func(v *abi.Any) ([]abi.Any, error) {
		if v.TypeIndex != abi.IndexArray && v.TypeIndex != abi.IndexList {
			return nil, mismatched(v)
		}
		items := abi.SeqOf(v.Pointer()).Items()
		if len(items) != len(parts) {
			return nil, wrongSize(len(items))
		}
		return items, nil
	}
	made.check = func(v *abi.Any) error {
		items, err := items(v)
		for i := range items {
			if err == nil && parts[i].check != nil {
				err = atIndex("Array", i, parts[i].check(&items[i]))
			}
		}
		return err
	}
	made.from = func(v *abi.Any, dst unsafe.Pointer) error {
		items, err := items(v)
		for i := range items {
			if err == nil {
				err = atIndex("Array", i, parts[i].from(&items[i], unsafe.Add(dst, t.Field(i).Offset)))
			}
		}
		return err
	}
	made.to = func(src unsafe.Pointer, v *abi.Any) error {
		owned := make([]abi.Any, len(parts))
		defer func() { releaseAll(owned) }()
		for i, p := range parts {
			if err := p.to(unsafe.Add(src, t.Field(i).Offset), &owned[i]); err != nil {
				return inElement(fmt.Sprintf("Tuple[index %d]", i), err)
			}
		}
		object, err := newContainer(abi.IndexArray, owned)
		if err != nil {
			return err
		}
		*v = abi.ObjectValue(object)
		return nil
	}
	return made, nil
}

// Optional is an E, or None when OK is false, as a parameter, result or element.
type Optional[E any] struct {
	Value E
	OK    bool
}

// Some returns an Optional with a value.
func Some[E any](value E) Optional[E] { return Optional[E]{Value: value, OK: true} }

func (Optional[E]) newConv() (*conv, error) {
	inner, err := convFor(reflect.TypeFor[E]())
	if err != nil {
		return nil, err
	}
	c := optionalConv(inner)
	c.from = func(v *abi.Any, dst unsafe.Pointer) error {
		o := (*Optional[E])(dst)
		if v.TypeIndex == abi.IndexNone {
			*o = Optional[E]{}
			return nil
		}
		o.OK = true
		return inner.from(v, unsafe.Pointer(&o.Value))
	}
	c.to = func(src unsafe.Pointer, v *abi.Any) error {
		o := (*Optional[E])(src)
		if !o.OK {
			*v = abi.None()
			return nil
		}
		return inner.to(unsafe.Pointer(&o.Value), v)
	}
	return c, nil
}
