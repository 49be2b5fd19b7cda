package handles

import (
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// readOnlyDeleter is the deleter by which the runtime marks Tensors over memory that must not be written; 0 on a runtime that
// marks none.
var readOnlyDeleter = sync.OnceValue(func() uintptr {
	function := ReadOnlyFunction()
	if function == nil {
		return 0
	}
	return bridge.ReadOnlyDeleterAt(function)
})

// IsReadOnlyTensor reports whether the memory of a Tensor, which must be alive, must not be written: its exporter said so. It
// is always false on a runtime of others. After the first call it calls no C.
func IsReadOnlyTensor(tensor unsafe.Pointer) bool {
	marked := readOnlyDeleter()
	if marked == 0 {
		return false
	}
	if table.ties != nil {
		if record := table.ties.Find(tensor); record != nil {
			return record.Deleter == marked
		}
	}
	return (*abi.Object)(tensor).Deleter == marked
}
