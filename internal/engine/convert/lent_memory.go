package convert

import (
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Python makes no container for an argument that the func copies at once. For the time of the call it lends the scalars
// of a list or dict to a parameter that is a slice or a Go map. It lends the numbers of a list or a buffer, as a
// DLTensor, to a slice of numbers, and the bytes of a bytearray or memoryview to a parameter for bytes. The metadata of
// the function lists these parameters.
//
// python/src/selfsame_ffi/_core/convert/lent_values.h says why.

// throughContainer converts lent values that no loop can: with from, of a container of the type index.
func throughContainer(index int32, lent []abi.Any, from func(v *abi.Any) error) error {
	views := make([]abi.Any, len(lent))
	for i, v := range lent {
		if v.TypeIndex == abi.IndexRawStr {
			v.Len = 0
		}
		views[i] = v
	}
	object, err := newContainer(index, views)
	if err != nil {
		return err
	}
	defer handles.DecRef(object)
	v := abi.ObjectValue(object)
	return from(&v)
}

func LentConv() *Conv {
	c := bytesConv()
	copied := c.From
	c.Borrows, c.CallsOnly, c.lendsBytes = true, true, true
	c.OnlyParameter = "is lent to parameters only; use []byte"
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		b, ok := lentBytes(v)
		if !ok {
			return copied(v, dst) // finds another source of bytes, or says what is wrong
		}
		*(*[]byte)(dst) = b
		return nil
	}
	return c
}

// Lending returns the conversion of a parameter that its func neither keeps nor writes: a slice of bytes or numbers is the caller's
// own memory where it can be, as with Lent and LentSlice.
func (c *Conv) Lending() *Conv {
	fast, ok := map[FastKind]FastKind{FastBytes: FastLent, fastNumbers: fastLentNumbers}[c.Fast]
	if !ok {
		return c
	}
	lending := *c
	lending.Fast = fast
	return &lending
}

// lentBytes returns the bytes of a value, without spare capacity; ok is false for a value of another type.
func lentBytes(v *abi.Any) (b []byte, ok bool) {
	if v.TypeIndex != abi.IndexBytes && v.TypeIndex != abi.IndexByteArrayPtr {
		// Small bytes lie in the value itself, which may be a variable of the caller's loop.
		b, ok = values.CopiedBytes(v)
	} else {
		b, _, ok = v.Content()
	}
	return slices.Clip(b), ok
}
