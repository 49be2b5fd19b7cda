package graph

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// maxNested bounds how deep foreign code may nest in one walk: each level takes stack of the calling thread, which does
// not grow.
const maxNested = 1000

// Walk is what every walk over an object graph needs that calls foreign code (hooks, callbacks, setters): the classes
// it met, the objects it is inside of, and the state that lets foreign code call back into the walk.
//
// A walk runs on one thread at a time. Foreign code may call back on another thread, but only while the walk waits:
// Resume admits one caller.
type Walk struct {
	Types Types
	Pins  Pins
	Kept  Keeper

	nested   int
	waiting  atomic.Bool    // foreign code runs, and has not called back
	callback unsafe.Pointer // the Function that hooks get, owned; nil until a hook runs
}

// Enter prepares the walk for foreign code, which may change any object: the objects on the walk's path are pinned.
// Until Leave, the foreign code may call back with Resume. operation names the walk in the error, a RecursionError; the
// caller must not call Leave then.
func (w *Walk) Enter(operation string) error {
	if w.nested >= maxNested {
		return failure.New("RecursionError", "%s: hooks are nested more than %d deep", operation, maxNested)
	}
	w.nested++
	w.Pins.Pin()
	w.waiting.Store(true)
	return nil
}

// Leave ends what Enter began.
func (w *Walk) Leave() {
	w.waiting.Store(false)
	w.nested--
}

// Resume lets foreign code use the walk until Suspend. It returns false when the walk waits for no foreign code, or
// another caller uses the walk already. Any thread may call it.
func (w *Walk) Resume() bool { return w.waiting.CompareAndSwap(true, false) }

// Suspend returns the walk to the foreign code that it waits for.
func (w *Walk) Suspend() { w.waiting.Store(true) }

// Release drops the references that the walk holds, except those of Pins, which Pop drops.
func (w *Walk) Release() {
	w.Kept.Release()
	w.releaseCallback()
}

// Keeper holds references to objects whose addresses a walk remembers, so that no other object gets such an address.
type Keeper struct{ kept []unsafe.Pointer }

// Keep takes a reference.
func (k *Keeper) Keep(obj unsafe.Pointer) {
	abi.IncRef(obj)
	k.kept = append(k.kept, obj)
}

// Release drops all references.
func (k *Keeper) Release() {
	for _, obj := range k.kept {
		plane.DecRefFast(obj)
	}
	k.kept = nil
}
