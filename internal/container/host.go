package container

import (
	"errors"
	"math"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Host provides memory and calls into other code. Its maker must set all fields.
type Host struct {
	// NewBuffer allocates memory for elements, aligned to 8 bytes, contents undefined.
	NewBuffer func(size uintptr) (unsafe.Pointer, error)
	// BufferDeleter is the C function void (*)(void*) that frees memory from NewBuffer. It accepts NULL, and memory from
	// C++'s operator new: C++ puts such memory into a List without replacing the deleter.
	BufferDeleter uintptr
	// CallDeleter calls such a function, this one or another library's.
	CallDeleter func(deleter uintptr, data unsafe.Pointer)

	// NewObject makes a Map or Dict object of size bytes with one reference; only its header is filled in.
	NewObject func(typeIndex int32, size uintptr) (unsafe.Pointer, error)
	// ObjectDeleter is the deleter of objects from NewObject; other libraries' objects have another.
	ObjectDeleter uintptr
	// DecRef releases a strong reference.
	DecRef func(handle unsafe.Pointer)

	// HashColumn and EqualColumn are the type attributes __any_hash__ and __any_equal__.
	HashColumn, EqualColumn *abi.TypeAttrColumn
	// HashHook and EqualHook call a value of these columns. They may run any code.
	HashHook  func(hook, key *abi.Any) (uint64, error)
	EqualHook func(hook, a, b *abi.Any) (bool, error)
}

// The errors that this package makes.
var (
	// ErrChanged: a hash or equality hook changed the container that called it.
	ErrChanged = errors.New("a container was changed by the hash or equality function of one of its keys")
	// ErrUnstableHash: a key's hash is not what it was when the key was stored.
	ErrUnstableHash = errors.New("the hash of a key in a container has changed")
	// ErrTooLarge: no memory could hold so many elements.
	ErrTooLarge = errors.New("a container cannot have that many elements")
)

// Release releases the reference of an owned value. It calls DecRef only for the last reference.
func (h *Host) Release(a abi.Any) {
	if a.IsObject() && !abi.DropShared(a.Pointer()) {
		h.DecRef(a.Pointer())
	}
}

// Retain adds a reference to the object of a value, if there is one, and returns the value.
func Retain(a abi.Any) abi.Any {
	if a.IsObject() {
		abi.IncRef(a.Pointer())
	}
	return a
}

// maxBuffer is the largest size of a buffer in bytes.
const maxBuffer = math.MaxInt64

// pointerIn reads a C address from a cell. Cells declare addresses as integers, so that storing one has no write barrier:
// the barrier would read the old value, and new C memory may hold anything.
func pointerIn(address *uintptr) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(address))
}
