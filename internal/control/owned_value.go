package control

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// owned converts an argument, which must lie in C memory, to an owned value. It calls C only for a value that needs
// memory (a C string), moves a reference, or is invalid.
func owned(a *abi.Any) (abi.Any, error) {
	if a.IsObject() && a.Bits != 0 {
		abi.IncRef(a.Pointer())
		return abi.ObjectValue(a.Pointer()), nil
	}
	switch a.TypeIndex {
	case abi.IndexInt, abi.IndexFloat:
		return abi.Any{TypeIndex: a.TypeIndex, Bits: a.Bits}, nil
	case abi.IndexNone:
		return abi.Any{}, nil
	case abi.IndexBool:
		return abi.Bool(a.Bits != 0), nil
	case abi.IndexSmallStr, abi.IndexSmallBytes:
		if a.Len <= abi.SmallMax { // the bytes behind the content must become zero
			return abi.Any{TypeIndex: a.TypeIndex, Len: a.Len, Bits: a.Bits & (1<<(8*a.Len) - 1)}, nil
		}
	}
	v, ok := plane.ToOwned(unsafe.Pointer(a))
	if !ok {
		return abi.Any{}, errRaised
	}
	return v, nil
}
