package container

import (
	"errors"
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Host is what containers need of the process around them. All fields are set.
type Host struct {
	// NewBuffer gives memory for elements, aligned to 8 bytes, contents undefined.
	NewBuffer func(size uintptr) (unsafe.Pointer, error)
	// BufferDeleter is the C function void (*)(void*) that releases what NewBuffer gave. It takes NULL, and memory from
	// C++'s operator new too: C++ puts such memory into a List without replacing the deleter.
	BufferDeleter uintptr
	// CallDeleter calls such a function, of whatever origin.
	CallDeleter func(deleter uintptr, data unsafe.Pointer)

	// NewObject makes a Map or Dict object of size bytes with one reference; only its header is filled in.
	NewObject func(typeIndex int32, size uintptr) (unsafe.Pointer, error)
	// ObjectDeleter is the deleter of the objects that NewObject makes. It tells them from those of others.
	ObjectDeleter uintptr
	// DecRef drops a strong reference.
	DecRef func(handle unsafe.Pointer)

	// HashColumn and EqualColumn are the type attributes __any_hash__ and __any_equal__.
	HashColumn, EqualColumn *abi.TypeAttrColumn
	// HashHook and EqualHook call a value found there. Any code may run in them.
	HashHook  func(hook, key *abi.Any) (uint64, error)
	EqualHook func(hook, a, b *abi.Any) (bool, error)
}

// The errors of this package's own.
var (
	// ErrChanged: a hash or equality function changed the container that asked for it.
	ErrChanged = errors.New("a container was changed by the hash or equality function of one of its keys")
	// ErrUnstableHash: a key's hash is not what it was when the key was stored.
	ErrUnstableHash = errors.New("the hash of a key in a container has changed")
	// ErrTooLarge: no memory could hold so many elements.
	ErrTooLarge = errors.New("a container cannot have that many elements")
)

// Release drops what an owned value holds.
func (h *Host) Release(a abi.Any) {
	if !a.IsObject() {
		return
	}
	handle := a.Pointer()
	counts := &(*abi.Object)(handle).Counts
	for {
		old := atomic.LoadUint64(counts)
		if old&abi.StrongMask <= 1 {
			h.DecRef(handle)
			return
		}
		// Not the last one: this needs no C.
		if atomic.CompareAndSwapUint64(counts, old, old-abi.StrongOne) {
			return
		}
	}
}

// Retain adds a reference to what a value holds and gives the value back.
func Retain(a abi.Any) abi.Any {
	if a.IsObject() {
		abi.IncRef(a.Pointer())
	}
	return a
}

// maxBuffer is the size in bytes that no buffer exceeds.
const maxBuffer = math.MaxInt64

// pointerIn reads a C address out of a cell. Cells hold addresses as integers, so that storing one never looks like a
// pointer store to Go's garbage collector: the memory may be fresh from C, with anything in it.
func pointerIn(address *uintptr) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(address))
}
