package handles

import (
	"runtime"
	"sync"
	"unsafe"
)

// AfterCollection is called on some goroutine after each garbage collection that this package has not started. The frontend
// sets it before it makes a handle.
var AfterCollection func()

// RunGC runs a garbage collection and does the work of AfterCollection, but returns the references to native objects that
// are to be dropped. The frontend sets it before it makes a handle.
var RunGC func() []uintptr

// AllocatorFunctions gives the addresses of the runtime's SelfsameAllocationGet and SelfsameCountFreeList, nil if the runtime
// has none. The frontend sets it before it makes a handle.
var AllocatorFunctions func() (allocation, count unsafe.Pointer)

// ReadOnlyFunction gives the address of the runtime's SelfsameReadOnlyTensorDeleter, nil if the runtime has none. The frontend
// sets it before it makes a handle.
var ReadOnlyFunction func() unsafe.Pointer

// sentinel is allocated to be collected. It is too large for the allocator to put several into one block.
type sentinel [32]byte

// afterEveryCollection wakes the background goroutine after each garbage collection, by the cleanup of a new sentinel each
// time.
func afterEveryCollection() {
	runtime.AddCleanup(new(sentinel), func(struct{}) {
		background.ask(afterCollection)
		afterEveryCollection()
	}, struct{}{})
}

// WatchCollections starts afterEveryCollection, once. Code that makes a State, a closure or a Go error calls it first.
var WatchCollections = sync.OnceFunc(afterEveryCollection)
