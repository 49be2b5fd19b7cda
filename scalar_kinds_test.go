package selfsame

import (
	"reflect"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
)

// Every row of the table of scalars has a conversion, alone and as an element.
func TestEveryScalarIsConverted(t *testing.T) {
	of := map[reflect.Kind]reflect.Type{}
	for _, t := range []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](),
		reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](),
		reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](), reflect.TypeFor[float32](),
		reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
	} {
		of[t.Kind()] = t
	}
	for _, s := range kinds.Scalars {
		scalar, ok := of[s.Go]
		if !ok {
			t.Errorf("%v: this test knows no Go type of the kind", s.Go)
			continue
		}
		if s.Go == reflect.Uintptr { // refused on purpose: it may be an address
			continue
		}
		for _, made := range []reflect.Type{scalar, reflect.SliceOf(scalar), reflect.MapOf(reflect.TypeFor[string](), scalar)} {
			if _, err := convert.For(made); err != nil {
				t.Errorf("%v: %v", made, err)
			}
		}
	}
}
