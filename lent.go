package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
)

// Lent is the type of a parameter that gets bytes without a copy: the memory is the caller's, lent until the func
// returns. The func must neither change it nor keep a slice of it; what it wants to keep it copies, with bytes.Clone or
// string(b). A Python bytes object of any size costs as much as a number. A bytearray or memoryview costs little more:
// it cannot be resized during the call, but another thread or code that the func calls may change its content. As a
// slice without spare capacity it can be appended to, which copies it. Results are []byte.
type Lent []byte

func (Lent) newConv() (*convert.Conv, error) { return convert.LentConv(), nil }

// LentNumber is the constraint of the elements of a LentSlice.
type LentNumber interface {
	int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// LentSlice is the type of a parameter that gets numbers without a copy in Go: the memory is the caller's, lent until the func
// returns. The func must neither change it nor keep a slice of it; what it wants to keep it copies, with slices.Clone.
//
// The memory is that of a NumPy array, of another object with Python's buffer protocol, or of a Tensor, if it has one
// dimension, the data type E and no gaps between its elements. The caller may see to it that nobody changes it during
// the call. A list of floats for float64, or of ints for int64, is lent as Python's frontend packs it. The func gets a
// copy of all other values that a parameter []E accepts. As a slice without spare capacity it can be appended to, which
// copies it. Results are []E.
type LentSlice[E LentNumber] []E

func (LentSlice[E]) newConv() (*convert.Conv, error) {
	c, err := convert.SliceConv(reflect.TypeFor[LentSlice[E]](), convert.For)
	if err != nil {
		return nil, err
	}
	copied := c.From
	c.Borrows, c.CallsOnly = true, true
	c.OnlyParameter = "is lent to parameters only; use []" + reflect.TypeFor[E]().String()
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		first, n, ok := convert.AdjacentNumbers(v, c.Elements)
		if !ok {
			return copied(v, dst)
		}
		*(*convert.SliceHeader)(dst) = convert.SliceHeader{First: first, Len: n, Cap: n}
		return nil
	}
	return c, nil
}
