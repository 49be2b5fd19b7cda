package python_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame/host/python"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D18

// residentMemory returns the bytes of the process's memory, after both collectors; false where the system does not tell.
func residentMemory(t *testing.T) (int, bool) {
	collect := must[*python.Object](t)(imported(t, "gc").Attr("collect"))
	for range 3 { // what one collector frees may be the last that the other one waits for
		runtime.GC()
		must[*python.Object](t)(collect.Call())
	}
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, false
	}
	var size, resident int
	testenv.Value(fmt.Sscan(string(text), &size, &resident))(t)
	return resident * os.Getpagesize(), true
}

func TestMemoryStaysFlat(t *testing.T) {
	if testenv.RaceDetector {
		t.Skip("the race detector keeps memory of its own")
	}
	if _, ok := residentMemory(t); !ok {
		t.Skip("the system has no /proc/self/statm")
	}
	space := must[*python.Object](t)(py.Namespace(nil))
	if err := py.Exec(`
class Thing:
    def __init__(self, n): self.n = n
    def __enter__(self): return self
    def __exit__(self, *_): pass
def fail(n): raise ValueError(f"number {n}")
def call(f, n): return f(n)
`, space); err != nil {
		t.Fatal(err)
	}
	item := func(name string) *python.Object { return must[*python.Object](t)(space.Item(name)) }
	thing, fail, call := item("Thing"), item("fail"), item("call")
	round := func(n int) error {
		made, err := thing.Call(n)
		if err != nil {
			return err
		}
		_, failed := fail.Call(n)
		var raised *python.Exception
		if !errors.As(failed, &raised) || raised.Traceback() == "" {
			return fmt.Errorf("expected a ValueError, got %w", failed)
		}
		big, err := python.As[int](call.Call(func(n int) int { return n + 1<<40 }, n))
		if err != nil || big != n+1<<40 {
			return fmt.Errorf("the number is %d, %w", big, err)
		}
		again, err := python.As[map[string][]any](call.Call(func(of any) any { return of }, map[string][]any{"k": {n, "text", made}}))
		if err != nil || again["k"][2] != any(made) {
			return fmt.Errorf("the map is %v, %w", again, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if _, err := thing.CallContext(ctx, n); err != nil {
			return err
		}
		return made.With(func(entered *python.Object) error {
			return entered.SetAttr("self", entered) // a cycle
		})
	}
	load := func(rounds int) {
		var group sync.WaitGroup
		for range 4 {
			together(&group, func() {
				for n := range rounds / 4 {
					if err := round(n); err != nil {
						t.Errorf("%+v", err)
						return
					}
				}
			})
		}
		group.Wait()
	}
	rounds := operations() / 20
	load(rounds / 2)
	before, _ := residentMemory(t)
	load(rounds)
	after, _ := residentMemory(t)
	t.Logf("%d rounds: %d MB, then %d MB", rounds, before>>20, after>>20)
	if after > before+before/10+8<<20 {
		t.Errorf("the memory grew from %d to %d bytes in %d rounds", before, after, rounds)
	}
}
