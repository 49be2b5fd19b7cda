package call

import (
	"cmp"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
)

// Loops over iterators of one element, without reflection for each. An iterator's type is chosen by the kind of its elements:
// funcs whose parameters have the same kind are called alike, and the conversion is told where the element lies.

// loops are the two loops for one kind of elements.
type loops struct {
	// out runs the loop at seq, and yields each element as the value that to has made of it.
	out func(seq unsafe.Pointer, to func(src unsafe.Pointer, v *abi.Any) error, yield func(v abi.Any, err error) bool)
	// in stores at dst an iterator over the elements of a source.
	in func(dst unsafe.Pointer, element *convert.Conv, from source)
	// inFailing does that for an iterator of pairs of an element and an error.
	inFailing func(dst unsafe.Pointer, element *convert.Conv, from source)
}

// source is what an iterator takes its elements from. wrong makes the error of the element with number n, from 0 on, which cannot
// be converted.
type source struct {
	each  func(use func(item *abi.Any) bool) error
	wrong func(n int, err error) error
}

var loopsByKind = map[reflect.Kind]loops{
	reflect.Bool:    loopsOf[bool](),
	reflect.Int:     loopsOf[int](),
	reflect.Int8:    loopsOf[int8](),
	reflect.Int16:   loopsOf[int16](),
	reflect.Int32:   loopsOf[int32](),
	reflect.Int64:   loopsOf[int64](),
	reflect.Uint:    loopsOf[uint](),
	reflect.Uint8:   loopsOf[uint8](),
	reflect.Uint16:  loopsOf[uint16](),
	reflect.Uint32:  loopsOf[uint32](),
	reflect.Uint64:  loopsOf[uint64](),
	reflect.Float32: loopsOf[float32](),
	reflect.Float64: loopsOf[float64](),
	reflect.String:  loopsOf[string](),
	reflect.Slice:   loopsOf[[]byte](),
	reflect.Pointer: loopsOf[unsafe.Pointer](), // handles among them
	reflect.Map:     loopsOf[unsafe.Pointer](),
}

// loopsFor returns the loops for a type of elements; ok is false when there are none.
func loopsFor(element reflect.Type) (l loops, ok bool) {
	if element == convert.AnyType {
		return loopsOf[any](), true
	}
	l, ok = loopsByKind[element.Kind()]
	return l, ok
}

func loopsOf[E any]() loops {
	return loops{
		out: func(seq unsafe.Pointer, to func(unsafe.Pointer, *abi.Any) error, yield func(abi.Any, error) bool) {
			loop := *(*func(func(E) bool))(seq)
			// The conversion is an unknown func, so what it is given lies on the heap: once for all elements.
			var e E
			var v abi.Any
			loop(func(x E) bool {
				e, v = x, abi.Any{}
				if err := to(unsafe.Pointer(&e), &v); err != nil {
					return yield(abi.Any{}, inIterator(err))
				}
				return yield(v, nil)
			})
		},
		in: func(dst unsafe.Pointer, element *convert.Conv, from source) {
			*(*func(func(E) bool))(dst) = func(yield func(E) bool) {
				if err := yieldAll(from, element, yield); err != nil {
					panic(err)
				}
			}
		},
		inFailing: func(dst unsafe.Pointer, element *convert.Conv, from source) {
			*(*func(func(E, error) bool))(dst) = func(yield func(E, error) bool) {
				if err := yieldAll(from, element, func(e E) bool { return yield(e, nil) }); err != nil {
					var none E
					yield(none, err)
				}
			}
		},
	}
}

// yieldAll yields the elements of a source until yield returns false, or one cannot be converted, or the source fails.
func yieldAll[E any](from source, element *convert.Conv, yield func(E) bool) error {
	var wrong error
	var e, none E
	n := -1
	err := from.each(func(item *abi.Any) bool {
		n++
		if item.TypeIndex == element.BitsIndex {
			return yield(*(*E)(unsafe.Pointer(&item.Bits)))
		}
		e = none
		if err := element.From(item, unsafe.Pointer(&e)); err != nil {
			wrong = from.wrong(n, err)
			return false
		}
		return yield(e)
	})
	return cmp.Or(wrong, err)
}
