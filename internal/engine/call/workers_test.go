package call

import (
	"runtime"
	"sync"
	"testing"
)

func TestPartsOnWorkersRunBesideEachOther(t *testing.T) {
	for range 100 {
		first, second := make(chan struct{}), make(chan struct{})
		var both sync.WaitGroup
		both.Add(2)
		onWorker(func() { defer both.Done(); close(first); <-second })
		onWorker(func() { defer both.Done(); <-first; close(second) })
		both.Wait()
	}
}

func TestAPartThatEndsItsGoroutineLeavesNoWorker(t *testing.T) {
	ran := 0
	for range 1000 {
		done := make(chan struct{})
		onWorker(func() {
			defer close(done)
			if ran++; ran%3 == 0 {
				runtime.Goexit()
			}
		})
		<-done
	}
	if ran != 1000 {
		t.Errorf("%d parts ran", ran)
	}
}

func TestEachPartRunsOnceFromManyGoroutines(t *testing.T) {
	var mu sync.Mutex
	runs := map[[2]int]int{}
	var callers sync.WaitGroup
	for caller := range 8 {
		callers.Add(1)
		go func() {
			defer callers.Done()
			for call := range 2000 {
				done := make(chan struct{})
				onWorker(func() {
					mu.Lock()
					runs[[2]int{caller, call}]++
					mu.Unlock()
					close(done)
				})
				<-done
			}
		}()
	}
	callers.Wait()
	if len(runs) != 16_000 {
		t.Errorf("%d different parts ran", len(runs))
	}
	for part, times := range runs {
		if times != 1 {
			t.Fatalf("part %v ran %d times", part, times)
		}
	}
}
