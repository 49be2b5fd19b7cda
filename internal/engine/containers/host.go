package containers

import (
	"errors"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// ErrHooked says that the class of a key has a hash or equality hook. Only the runtime can call it, so the caller falls back
// to the runtime's function for the whole operation.
var ErrHooked = errors.New("the class of a key has a hash hook")

// Host returns what package container needs of this process to change containers in place. The runtime makes the
// containers themselves: RATIONALE.md, "Why containers are made by the runtime and changed by the frontend"
var Host = sync.OnceValue(func() *container.Host {
	return &container.Host{
		NewBuffer: func(size uintptr) (unsafe.Pointer, error) {
			if data := bridge.NewBuffer(size); data != nil {
				return data, nil
			}
			return nil, fault.New("MemoryError", "selfsame: no memory for the %d bytes of a container", size)
		},
		BufferDeleter: bridge.BufferDeleter(),
		CallDeleter:   bridge.CallDeleter,
		NewObject: func(int32, uintptr) (unsafe.Pointer, error) {
			return nil, fault.New("InternalError", "selfsame: containers are made only by the runtime")
		},
		ObjectDeleter: ^uintptr(0), // matches no object's deleter
		DecRef:        bridge.DecRef,
		HashColumn:    bridge.AttrColumn("__any_hash__"),
		EqualColumn:   bridge.AttrColumn("__any_equal__"),
		HashHook:      func(_, _ *abi.Any) (uint64, error) { return 0, ErrHooked },
		EqualHook:     func(_, _, _ *abi.Any) (bool, error) { return false, ErrHooked },
	}
})

// Fault turns an error of package container into an *Error. nil gives nil.
func Fault(err error) error {
	switch err {
	case nil:
		return nil
	case container.ErrTooLarge:
		return fault.New("MemoryError", "selfsame: %s", err)
	case container.ErrChanged, container.ErrUnstableHash:
		return fault.New("RuntimeError", "selfsame: %s", err)
	}
	return err
}
