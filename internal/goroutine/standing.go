package goroutine

import (
	"sync"
	"sync/atomic"
)

// A call may run a part of itself on another goroutine and wait for that. To locks both are one: what the call has locked, its part may
// lock again. The waiting goroutine is another one to locks as long, because other code may run on it then, such as a signal handler of
// Python, which must not meet the part in what it has locked.

// standing has the numbers under which goroutines lock, where these are not their own; numStanding is how many.
var standing sync.Map // uintptr -> uintptr

var numStanding, lastNumber atomic.Int64

// Locking returns the number under which the calling goroutine locks: its own, or that of the goroutine whose call it runs a part of.
func Locking() uintptr {
	me := Current()
	if numStanding.Load() == 0 {
		return me
	}
	if number, ok := standing.Load(me); ok {
		return number.(uintptr)
	}
	return me
}

// Part hands what the calling goroutine has locked over to a part of its call. The part calls begin on the goroutine that it runs on, which
// returns what it calls at its end; the calling goroutine calls taken when the part has ended.
func Part() (begin func() (end func()), taken func()) {
	me, number := Current(), Locking()
	restore := stand(me, ^uintptr(lastNumber.Add(1))) // no goroutine has a number so high
	return func() func() { return stand(Current(), number) }, restore
}

// stand has a goroutine lock under a number, until restore is called.
func stand(goroutine, number uintptr) (restore func()) {
	before, stood := standing.Swap(goroutine, number)
	numStanding.Add(1)
	return func() {
		if stood {
			standing.Store(goroutine, before)
		} else {
			standing.Delete(goroutine)
		}
		numStanding.Add(-1)
	}
}
