package selfsame

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/goroutine"
)

// A gate admits the calls of one goroutine at a time to a wrapped Go value. The goroutine that is in may enter again, as it does
// in a callback that calls the same object. It is no sync.Mutex because of that, and because a thread that waits answers Ctrl-C.
type gate struct {
	owner   atomic.Uintptr // the goroutine that is in, 0 for none
	depth   int            // how often the owner has entered again; the owner's
	waiting atomic.Int32
	mu      sync.Mutex    // guards wake while it is made
	wake    chan struct{} // has a token when a waiter should try again
}

// enter returns true when the calling goroutine is in, and must leave. It returns false for a goroutine that the library itself
// has started and that calls Python, such as a worker with a callback: the call that is in may be waiting for it, so it goes on
// beside that. It fails when Python ends the call, or the context, which may be nil.
func (g *gate) enter(me uintptr, ctx context.Context) (bool, error) {
	if g.owner.Load() == me {
		g.depth++
		return true, nil
	}
	if g.owner.CompareAndSwap(0, me) {
		return true, nil
	}
	if !goroutine.IsOfCaller(callPackage) {
		return false, nil
	}
	err := g.wait(me, ctx)
	return err == nil, err
}

// callPackage is the package whose goroutines run calls that have a context, on behalf of the calling thread.
const callPackage = "github.com/selfsame-ffi/selfsame/internal/engine/call."

func (g *gate) wait(me uintptr, ctx context.Context) error {
	g.mu.Lock()
	if g.wake == nil {
		g.wake = make(chan struct{}, 1)
	}
	wake := g.wake
	g.mu.Unlock()
	var ended <-chan struct{}
	if ctx != nil {
		ended = ctx.Done()
	}
	// Waiting is raised before the attempt: leave empties the gate before it looks at waiting, so one of the two sees the other.
	g.waiting.Add(1)
	defer g.waiting.Add(-1)
	var failed error
	err := call.WaitInterruptibly(func(tick <-chan time.Time) bool {
		for !g.owner.CompareAndSwap(0, me) {
			select {
			case <-wake:
			case <-ended:
				failed = context.Cause(ctx)
				return true
			case <-tick:
				return false
			}
		}
		return true
	})
	return cmp.Or(err, failed)
}

// leave undoes one enter of the calling goroutine.
func (g *gate) leave() {
	if g.depth > 0 {
		g.depth--
		return
	}
	g.owner.Store(0)
	if g.waiting.Load() == 0 {
		return
	}
	g.mu.Lock()
	wake := g.wake
	g.mu.Unlock()
	select {
	case wake <- struct{}{}:
	default:
	}
}

// Locked is what [Wrapped.Lock] and [LockAll] have locked.
type Locked struct {
	first *gate
	more  []*gate
}

// Unlock ends the lock.
func (l Locked) Unlock() {
	for _, g := range l.more {
		g.leave()
	}
	if l.first != nil {
		l.first.leave()
	}
}

// Lock keeps other goroutines from the wrapped value, and from those among others that are wrapped values too, until
// Locked.Unlock. The calling goroutine may lock them again. Several are always locked in one order. A context among others ends
// the wait. Lock panics with the exception, such as KeyboardInterrupt, for which Python ends the wait.
func (f *Wrapped[T]) Lock(others ...any) Locked {
	b, err := boxIn(f.object)
	if err != nil {
		panic(err)
	}
	var own *gate
	if b != nil {
		own = b.gate
	}
	if len(others) == 0 {
		if own != nil {
			in, err := own.enter(goroutine.Current(), nil)
			switch {
			case err != nil:
				panic(err)
			case !in:
				own = nil
			}
		}
		return Locked{first: own}
	}
	return lockAll(own, others)
}

// LockAll does for the wrapped values among the arguments what [Wrapped.Lock] does.
func LockAll(wrapped ...any) Locked { return lockAll(nil, wrapped) }

func lockAll(own *gate, others []any) Locked {
	var ctx context.Context
	gates := make([]*gate, 0, 1+len(others))
	if own != nil {
		gates = append(gates, own)
	}
	for _, x := range others {
		if c, ok := x.(context.Context); ok {
			ctx = c
			continue
		}
		if g := gateOf(x); g != nil {
			gates = append(gates, g)
		}
	}
	slices.SortFunc(gates, func(a, b *gate) int {
		return cmp.Compare(uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(b)))
	})
	me := goroutine.Current()
	entered := gates[:0]
	for _, g := range gates {
		in, err := g.enter(me, ctx)
		if err != nil {
			Locked{more: entered}.Unlock()
			panic(err)
		}
		if in {
			entered = append(entered, g)
		}
	}
	return Locked{more: entered}
}

// gateOf returns the gate of a wrapped Go pointer, nil for other values.
func gateOf(x any) *gate {
	if x == nil {
		return nil
	}
	found, ok := wrappedTypes.Load(reflect.TypeOf(x))
	if !ok {
		return nil
	}
	key := found.(*wrapping).keyOf(x)
	if key.class == nil {
		return nil
	}
	return identities.gateOf(key)
}
