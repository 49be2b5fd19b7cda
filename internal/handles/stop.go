package handles

import "time"

// Stop has this library's garbage collector drop no more references, and waits until it drops none, at most dropWait. A
// handle that is collected from then on keeps its reference until the process ends. Before that it waits for funcs of
// OnDrop, as long.
//
// It is for the end of an interpreter. The deleter of one of its objects may need the GIL, which a thread must not ask
// for any more (RATIONALE.md, "Why a package for the stock tvm_ffi stops releasing at exit"). The caller must not hold
// that lock.
func Stop() {
	waitForDrops(time.Now().Add(dropWait))
	background.stopped.Store(true)
	for deadline := time.Now().Add(dropWait); background.dropping.Load() != 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
}
