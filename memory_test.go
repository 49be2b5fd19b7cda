package selfsame_test

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// countsArrays says whether the runtime counts live objects; a stock one does not.
func countsArrays() bool {
	_, ok := selfsame.LiveObjects("ffi.Array")
	return ok
}

func liveArrays() int64 {
	n, _ := selfsame.LiveObjects("ffi.Array")
	return n
}

// dropLargeArrays makes n arrays of 4 MB of native memory each, keeps none of them, and returns the largest number that
// was alive at a time, besides those that were alive before.
func dropLargeArrays(t *testing.T, n int) int64 {
	t.Helper()
	elems := make([]int64, 250_000)
	before, most := liveArrays(), int64(0)
	for range n {
		must(selfsame.NewArray(elems))(t)
		most = max(most, liveArrays()-before)
	}
	return most
}

// Go's heap hardly grows in this loop, so it is the native memory that must start the collector, and hold the loop up while
// the collector is behind.
//
// Requirement: C8
func TestNativeMemoryOfDroppedHandlesIsBounded(t *testing.T) {
	if !countsArrays() {
		return
	}
	selfsame.Collect()
	most := dropLargeArrays(t, 300)
	t.Logf("%d arrays were alive at a time", most)
	if most > 40 {
		t.Errorf("%d arrays of 4 MB were alive at a time", most)
	}
}

// Requirement: C8
func TestSmallDroppedHandlesAreBounded(t *testing.T) {
	if !countsArrays() {
		return
	}
	selfsame.Collect()
	before, most := liveArrays(), int64(0)
	for i := range 2_000_000 {
		must(selfsame.NewArray([]int64(nil)))(t)
		if i%1000 == 0 {
			most = max(most, liveArrays()-before)
		}
	}
	t.Logf("%d arrays were alive at a time", most)
	if most > 300_000 { // what is made while the collector runs must not count as reachable
		t.Errorf("%d of 2000000 dropped arrays were alive at a time", most)
	}
}

// A slice is garbage only after the tensor that shares it is dead, which takes a collection of its own.
//
// Requirement: C8
func TestSlicesOfDroppedTensorsAreBounded(t *testing.T) {
	selfsame.Collect()
	var m runtime.MemStats
	most := uint64(0)
	for range 1500 {
		must(selfsame.NewTensor(make([]byte, 1<<20)))(t)
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
	}
	t.Logf("Go's heap grew to %d MiB", most>>20)
	if most > 900<<20 { // of 1.5 GB; the pacer starts from what other tests have left, and a busy machine collects late
		t.Errorf("Go's heap grew to %d MiB for tensors of 1 MiB that were dropped", most>>20)
	}
}

// Requirement: C8
func TestGOGCOffStartsNoCollection(t *testing.T) {
	if !countsArrays() {
		return
	}
	selfsame.Collect()
	percent := debug.SetGCPercent(-1)
	defer debug.SetGCPercent(percent)
	runtime.GC() // ends a collection that began before
	var begin, end runtime.MemStats
	runtime.ReadMemStats(&begin)
	most := dropLargeArrays(t, 40)
	runtime.ReadMemStats(&end)
	if most != 40 || end.NumGC != begin.NumGC {
		t.Errorf("%d of 40 arrays are alive, %d collections have run", most, end.NumGC-begin.NumGC)
	}
	debug.SetGCPercent(percent)
	selfsame.Collect()
}

// Nothing allocates here, so Go's runtime would not run its collector, and what Go dropped would stay.
//
// Requirement: C8
func TestIdleProgramCollectsOnce(t *testing.T) {
	if !countsArrays() {
		return
	}
	selfsame.Collect()
	before := liveArrays()
	for range 100 {
		must(selfsame.NewArray([]int64{1}))(t)
	}
	for end := time.Now().Add(30 * time.Minute); liveArrays() != before; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d arrays that nothing refers to are alive", liveArrays()-before)
		}
	}
	for end := time.Now().Add(30 * time.Minute); !handles.Idle(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a program that does nothing is collected again and again")
		}
	}
}

// A fetch may find a handle that the collector has found unreachable and whose reference is not given back yet. It must take
// that reference over, neither lose it nor take a second one.
//
// Requirements: C8, D2
func TestFetchOfACollectedHandleCountsOnce(t *testing.T) {
	selfsame.Collect()
	const objects = 64
	var points []*PointHandle
	for range objects {
		points = append(points, PointClass.New(nil))
	}
	list := must(selfsame.NewList(points))(t)
	points = nil
	for round := range 300 {
		for i := range objects {
			list.At(i) // dropped at once
		}
		runtime.GC() // after it, background work weakens the handles for the next one
		if round%2 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	selfsame.Collect()
	for i := range objects {
		h := list.At(i)
		if n := h.UseCount(); n != 2 {
			t.Errorf("object %d has %d references", i, n)
		}
		h.Release()
	}
	list.Release()
}
