package handles

import (
	"sync"
	"sync/atomic"
)

// scope has the States of a call that has returned iterators. They end with the last of the loops, which may share variables.
type scope struct {
	mu   sync.Mutex
	lent Lent
	left int  // iterators whose loop has not ended
	took bool // the call has ended
	kept bool // a Go value that native code refers to may lead to the States: they are ordinary ones
}

// Share is one iterator of a scope. A nil Share has no part in any.
type Share struct {
	scope *scope
	ended atomic.Bool
}

// ShareScope calls make, which makes native code refer to an iterator, and returns the iterator's part in the scope of the call that
// the calling goroutine is in. The result is nil when that lends nothing, or when native code refers to another Go value since the
// call.
func ShareScope(make func() error) (*Share, error) {
	c := lendingCall()
	inherits := c != nil && !c.refers
	if err := make(); err != nil || !inherits {
		if c != nil {
			c.refers = true
		}
		return nil, err
	}
	c.refers = false
	if c.scope == nil {
		c.scope = new(scope)
	}
	c.scope.mu.Lock()
	c.scope.left++
	c.scope.mu.Unlock()
	return &Share{scope: c.scope}, nil
}

// leave ends the call that has the States of lent, as far as the scope is concerned. When no loop is left, the States
// that loops have put into the scope end with the call's; while one is left, the call's wait in the scope. With keep,
// all of them become ordinary States.
func (e *scope) leave(lent *Lent, keep bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.took = true
	switch {
	case keep || e.kept:
		e.keepLocked(lent)
	case e.left == 0:
		lent.add(&e.lent)
	default:
		e.lent.add(lent)
	}
}

// keepLocked makes the States of the scope ordinary ones, those of lent, and all that its other loops fetch. The caller holds e.mu.
func (e *scope) keepLocked(lent *Lent) {
	e.kept = true
	e.lent.keep()
	lent.keep()
}

// End says that the iterator's loop never runs. A second End does nothing. It may be called on any goroutine.
func (h *Share) End() {
	if h == nil || h.ended.Swap(true) {
		return
	}
	var lent Lent
	e := h.scope
	e.mu.Lock()
	if e.left--; e.took && e.left == 0 {
		lent, e.lent = e.lent, Lent{}
	}
	e.mu.Unlock()
	lent.End()
}

// EnterLoop begins the extent of the iterator's loop, on the goroutine that runs it, which must end it by LeaveLoop. Only the call
// and the loops of the scope can have the States that this loop fetches. So they end with the last of these.
func (h *Share) EnterLoop() *Call {
	if h == nil {
		return nil
	}
	return enter(true)
}

// LeaveLoop ends the extent of the loop, which EnterLoop has returned, and does the work of End.
func (h *Share) LeaveLoop(c *Call) {
	if h == nil {
		return
	}
	c.Loosen()
	h.ended.Store(true)
	e := h.scope
	e.mu.Lock()
	e.left--
	switch last := e.took && e.left == 0; {
	case c.refers || e.kept || c.scope != nil && !last:
		c.refers = true
		e.keepLocked(&c.lent)
	case last: // iterators that the loop has yielded may lead to what it had
		c.lent.add(&e.lent)
	default:
		e.lent.add(&c.lent)
	}
	e.mu.Unlock()
	c.Leave()
}
