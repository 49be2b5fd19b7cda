package selfsame

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// Object is the header of every native object: a class struct has it, or another class struct, as its first field.
// It has no exported parts.
type Object struct {
	header abi.Object
}

// nativeObject makes a pointer to any class struct an argument for native functions.
func (o *Object) nativeObject() unsafe.Pointer { return unsafe.Pointer(o) }

// pointer reads a C address that is kept as a number, so that the garbage collector never looks at it.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// incRef adds a strong reference; nil is allowed.
func incRef(object unsafe.Pointer) {
	if object != nil {
		abi.IncRef(object)
	}
}

// decRef drops a strong reference; nil is allowed. It crosses into C only for the last one.
func decRef(object unsafe.Pointer) {
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

// releaseValue drops what an owned value owns.
func releaseValue(v abi.Any) {
	if v.IsObject() {
		decRef(v.Pointer())
	}
}

// retained is an owned copy of a value that is not a view of the kinds 7 to 10.
func retained(v abi.Any) abi.Any {
	if v.IsObject() {
		abi.IncRef(v.Pointer())
	}
	return v
}
