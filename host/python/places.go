package python

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"

	"github.com/selfsame-ffi/selfsame/internal/engine/call"
)

// gate lets a number of goroutines run Python code at once. Others wait in the order in which they came. Go code that
// Python calls gives its goroutine's place away while it runs, so that it can call Python itself, and wait for
// goroutines that do.
type gate struct {
	// state has the number of busy places, which may be negative, in its low 32 bits, and that of goroutines that wait in
	// those above. Where nobody waits, entering and leaving take one atomic step.
	state   atomic.Int64
	size    atomic.Int32
	mu      sync.Mutex // guards waiting, and the number of those that wait
	waiting list.List  // of chan struct{}, closed when the goroutine has its place
}

const oneWaits = int64(1) << 32

// places are those of the process's Python.
var places gate

func (g *gate) resize(size int) { g.size.Store(int32(size)) }

// busy returns a state's number of busy places, and whether goroutines wait.
func busy(state int64) (places int32, waits bool) {
	places = int32(state)
	return places, state != int64(places)
}

// enter takes a place. It fails with the cause of ctx when that is done before there is one.
func (g *gate) enter(ctx context.Context) error {
	state := g.state.Load()
	if n, waits := busy(state); !waits && n < g.size.Load() && g.state.CompareAndSwap(state, state+1) {
		return nil
	}
	return g.wait(ctx)
}

// wait does enter's work where places are busy, or another goroutine enters or leaves at the same time.
func (g *gate) wait(ctx context.Context) error {
	g.mu.Lock()
	for waits := false; !waits; {
		state := g.state.Load()
		n, others := busy(state)
		if !others && n < g.size.Load() {
			if g.state.CompareAndSwap(state, state+1) {
				g.mu.Unlock()
				return nil
			}
		} else {
			waits = g.state.CompareAndSwap(state, state+oneWaits)
		}
	}
	turn := make(chan struct{})
	at := g.waiting.PushBack(turn)
	g.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-turn: // it came at the same time
		g.state.Add(-1)
	default:
		g.waiting.Remove(at)
		g.state.Add(-oneWaits)
	}
	g.admit()
	return context.Cause(ctx)
}

func (g *gate) leave() {
	if n, waits := busy(g.state.Add(-1)); waits && n < g.size.Load() {
		g.mu.Lock()
		g.admit()
		g.mu.Unlock()
	}
}

// EnterGo and LeaveGo stand around each call of Go code by Python, from any thread.
func (g *gate) EnterGo() { g.leave() }

// LeaveGo may make more places busy than there are; those to come wait for them.
func (g *gate) LeaveGo() { g.state.Add(1) }

// admit gives free places to those who wait. The caller has g.mu.
func (g *gate) admit() {
	for {
		state := g.state.Load()
		n, waits := busy(state)
		if !waits || n >= g.size.Load() {
			return
		}
		if g.state.CompareAndSwap(state, state-oneWaits+1) {
			close(g.waiting.Remove(g.waiting.Front()).(chan struct{}))
		}
	}
}

func init() { call.SetHost(&places) }
