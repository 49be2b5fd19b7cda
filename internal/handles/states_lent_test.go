package handles

import (
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// The file's name makes these tests run after that of the young list, which must not meet collections: they raise its limit.

// Package containers, which knows the loops of containers, sets these in a program.
func init() {
	RunGC = func() []uintptr {
		runtime.GC()
		return nil
	}
	AfterCollection = func() {}
}

// newList makes a native object, of which the test owns the one reference until it ends.
func newList(t *testing.T) unsafe.Pointer {
	t.Helper()
	object, failed := bridge.Container(abi.IndexList, nil)
	if object == nil {
		DecRef(failed)
		t.Fatal("the List could not be made")
	}
	t.Cleanup(func() { DecRef(object) })
	return object
}

func expectUses(t *testing.T, object unsafe.Pointer, want uint64) {
	t.Helper()
	if got := uint64(abi.StrongCount(object)); got != want {
		t.Errorf("expected %d references, got %d", want, got)
	}
}

// Requirement: C8
func TestLentStateEndsWithTheCall(t *testing.T) {
	object := newList(t)
	var lent Lent
	s := lent.Fetch(object)
	if lent.Fetch(object) != s || s.Address() != object {
		t.Error("the second fetch gave another State")
	}
	expectUses(t, object, 2)
	if s.entry.weight != 0 || s.entry.isYoung.Load() {
		t.Error("a State that is only lent was weighed, or joined the young list")
	}
	lent.End()
	expectUses(t, object, 1)
	if s.Address() != nil || Current(object) != nil {
		t.Error("the State is still there after the call")
	}
	if lent.Fetch(object) == s {
		t.Error("the State that has ended was fetched again")
	}
	lent.End()
	expectUses(t, object, 1)
}

// Requirement: C8
func TestLentStateThatIsFetchedIsKept(t *testing.T) {
	object := newList(t)
	var lent Lent
	s := lent.Fetch(object)
	if Fetch(object) != s {
		t.Error("the fetch gave another State")
	}
	if s.entry.weight == 0 || !s.entry.isYoung.Load() {
		t.Error("the kept State was not weighed, or did not join the young list")
	}
	lent.End()
	expectUses(t, object, 2)
	if lent.Fetch(object) != s {
		t.Error("a fetch for a call gave another State than the kept one")
	}
	lent.End()
	if s.Address() != object {
		t.Error("the kept State has ended")
	}
	s.Release()
	expectUses(t, object, 1)
}

// Requirement: C8
func TestLentStateEndsWithTheLastOfTwoCalls(t *testing.T) {
	object := newList(t)
	var first, second Lent
	s := first.Fetch(object)
	second.Fetch(object)
	first.End()
	if s.Address() != object {
		t.Error("the State has ended with the first call")
	}
	second.End()
	expectUses(t, object, 1)
}

// Requirement: C8
func TestLentStateMayBeReleasedAndHandedOver(t *testing.T) {
	object := newList(t)
	var lent Lent
	lent.Fetch(object).Release()
	expectUses(t, object, 1)
	again := lent.Fetch(object)
	if again.HandOver() != object {
		t.Error("the State handed nothing over")
	}
	kept := Fetch(object) // in the same entry
	lent.End()
	if kept.Address() != object {
		t.Error("the end of the call ended a newer State")
	}
	DecRef(object) // what was handed over
	kept.Release()
	expectUses(t, object, 1)
}

// A weakened entry of an earlier State serves one that is lent: a collection must leave it alone.
//
// Requirement: C8
func TestLentStateOutlivesCollections(t *testing.T) {
	object := newList(t)
	Fetch(object).Release() // leaves the entry in the young list
	var lent Lent
	s := lent.Fetch(object)
	young.weakenAll()
	CollectHere()
	if s.Address() != object || lent.Fetch(object) != s {
		t.Error("a collection has ended the State during the call")
	}
	expectUses(t, object, 2)
	Fetch(object) // kept while it is weakened
	lent.End()
	expectUses(t, object, 2)
	CollectHere()
	expectUses(t, object, 1)
}

// Requirement: C8
func TestLentStatesOfManyGoroutines(t *testing.T) {
	objects := make([]unsafe.Pointer, 4)
	for i := range objects {
		objects[i] = newList(t)
	}
	var all sync.WaitGroup
	for g := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			var lent Lent
			for i := range 2000 {
				object := objects[(i+g)%len(objects)]
				s := lent.Fetch(object)
				switch {
				case g < 4:
				case i%3 == 0:
					Fetch(object) // left to the collector
				case i%3 == 1:
					s.Release()
				}
				lent.End()
			}
		}()
	}
	all.Wait()
	CollectHere()
	for _, object := range objects {
		expectUses(t, object, 1)
		if Current(object) != nil {
			t.Error("a State is left")
		}
	}
}
