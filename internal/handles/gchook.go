package handles

import (
	"runtime"
	"sync"
	"unsafe"
)

// watch is something to be collected. It is too large for the allocator to put several into one block.
type watch [32]byte

// afterEveryCollection does what each garbage collection is followed by: what dead native objects held on to in Go is
// dropped, and young cores grow old, so that the next collection can have them.
func afterEveryCollection() {
	runtime.AddCleanup(new(watch), func(struct{}) {
		kept.sweep()
		AfterCollection()
		youngCores.grow()
		afterEveryCollection()
	}, struct{}{})
}

// AfterCollection is what the frontend does after each garbage collection.
var AfterCollection func()

// RestingFunctions gives the addresses of the runtime's SelfsameAllocationGet and SelfsameCountResting, nil when it has none.
var RestingFunctions func() (allocation, count unsafe.Pointer)

// StartWatching is called before the first core, closure or error is made.
var StartWatching = sync.OnceFunc(afterEveryCollection)
