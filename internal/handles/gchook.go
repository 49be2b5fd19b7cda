package handles

import (
	"runtime"
	"sync"
	"unsafe"
)

// AfterCollection is called on some goroutine after each garbage collection. The frontend sets it before it makes a handle.
var AfterCollection func()

// AllocatorFunctions gives the addresses of the runtime's SelfsameAllocationGet and SelfsameCountFreeList, nil if the runtime
// has none. The frontend sets it before it makes a handle.
var AllocatorFunctions func() (allocation, count unsafe.Pointer)

// sentinel is allocated to be collected. It is too large for the allocator to put several into one block.
type sentinel [32]byte

// afterEveryCollection runs after each garbage collection, by the cleanup of a new sentinel each time. It drops the Go
// values of dead native objects and registers the States of the nursery, so that the next collection can find them.
func afterEveryCollection() {
	runtime.AddCleanup(new(sentinel), func(struct{}) {
		goRefs.sweep()
		AfterCollection()
		nursery.registerAll()
		afterEveryCollection()
	}, struct{}{})
}

// WatchCollections starts afterEveryCollection, once. It must be called before the first State, closure or Go error is made.
var WatchCollections = sync.OnceFunc(afterEveryCollection)
