package python

import (
	"container/list"
	"context"
	"sync"

	"github.com/selfsame-ffi/selfsame/internal/engine/call"
)

// gate lets a number of goroutines run Python code at once. Others wait in the order in which they came. Go code that
// Python calls gives its goroutine's place away while it runs, so that it can call Python itself, and wait for
// goroutines that do.
type gate struct {
	mu      sync.Mutex // guards what follows
	size    int
	inside  int // goroutines inside Python
	outside int // calls of Go code by Python, from any thread
	waiting list.List
}

// places are those of the process's Python.
var places gate

func (g *gate) resize(size int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.size = size
}

// enter takes a place. It fails with the cause of ctx when that is done before there is one.
func (g *gate) enter(ctx context.Context) error {
	g.mu.Lock()
	if g.waiting.Len() == 0 && g.inside-g.outside < g.size {
		g.inside++
		g.mu.Unlock()
		return nil
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
		g.inside--
		g.admit()
	default:
		g.waiting.Remove(at)
	}
	return context.Cause(ctx)
}

func (g *gate) leave() {
	g.mu.Lock()
	g.inside--
	g.admit()
	g.mu.Unlock()
}

// EnterGo and LeaveGo stand around each call of Go code by Python.
func (g *gate) EnterGo() {
	g.mu.Lock()
	g.outside++
	g.admit()
	g.mu.Unlock()
}

func (g *gate) LeaveGo() {
	g.mu.Lock()
	g.outside-- // there may be more inside than places now; those to come wait for them
	g.mu.Unlock()
}

// admit gives free places to those who wait. The caller has g.mu.
func (g *gate) admit() {
	for first := g.waiting.Front(); first != nil && g.inside-g.outside < g.size; first = g.waiting.Front() {
		g.inside++
		close(g.waiting.Remove(first).(chan struct{}))
	}
}

func init() { call.SetHost(&places) }
