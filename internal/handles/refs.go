package handles

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// Pointer converts a C address that is stored as a number, so that the garbage collector never looks at it.
func Pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// DecRef drops a strong reference that the caller owns; nil is allowed. It calls C only for the last reference.
func DecRef(object unsafe.Pointer) {
	if object == nil {
		return
	}
	counts := &(*abi.Object)(object).Counts
	for {
		old := atomic.LoadUint64(counts)
		if old&abi.StrongMask <= 1 {
			bridge.DecRef(object)
			return
		}
		if atomic.CompareAndSwapUint64(counts, old, old-abi.StrongOne) {
			return
		}
	}
}
