package handles

import (
	"runtime"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/selfsame-ffi/selfsame/abi"
)

// State is the handle state of a native object: the one Go value that stands for it. *Handle[T], *Function and the
// *Array[E] that Go code holds all point to a State under another type, which is why they compare with ==.
//
// A State owns one strong reference until it is released or collected. At first its table entry holds it by a strong
// pointer; before a collection that looks for unreachable States it is weakened: the entry gets a weak pointer instead,
// which costs many times as much as the State itself (young.go).
//
// RATIONALE.md, "Why every handle in Go is the same type underneath"
type State struct {
	object   uintptr // first, so that a State can be read as a container reference; 0 once released; atomic
	entry    *entry
	number   uint64         // the entry serves this State as long as their numbers are equal
	freeList *freeList      // where the object goes when it is dead; nil: its memory is freed
	attached unsafe.Pointer // atomic
	trace    trace          // with the build tag debug: where the State was made and released; not last, where a field without size takes 8 bytes
	weakened atomic.Bool    // the entry has had no strong pointer to the State since; set under entry.mu
	lent     int32          // uses of Lents (lent.go) while all fetches were theirs, 0 for a State that is kept; guarded by entry.mu
}

// Address returns the native object, nil once released. The object lives as long as the State is reachable and not
// released.
func (s *State) Address() unsafe.Pointer { return Pointer(atomic.LoadUintptr(&s.object)) }

// Attached returns the pointer given to the last Attach, nil before.
func (s *State) Attached() unsafe.Pointer { return atomic.LoadPointer(&s.attached) }

// Attach stores a Go pointer, which the State keeps reachable.
func (s *State) Attach(p unsafe.Pointer) { atomic.StorePointer(&s.attached, p) }

// Fetch returns the State of a native object. The object must be alive throughout the call. A new State takes a
// reference. It ends with the Call of the goroutine if that lends. It may be called on any goroutine.
func Fetch(object unsafe.Pointer) *State { return fetch(object, false) }

// FetchOwned does Fetch's work for a reference that the caller owns: the State takes it over, or it is dropped if there
// is a State.
func FetchOwned(object unsafe.Pointer) *State { return fetch(object, true) }

// FetchOwnedForGood does FetchOwned's work for a State that the frontend keeps for the life of the process.
func FetchOwnedForGood(object unsafe.Pointer) *State { return find(object, true) }

func fetch(object unsafe.Pointer, owned bool) *State {
	if c := lendingCall(); c != nil {
		return c.lent.fetch(object, owned)
	}
	return find(object, owned)
}

func find(object unsafe.Pointer, owned bool) *State {
	for {
		e := findEntry(object)
		if e == nil {
			e = installEntry(object)
		}
		if s := e.state(object, owned); s != nil {
			return s
		}
		// Another goroutine freed the entry after findEntry and before its lock was taken. The tie record does not name
		// it any more.
	}
}

// Current returns the State that the table has for an object, which may be released already; nil when there is none.
// The object must be alive.
func Current(object unsafe.Pointer) *State {
	e := findEntry(object)
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.object != uintptr(object) {
		return nil
	}
	return e.currentLocked()
}

// state returns the object's State; a new one if there is none or if it was released or collected; nil if the entry
// does not serve the object. With owned, a result other than nil means that the caller's reference was taken over or
// dropped.
func (e *entry) state(object unsafe.Pointer, owned bool) *State {
	e.mu.Lock()
	if e.object != uintptr(object) {
		e.mu.Unlock()
		return nil
	}
	s := e.currentLocked()
	if s != nil && atomic.LoadUintptr(&s.object) != 0 {
		if s.lent != 0 {
			e.keepLocked(s)
		}
		e.mu.Unlock()
		if owned {
			DecRef(object)
		}
		return s
	}
	inherited := e.inheritsLocked(s)
	s = e.makeLocked(object, owned || inherited)
	e.weighLocked()
	e.setStrongLocked(s)
	e.mu.Unlock()
	if owned && inherited {
		DecRef(object)
	}
	slowDown()
	return s
}

// makeLocked makes the State that the entry is to serve from now on, which its caller stores there. The caller holds e.mu.
func (e *entry) makeLocked(object unsafe.Pointer, owned bool) *State {
	if !owned {
		abi.IncRef(object)
	}
	e.number++
	s := &State{object: uintptr(object), entry: e, number: e.number}
	s.traceMade()
	return s
}

// inheritsLocked reports whether the entry has the reference of a State that the collector has found, and that takeCollected
// has not come to. The weak pointer leads nowhere then, because a release takes its State out of the entry while that is still
// reachable. s is what currentLocked returned. The caller holds e.mu.
func (e *entry) inheritsLocked(s *State) bool { return s == nil && e.weak != weak.Pointer[State]{} }

// Release drops the State's reference now. A second Release does nothing. It may be called on any goroutine.
func (s *State) Release() {
	object := Pointer(atomic.SwapUintptr(&s.object, 0))
	if object == nil || s.freeList != nil && s.freeList.put(s, object) {
		return
	}
	s.end()
	DecRef(object)
}

// HandOver ends the State and gives its reference to the caller; nil when it was released before.
func (s *State) HandOver() unsafe.Pointer {
	object := Pointer(atomic.SwapUintptr(&s.object, 0))
	if object != nil {
		s.end()
	}
	return object
}

// end takes a State whose object was just set to 0 out of the table. The caller owns the reference that the State had.
func (s *State) end() {
	s.traceReleased()
	s.entry.mu.Lock()
	s.entry.endLocked(s.number)
	s.entry.mu.Unlock()
	runtime.KeepAlive(s) // keeps s reachable: the method state of entry would otherwise take it for a collected one
}

// endLocked frees the entry unless it serves a newer State. The caller holds e.mu and owns a reference to the object.
func (e *entry) endLocked(number uint64) {
	if e.number == number {
		e.freeLocked()
	}
}
