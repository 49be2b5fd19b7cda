package selfsame

import (
	"runtime"
	"sync"
)

// watch is something to be collected. It is too large for the allocator to put several into one block.
type watch [32]byte

// afterEveryCollection does what each garbage collection is followed by: what dead native objects held on to in Go is
// dropped, and young cores grow old, so that the next collection can have them.
func afterEveryCollection() {
	runtime.AddCleanup(new(watch), func(struct{}) {
		kept.sweep()
		sweepLoops()
		youngCores.grow()
		afterEveryCollection()
	}, struct{}{})
}

// startWatching is called before the first core, closure or error is made.
var startWatching = sync.OnceFunc(afterEveryCollection)
