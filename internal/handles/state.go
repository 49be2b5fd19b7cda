package handles

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// State is the one Go value that stands for a native object. *Handle[T], *Function and the *Array[E] that Go code holds
// are all pointers to a core under another type, which is what makes them compare with ==.
//
// A core owns one strong reference until it is released or collected. It is young until the next garbage collection:
// its slot holds it. Only a core that is still there then gets what a collectable one needs, a weak pointer and a
// cleanup, which cost many times what the core itself does (young.go).
type State struct {
	object   uintptr // first, so that a core can be seen as an Array cell; 0 once released; atomic
	slot     *slot
	number   uint64               // the slot serves this core as long as its own number is the same
	rest     *resting             // where the object may rest; nil: nowhere
	old      atomic.Pointer[aged] // nil while it is young; set under the slot's lock
	attached unsafe.Pointer       // atomic; what the frontend keeps with the core (Attach)
	trace    trace                // with the build tag debug: where it was made and released
}

// aged is what an old core needs in addition.
type aged struct {
	cleanup runtime.Cleanup // guarded by the slot's lock; zero when the core was released before it got one
}

// Address is the native object, nil once released.
func (c *State) Address() unsafe.Pointer { return Pointer(atomic.LoadUintptr(&c.object)) }

// Attached is what Attach was given last, nil at first.
func (c *State) Attached() unsafe.Pointer { return atomic.LoadPointer(&c.attached) }

// Attach keeps a Go pointer as long as the core.
func (c *State) Attach(p unsafe.Pointer) { atomic.StorePointer(&c.attached, p) }

// Fetch is the core of a native object that the caller knows to be alive. A new one takes a reference of its own.
func Fetch(object unsafe.Pointer) *State { return find(object, false) }

// Adopt is Fetch for a reference that the caller owns and hands over.
func Adopt(object unsafe.Pointer) *State { return find(object, true) }

func find(object unsafe.Pointer, owned bool) *State {
	for {
		s := findSlot(object)
		if s == nil {
			s = installSlot(object)
		}
		if c := s.core(object, owned); c != nil {
			return c
		}
		// The slot was retired between finding and locking it; its entry is gone by now.
	}
}

// core is the object's core, a new one if there is none or if it was released; nil when the slot does not, or no longer,
// serve the object. A reference that the caller owns is taken over, unless the result is nil.
func (s *slot) core(object unsafe.Pointer, owned bool) *State {
	s.mu.Lock()
	if s.object != uintptr(object) {
		s.mu.Unlock()
		return nil
	}
	if c := s.currentLocked(); c != nil && atomic.LoadUintptr(&c.object) != 0 {
		s.mu.Unlock()
		if owned {
			DecRef(object)
		}
		return c
	}
	c := s.makeLocked(object, owned)
	s.mu.Unlock()
	return c
}

// makeLocked makes the core that the slot serves from now on.
func (s *slot) makeLocked(object unsafe.Pointer, owned bool) *State {
	if !owned {
		abi.IncRef(object)
	}
	s.number++
	c := &State{object: uintptr(object), slot: s, number: s.number}
	c.traceMade()
	s.setYoungLocked(c)
	return c
}

// Release gives the reference back early. A second release does nothing.
func (c *State) Release() {
	object := Pointer(atomic.SwapUintptr(&c.object, 0))
	if object == nil || c.rest != nil && c.rest.put(c, object) {
		return
	}
	c.end()
	DecRef(object)
}

// HandOver ends the core and gives its reference to the caller; nil when it was released before.
func (c *State) HandOver() unsafe.Pointer {
	object := Pointer(atomic.SwapUintptr(&c.object, 0))
	if object != nil {
		c.end()
	}
	return object
}

// end ends a core that was just released.
func (c *State) end() {
	c.traceReleased()
	c.slot.mu.Lock()
	c.slot.endLocked(c.number)
	var cleanup runtime.Cleanup
	if old := c.old.Load(); old != nil {
		cleanup = old.cleanup
	}
	c.slot.mu.Unlock()
	if cleanup != (runtime.Cleanup{}) {
		cleanup.Stop()
		oldCores.Add(-1)
	}
	runtime.KeepAlive(c)
}

// dropped is what the cleanup of a collected core needs. It must not refer to the core.
type dropped struct {
	slot   *slot
	object uintptr
	number uint64
}

// unreachable is the cleanup of a core that the collector has found.
func unreachable(d dropped) {
	collections.Add(1)
	d.slot.mu.Lock()
	d.slot.endLocked(d.number)
	d.slot.mu.Unlock()
	DecRef(Pointer(d.object))
	oldCores.Add(-1) // last: Collect waits for it
}

// endLocked ends a core, whose reference the caller still has: the slot is free, unless a newer core has taken it over.
func (s *slot) endLocked(number uint64) {
	if s.number == number {
		s.retireLocked()
	}
}
