package wrapping

import (
	"cmp"
	"context"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/goroutine"
)

// Why calls on a wrapped object take turns. Most Go types must not be used by two goroutines at once; two Python
// threads would, and a map that is written twice ends the process. So generated methods lock the object, and the
// objects among the arguments, in one order. The lock belongs to a goroutine, which is the same through callbacks, so
// those may call the object again. A goroutine that the library itself started is let through where another is in: the
// call that is in may wait for it, as for a worker with a callback, and only the library knows whether that is safe.
// One lock for a whole package would have no order to keep, but a call that blocks would stop every other.

// A Gate admits the calls of one goroutine at a time to a wrapped Go value. The goroutine that is in may enter again, as it does
// in a callback that calls the same object. It is no sync.Mutex because of that, and because a thread that waits answers Ctrl-C.
type Gate struct {
	owner   atomic.Uintptr // the goroutine that is in, 0 for none, bridge.GateOfC for C that reads or sets a field or an element
	depth   int            // how often the owner has entered again; the owner's
	waiting atomic.Int32
	mu      sync.Mutex    // guards wake while it is made
	wake    chan struct{} // has a token when a waiter should try again
}

// Enter returns true when the calling goroutine is in, and must leave. It returns false for a goroutine that the library itself
// has started and that calls Python, such as a worker with a callback: the call that is in may be waiting for it, so it goes on
// beside that. It fails when Python ends the call, or the context, which may be nil.
func (g *Gate) Enter(me uintptr, ctx context.Context) (bool, error) {
	if g.owner.Load() == me {
		g.depth++
		return true, nil
	}
	if g.try(me) {
		return true, nil
	}
	if !goroutine.IsOfCaller(call.CallPackage) {
		return false, nil
	}
	err := g.Wait(me, ctx)
	return err == nil, err
}

// try enters where no goroutine is in. C is in for some instructions, in which it waits for nothing, and wakes nobody when it leaves: so
// try goes on there.
func (g *Gate) try(me uintptr) bool {
	for !g.owner.CompareAndSwap(0, me) {
		if owner := g.owner.Load(); owner != 0 && owner != bridge.GateOfC {
			return false
		}
		runtime.Gosched()
	}
	return true
}

// Wait waits until the calling goroutine is in, also one that the library has started. It fails as Enter does. The
// goroutine must not be in.
func (g *Gate) Wait(me uintptr, ctx context.Context) error {
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
	// Waiting is raised before the attempt: Leave empties the gate before it looks at waiting, so one of the two sees the other.
	g.waiting.Add(1)
	defer g.waiting.Add(-1)
	var err, failed error
	convert.WithoutGIL(func() { // the one that is in may need it to leave
		err = call.WaitInterruptibly(func(tick <-chan time.Time) bool {
			for !g.try(me) {
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
	})
	return cmp.Or(err, failed)
}

// Leave undoes one enter of the calling goroutine.
func (g *Gate) Leave() {
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

// Locked is gates that the calling goroutine has entered. It is small, as each call of a method passes it on several times.
type Locked struct {
	first, second *Gate       // nil: none
	more          *moreLocked // nil: nothing
}

// moreLocked is what few calls have: further gates, and a copied value.
type moreLocked struct {
	gates  []*Gate
	copied Copied // nil: none
}

// Unlock leaves the gates, after a copied value is stored.
func (l Locked) Unlock() {
	if l.more != nil {
		l.more.unlock()
	}
	if l.second != nil {
		l.second.Leave()
	}
	if l.first != nil {
		l.first.Leave()
	}
}

func (m *moreLocked) unlock() {
	if m.copied != nil {
		m.copied.Store()
	}
	for _, g := range m.gates {
		g.Leave()
	}
}

// Lock enters the gate of a box, which may be nil, and those of the wrapped Go values among others, in the order of their
// addresses. A context among others ends the wait. It fails as [Gate.Enter] does, and has then entered none.
func Lock(b *Box, others []any) (Locked, error) {
	if b == nil {
		return lockOthers(nil, others)
	}
	if b.copied != nil {
		return lockCopied(b, others)
	}
	if len(others) > 0 {
		return lockOthers(b.gate, others)
	}
	return lockOne(b.gate)
}

// lockOne enters a gate, which may be nil.
func lockOne(g *Gate) (locked Locked, err error) {
	if g == nil {
		return locked, nil
	}
	in, err := g.Enter(goroutine.Locking(), nil)
	if in {
		locked.first = g
	}
	return locked, err
}

// lockOthers enters a gate, which may be nil, and those of the wrapped Go values among others.
func lockOthers(own *Gate, others []any) (Locked, error) {
	if len(others) == 1 {
		other := GateOf(others[0])
		if _, ends := others[0].(context.Context); other != nil || !ends {
			return lockTwo(own, other)
		}
	}
	return lockAll(own, others)
}

// lockTwo enters two gates, each of which may be nil. It does what [lockAll] does, without memory for them.
func lockTwo(first, second *Gate) (locked Locked, err error) {
	if first == second || first == nil {
		first, second = second, nil
	}
	if second != nil && uintptr(unsafe.Pointer(second)) < uintptr(unsafe.Pointer(first)) {
		first, second = second, first
	}
	locked, err = lockOne(first)
	if err != nil || second == nil {
		return locked, err
	}
	in, err := second.Enter(goroutine.Locking(), nil)
	if err != nil {
		locked.Unlock()
		return Locked{}, err
	}
	if in {
		locked.second = second
	}
	return locked, nil
}

// lockCopied does Lock's work for a box with a copied value.
func lockCopied(b *Box, others []any) (Locked, error) {
	locked, err := lockAll(b.gate, others)
	if err == nil {
		locked.more.copied = b.copied
		b.copied.Load()
	}
	return locked, err
}

func lockAll(own *Gate, others []any) (Locked, error) {
	var ctx context.Context
	gates := make([]*Gate, 0, 1+len(others))
	if own != nil {
		gates = append(gates, own)
	}
	for _, x := range others {
		if c, ok := x.(context.Context); ok {
			ctx = c
			continue
		}
		if g := GateOf(x); g != nil {
			gates = append(gates, g)
		}
	}
	slices.SortFunc(gates, func(a, b *Gate) int {
		return cmp.Compare(uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(b)))
	})
	me := goroutine.Locking()
	entered := gates[:0]
	for _, g := range gates {
		in, err := g.Enter(me, ctx)
		if err != nil {
			Locked{more: &moreLocked{gates: entered}}.Unlock()
			return Locked{}, err
		}
		if in {
			entered = append(entered, g)
		}
	}
	return Locked{more: &moreLocked{gates: entered}}, nil
}

// GateOf returns the gate of a wrapped Go pointer, nil for other values.
func GateOf(x any) *Gate {
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
