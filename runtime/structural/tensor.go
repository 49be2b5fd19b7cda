package structural

import (
	"bytes"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// tensorsEqual reports whether two Tensors have the same shape, data type and, unless skipContent, elements.
func tensorsEqual(a, b unsafe.Pointer, skipContent bool) (bool, error) {
	if a == b {
		return true, nil
	}
	x, y := graph.TensorOf(a), graph.TensorOf(b)
	if x.NDim != y.NDim || x.DType != y.DType {
		return false, nil
	}
	for i, d := range x.Dims() {
		if d != y.Dims()[i] {
			return false, nil
		}
	}
	if skipContent {
		return true, nil
	}
	p, err := x.Content("lhs", "compare")
	if err != nil {
		return false, err
	}
	q, err := y.Content("rhs", "compare")
	return err == nil && bytes.Equal(p, q), err
}
