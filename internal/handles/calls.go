package handles

import (
	"sync"
	"sync/atomic"

	"github.com/selfsame-ffi/selfsame/internal/goroutine"
)

// Call is the extent of a call from native code into Go, for calls of funcs that are known to keep no handle. Each State that is
// fetched or made on the call's goroutine during such a call ends with it. It does not matter how the func came by the object: as
// an argument, as the result of a callback, from a container or a field, or by making it. A call within it, through native code,
// has an extent of its own.
//
// What a native object refers to after the call, as it does to a func, is a Go value that may lead to handles. So a call that
// made native code refer to a Go value ends no State: they become ordinary ones, which Go's collector finds.
//
// RATIONALE.md, "Why a build looks at which handles a func keeps"
type Call struct {
	goroutine uintptr
	outer     *Call  // the next one in the slot, of this goroutine or another; guarded by the slot's mu
	lends     bool   // false: States are ordinary ones, as outside of calls
	lent      Lent   // this and what follows is of the goroutine
	refers    bool   // native code refers to a Go value since the call
	scope     *scope // of the iterators that the call has returned, nil: none
}

// maxCallStates is the number of States that one Call keeps reachable. When a call fetches more, Go's collector may
// take those that Go code has let go of, before the call ends: a loop over many objects shall not keep all of them to
// its end.
const maxCallStates = 1 << 10

type callSlot struct {
	mu    sync.Mutex
	first *Call
	_     [48]byte // a slot is one cache line
}

var (
	activeCalls atomic.Int64
	callSlots   [64]callSlot
	spareCalls  = sync.Pool{New: func() any { return new(Call) }}
)

func slotOf(g uintptr) *callSlot { return &callSlots[uint64(g)>>6*0x9e3779b97f4a7c15>>58] }

// AnyCall says whether a Call is active on any goroutine.
func AnyCall() bool { return activeCalls.Load() != 0 }

// EnterCall begins the extent of a call on the calling goroutine, which must end it by Leave. lends says that the func keeps no
// handle. Without it, EnterCall returns nil where no other Call is active on the goroutine, as no extent is needed then.
func EnterCall(lends bool) *Call {
	if !lends && InCall() == nil {
		return nil
	}
	return enter(lends)
}

func enter(lends bool) *Call {
	c := spareCalls.Get().(*Call)
	c.goroutine, c.lends = goroutine.Current(), lends
	slot := slotOf(c.goroutine)
	slot.mu.Lock()
	c.outer, slot.first = slot.first, c
	slot.mu.Unlock()
	activeCalls.Add(1)
	return c
}

// Leave ends the extent of a call. Nil is allowed.
func (c *Call) Leave() {
	if c != nil {
		c.Detach()
		c.settle()
	}
}

// Detach ends the extent without ending its States: the caller must Join it. It must be called on the goroutine of the extent. Nil
// is allowed.
func (c *Call) Detach() {
	if c == nil {
		return
	}
	activeCalls.Add(-1)
	slot := slotOf(c.goroutine)
	slot.mu.Lock()
	defer slot.mu.Unlock()
	at := &slot.first
	for *at != c {
		at = &(*at).outer
	}
	*at, c.outer = c.outer, nil
}

// settle ends the States of a call that is detached, keeps them, or leaves them to its iterators.
func (c *Call) settle() {
	switch {
	case c.scope != nil:
		c.scope.leave(&c.lent, c.refers)
	case c.refers:
		c.lent.keep()
	}
	c.lent.End()
	c.refers, c.scope = false, nil
	spareCalls.Put(c)
}

// Branch begins the extent of a part of the call on the calling goroutine, while that of the call waits for it. It must be ended
// by Leave, or by Detach and then Join. The branch of nil is nil.
func (c *Call) Branch() *Call {
	if c == nil {
		return nil
	}
	return enter(c.lends)
}

// Join makes the States of a part that is detached those of the call. It must be called on the goroutine of the call.
func (c *Call) Join(part *Call) {
	if c == nil || part == nil {
		return
	}
	c.lent.add(&part.lent)
	c.refers = c.refers || part.refers
	switch {
	case part.scope == nil:
	case c.scope == nil:
		c.scope, part.scope = part.scope, nil
	default: // iterators of both may lead to the States of either
		c.refers, part.refers = true, true
	}
	part.settle()
}

// Loosen lets Go's collector have the States of the call that Go code has let go of. A loop calls it between its elements, as it
// may run for long. It may only be called on the call's goroutine. Nil is allowed.
func (c *Call) Loosen() {
	if c != nil && len(c.lent.states) > 0 {
		c.lent.loosen()
	}
}

// InCall returns the innermost Call of the calling goroutine, nil when there is none.
func InCall() *Call {
	if !AnyCall() {
		return nil
	}
	g := goroutine.Current()
	slot := slotOf(g)
	slot.mu.Lock()
	defer slot.mu.Unlock()
	for c := slot.first; c != nil; c = c.outer {
		if c.goroutine == g {
			return c
		}
	}
	return nil
}

// lendingCall returns the Call with which the States end that the calling goroutine fetches; nil: they are ordinary ones. The
// compiler must be able to inline it: each fetch calls it.
func lendingCall() *Call {
	if !AnyCall() {
		return nil
	}
	return findLendingCall()
}

func findLendingCall() *Call {
	if c := InCall(); c != nil && c.lends {
		if len(c.lent.states) >= maxCallStates {
			c.lent.loosen()
		}
		return c
	}
	return nil
}

// MadeInCall gives a State to the call of the goroutine that has just made it with its object, before any other code has either.
func MadeInCall(s *State) {
	c := lendingCall()
	if c == nil {
		return
	}
	e := s.entry
	e.mu.Lock()
	e.number++ // the one of the last State may be that of a looseUse
	s.number, s.lent = e.number, 1
	e.mu.Unlock()
	c.lent.states = append(c.lent.states, s)
}
