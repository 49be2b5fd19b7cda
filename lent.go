package selfsame

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Lent is the type of a parameter that gets bytes without a copy: the memory is the caller's, lent until the func returns.
// The func must neither change it nor keep a slice of it; what it wants to keep it copies, with bytes.Clone or string(b).
// A Python bytes object of any size costs as much as a number, a bytearray or memoryview little more: they cannot be resized
// during the call, but their content may be changed, by another thread or by code that the func calls. As a slice without
// spare capacity it can be appended to, which copies it. Results are []byte.
type Lent []byte

var lentType = reflect.TypeFor[Lent]()

func lentConv() *conv {
	c := bytesConv()
	copied := c.from
	c.borrows, c.callsOnly = true, true
	c.onlyParameter = "is lent to parameters only; use []byte"
	c.from = func(v *abi.Any, dst unsafe.Pointer) error {
		b, ok := lentBytes(v)
		if !ok {
			return copied(v, dst) // finds another source of bytes, or says what is wrong
		}
		*(*[]byte)(dst) = b
		return nil
	}
	return c
}

// lentBytes returns the bytes of a value, without spare capacity; ok is false for a value of another type.
func lentBytes(v *abi.Any) (b []byte, ok bool) {
	if v.TypeIndex != abi.IndexBytes && v.TypeIndex != abi.IndexByteArrayPtr {
		// Small bytes lie in the value itself, which may be a variable of the caller's loop.
		b, ok = copiedBytes(v)
	} else {
		b, _, ok = v.Content()
	}
	return slices.Clip(b), ok
}
