package python

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D18

// waits reports how many goroutines wait at a gate.
func (g *gate) waits() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.waiting.Len()
}

func TestPlacesAreGivenInTheOrderOfThoseThatWait(t *testing.T) {
	var g gate
	g.resize(1)
	ctx := context.Background()
	testenv.OK(t, g.enter(ctx))
	const n = 20
	order := make(chan int, n)
	for i := range n {
		go func() {
			if err := g.enter(ctx); err != nil {
				t.Error(err)
			}
			order <- i
			g.leave()
		}()
		for g.waits() != i+1 {
			runtime.Gosched()
		}
	}
	g.leave()
	for i := range n {
		if got := <-order; got != i {
			t.Fatalf("number %d came as number %d", got, i)
		}
	}
	for g.state.Load() != 0 {
		runtime.Gosched()
	}
}

func TestAPlaceIsFreeWhileGoRunsUnderPython(t *testing.T) {
	var g gate
	g.resize(1)
	g.EnterGo() // from a thread of Python's own: fewer than none are busy
	for range 2 {
		testenv.OK(t, g.enter(context.Background()))
	}
	ended, cancel := context.WithCancelCause(context.Background())
	enough := errors.New("enough")
	cancel(enough)
	if err := g.enter(ended); !errors.Is(err, enough) || g.waits() != 0 {
		t.Errorf("the error is %v, and %d wait", err, g.waits())
	}
	g.LeaveGo()
	came := make(chan error)
	go func() { came <- g.enter(context.Background()) }()
	for g.waits() != 1 {
		runtime.Gosched()
	}
	g.leave()
	g.EnterGo()
	if err := <-came; err != nil {
		t.Error(err)
	}
	g.LeaveGo()
	g.leave()
	g.leave()
	if state := g.state.Load(); state != 0 {
		t.Errorf("the state is %d at the end", state)
	}
}
