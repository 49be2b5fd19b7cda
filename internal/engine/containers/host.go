package selfsame

import (
	"errors"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/container"
)

// errHooked says that the class of a key has a hash or equality hook. Only the runtime can call it, so the caller falls back
// to the runtime's function for the whole operation.
var errHooked = errors.New("the class of a key has a hash hook")

// containerHost returns what package container needs of this process to change containers in place. The runtime makes the
// containers themselves: RATIONALE.md, "Why containers are made by the runtime and changed by the frontend"
var containerHost = sync.OnceValue(func() *container.Host {
	return &container.Host{
		NewBuffer: func(size uintptr) (unsafe.Pointer, error) {
			if data := bridge.NewBuffer(size); data != nil {
				return data, nil
			}
			return nil, newError("MemoryError", "selfsame: no memory for the %d bytes of a container", size)
		},
		BufferDeleter: bridge.BufferDeleter(),
		CallDeleter:   bridge.CallDeleter,
		NewObject: func(int32, uintptr) (unsafe.Pointer, error) {
			return nil, newError("InternalError", "selfsame: containers are made only by the runtime")
		},
		ObjectDeleter: ^uintptr(0), // matches no object's deleter
		DecRef:        bridge.DecRef,
		HashColumn:    bridge.AttrColumn("__any_hash__"),
		EqualColumn:   bridge.AttrColumn("__any_equal__"),
		HashHook:      func(_, _ *abi.Any) (uint64, error) { return 0, errHooked },
		EqualHook:     func(_, _, _ *abi.Any) (bool, error) { return false, errHooked },
	}
})

// containerError turns an error of package container into an *Error. nil gives nil.
func containerError(err error) error {
	switch err {
	case nil:
		return nil
	case container.ErrTooLarge:
		return newError("MemoryError", "selfsame: %s", err)
	case container.ErrChanged, container.ErrUnstableHash:
		return newError("RuntimeError", "selfsame: %s", err)
	}
	return err
}
