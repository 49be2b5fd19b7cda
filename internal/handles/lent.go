package handles

import (
	"sync/atomic"
	"unsafe"
	"weak"
)

// Lent has the States of the arguments of one call, of a func that is known not to keep them. What Go code does not keep
// needs no collector: a State that only Lents have fetched ends with the last of their calls. It does not wait in the
// young list, and no collection is paced by it. One goroutine uses a Lent at a time. The zero Lent is ready for use.
//
// These may happen during the call, and each under entry.mu, which guards State.lent:
//
//   - An ordinary fetch of the same object, by the func or on another goroutine: the State is kept from then on, as if that
//     fetch had made it. It joins the young list, and the end of the call leaves it alone.
//   - A fetch of another Lent: the State ends with the later one of the two calls.
//   - A release or a hand-over, by the func: it takes the reference by setting State.object to 0, as the end of the call
//     would. The second of the two finds 0 and does nothing. The entry may serve a newer State after that; its number tells.
//   - A weakening, when an earlier State of the entry had joined the young list: the Lent keeps the State reachable, so no
//     collection takes it, unless the Lent was loosened.
//
// If the func keeps a State in spite of what is known of it, any use after the call panics as a use after Release does.
//
// RATIONALE.md, "Why a build looks at which handles a func keeps"
type Lent struct {
	states []*State
	loose  []looseUse // of States that loosen has let the collector have
	limit  int        // of loose, above which those that have ended are taken out; 0: none yet
}

// looseUse is a use of a State that Go's collector may take before it ends.
type looseUse struct {
	entry  *entry
	number uint64 // of the State
}

// maxSpareStates is the number of States for which a Lent keeps memory after its call.
const maxSpareStates = 1 << 10

// Fetch returns the State of a native object until End. The object must be alive throughout the call of Fetch.
func (l *Lent) Fetch(object unsafe.Pointer) *State { return l.fetch(object, false) }

// fetch does Fetch's work. With owned it takes over a reference of the caller.
func (l *Lent) fetch(object unsafe.Pointer, owned bool) *State {
	for {
		e := findEntry(object)
		if e == nil {
			e = installEntry(object)
		}
		s, counted := e.lentState(object, owned)
		if counted {
			l.states = append(l.states, s)
		}
		if s != nil {
			return s
		}
	}
}

// End ends the use of all States that Fetch has returned.
func (l *Lent) End() {
	for _, s := range l.states {
		s.endUse()
	}
	for _, use := range l.loose {
		if s := use.state(); s != nil {
			s.endUse()
		}
	}
	l.forgetLoose()
	if cap(l.states) > maxSpareStates {
		l.states = nil
		return
	}
	clear(l.states)
	l.states = l.states[:0]
}

// keep makes the States ordinary ones, and forgets them.
func (l *Lent) keep() {
	for _, s := range l.states {
		s.keep()
	}
	for _, use := range l.loose {
		if s := use.state(); s != nil {
			s.keep()
		}
	}
	clear(l.states)
	l.states = l.states[:0]
	l.forgetLoose()
}

// add moves the States of another Lent to this one.
func (l *Lent) add(from *Lent) {
	l.states, l.loose = append(l.states, from.states...), append(l.loose, from.loose...)
	clear(from.states)
	from.states = from.states[:0]
	from.forgetLoose()
}

// loosen lets Go's collector have those States that nothing else in Go refers to, before End would end them: they join the
// young list, as those that no Lent has fetched. The caller must hold no lock of this package.
func (l *Lent) loosen() {
	for _, s := range l.states {
		s.entry.mu.Lock()
		if s.lent != 0 && atomic.LoadUintptr(&s.object) != 0 {
			s.entry.joinLocked(s)
			l.loose = append(l.loose, looseUse{s.entry, s.number})
		}
		s.entry.mu.Unlock()
	}
	clear(l.states)
	l.states = l.states[:0]
	if len(l.loose) > max(l.limit, maxCallStates) {
		l.tidy()
	}
	slowDown()
}

// tidy leaves in loose one use of each State that has not ended.
func (l *Lent) tidy() {
	seen := make(map[looseUse]bool, len(l.loose))
	left := l.loose[:0]
	for _, use := range l.loose {
		s := use.state()
		switch {
		case s == nil:
		case seen[use]:
			s.endUse() // not the last
		default:
			seen[use] = true
			left = append(left, use)
		}
	}
	clear(l.loose[len(left):])
	l.loose, l.limit = left, 2*len(left)
}

func (l *Lent) forgetLoose() { l.loose, l.limit = nil, 0 }

// state returns the State if it is there and its uses are counted; nil when it was released, collected or kept.
func (u looseUse) state() *State {
	u.entry.mu.Lock()
	defer u.entry.mu.Unlock()
	if u.entry.object == 0 || u.entry.number != u.number {
		return nil
	}
	s := u.entry.currentLocked()
	if s == nil || s.lent == 0 || atomic.LoadUintptr(&s.object) == 0 {
		return nil
	}
	return s
}

// lentState does the work of entry.state for a Lent. counted says that the use must be ended.
func (e *entry) lentState(object unsafe.Pointer, owned bool) (s *State, counted bool) {
	s, counted, surplus := e.findLent(object, owned)
	if s != nil && surplus {
		DecRef(object)
	}
	return s, counted
}

// findLent does lentState's work. surplus says that the State did not take over the reference that the caller owns.
func (e *entry) findLent(object unsafe.Pointer, owned bool) (s *State, counted, surplus bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.object != uintptr(object) {
		return nil, false, false
	}
	s = e.currentLocked()
	if s == nil || atomic.LoadUintptr(&s.object) == 0 {
		inherited := e.inheritsLocked(s)
		s = e.makeLocked(object, owned || inherited)
		s.lent = 1
		e.weak = weak.Pointer[State]{}
		e.strong.Store(s)
		return s, true, owned && inherited
	}
	if s.lent == 0 {
		return s, false, owned
	}
	s.lent++
	return s, true, owned
}

// keep makes a State that only Lents have fetched one that ends as others do.
func (s *State) keep() {
	s.entry.mu.Lock()
	defer s.entry.mu.Unlock()
	if s.lent != 0 && atomic.LoadUintptr(&s.object) != 0 {
		s.entry.keepLocked(s)
	}
}

// keepLocked does keep's work. The caller holds e.mu.
func (e *entry) keepLocked(s *State) {
	s.lent = 0
	e.joinLocked(s)
}

// joinLocked puts a State into the young list, unless it was there before. The caller holds e.mu.
func (e *entry) joinLocked(s *State) {
	e.weighLocked()
	if e.strong.Load() == s {
		e.setStrong(s)
	}
}

// endUse ends one use of a State, and the State if it was the last.
func (s *State) endUse() {
	e := s.entry
	e.mu.Lock()
	var object unsafe.Pointer
	if s.lent != 0 {
		if s.lent--; s.lent == 0 {
			object = Pointer(atomic.SwapUintptr(&s.object, 0))
		}
	}
	if object != nil {
		s.traceReleased()
		e.endLocked(s.number)
	}
	e.mu.Unlock()
	DecRef(object)
}
