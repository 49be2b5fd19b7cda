package handles

import "time"

// Stop has this library's garbage collector drop no more references, and waits until it drops none, at most dropWait. A
// handle that is collected from then on keeps its reference until the process ends. Before that it waits for funcs of
// OnDrop, as long.
//
// It is for the end of an interpreter. The deleter of one of its objects may need the GIL, which a thread must not ask
// for any more. The caller must not hold that lock.
//
// Why a package for the stock tvm_ffi stops releasing at exit. Go releases what its collector finds on threads of its
// own, and the stock package takes the GIL to release one of Python's functions. Up to CPython 3.13 a thread that asks
// for the GIL of an ending interpreter is ended, which unwinds C++ functions that may not throw, and the process
// aborts. So the generated module has atexit call SelfsameExtensionStop: it waits for the releases under way, and what
// Go collects later keeps its references. On selfsame_ffi threads know the end of the interpreter (_core/tie/attach.h).
func Stop() {
	waitForDrops(time.Now().Add(dropWait))
	background.stopped.Store(true)
	for deadline := time.Now().Add(dropWait); background.dropping.Load() != 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
}
