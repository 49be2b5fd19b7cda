package handles

import (
	"sync"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// RunOnDrop runs the funcs of an object's classes. It may block, and does not panic. The frontend sets it before a class
// with OnDrop is registered.
var RunOnDrop func(object unsafe.Pointer)

// drops gives the dropped objects of classes with OnDrop to goroutines of their own. The goroutine that takes them from C
// exists only while there are any.
var drops struct {
	mu      sync.Mutex
	running bool // the goroutine exists
	again   bool // C has told of more since the goroutine looked last

	discarded sync.Map // addresses of objects whose constructor failed
}

const (
	// maxDropping is how many funcs of OnDrop run at a time.
	maxDropping = 128
	// dropWait is how long Collect waits for them: SELFSAME_DROP_SECONDS in tie.h.
	dropWait = 5 * time.Second
)

var dropping = make(chan struct{}, maxDropping)

// PrepareDrops joins the tie table and has the end of the process wait for dropped objects. The registration of a class with
// OnDrop calls it, before the first object is made.
func PrepareDrops() {
	table.join() // so that other languages that collect can wait for the funcs
	bridge.WatchExit()
}

// Dropped starts the goroutine that takes dropped objects. C calls it where an object dies, so it must return at once.
func Dropped() {
	drops.mu.Lock()
	defer drops.mu.Unlock()
	drops.again = true
	if !drops.running {
		drops.running = true
		go runDrops()
	}
}

// runDrops takes dropped objects until there are none.
func runDrops() {
	objects := make([]uint64, 64)
	for {
		n := bridge.TakeDropped(objects)
		for _, object := range objects[:n] {
			dropping <- struct{}{}
			go dropOne(Pointer(uintptr(object)))
		}
		if n > 0 {
			continue
		}
		drops.mu.Lock()
		if !drops.again {
			drops.running = false
			drops.mu.Unlock()
			return
		}
		drops.again = false
		drops.mu.Unlock()
	}
}

func dropOne(object unsafe.Pointer) {
	defer func() { // also when the func ends its goroutine
		background.dropping.Add(1)
		if !background.stopped.Load() {
			DecRef(object)
		}
		background.dropping.Add(-1)
		goRefs.sweep() // the Go values that the object owned
		bridge.DropEnded()
		<-dropping
	}()
	if _, discarded := drops.discarded.LoadAndDelete(uintptr(object)); !discarded {
		RunOnDrop(object)
	}
}

// Discard says that an object was not completed: OnDrop does not run for it. The caller owns a reference.
func Discard(object unsafe.Pointer) { drops.discarded.Store(uintptr(object), nil) }

// waitForDrops waits until no func of OnDrop runs or is about to, in any library of the process, or until the deadline. It
// reports whether it waited.
func waitForDrops(deadline time.Time) (waited bool) {
	for bridge.PendingDrops(processTies.Load()) != 0 && time.Now().Before(deadline) {
		waited = true
		time.Sleep(time.Millisecond)
	}
	return waited
}
