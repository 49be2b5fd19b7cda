package selfsame

import (
	"errors"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// errHooked says that a key's class brings a hash or equality of its own. Calling those needs what only the runtime
// has, so the whole operation is then left to the runtime's own functions.
var errHooked = errors.New("a key has a hash of its own")

// host is what package container needs of this process. The maps themselves are made by the runtime, never here.
var host = sync.OnceValue(func() *container.Host {
	return &container.Host{
		NewBuffer: func(size uintptr) (unsafe.Pointer, error) {
			if data := bridge.NewBuffer(size); data != nil {
				return data, nil
			}
			return nil, newError("MemoryError", "No memory for the %d bytes of a container", size)
		},
		BufferDeleter: bridge.BufferDeleter(),
		CallDeleter:   bridge.CallDeleter,
		NewObject: func(int32, uintptr) (unsafe.Pointer, error) {
			return nil, newError("InternalError", "selfsame: containers are made by the runtime")
		},
		ObjectDeleter: ^uintptr(0), // of no object
		DecRef:        bridge.DecRef,
		HashColumn:    bridge.AttrColumn("__any_hash__"),
		EqualColumn:   bridge.AttrColumn("__any_equal__"),
		HashHook:      func(_, _ *abi.Any) (uint64, error) { return 0, errHooked },
		EqualHook:     func(_, _, _ *abi.Any) (bool, error) { return false, errHooked },
	}
})

// containerError is an error of package container as one of this package.
func containerError(err error) error {
	switch err {
	case nil:
		return nil
	case container.ErrTooLarge:
		return newError("MemoryError", "%s", err)
	case container.ErrChanged, container.ErrUnstableHash:
		return newError("RuntimeError", "%s", err)
	}
	return err
}
