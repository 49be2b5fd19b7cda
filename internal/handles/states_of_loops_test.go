package handles

import (
	"errors"
	"testing"
	"unsafe"
)

// The file's name makes these tests run after that of the nursery, as states_lent_test.go says.

// Requirement: C8
func TestStatesEndWithTheLoopOfAnIterator(t *testing.T) {
	for _, early := range []bool{false, true} {
		object := newList(t)
		c := EnterCall(true)
		s := Fetch(object)
		heir, err := Inherit(func() error {
			Drop(Keep("loop"))
			return nil
		})
		if heir == nil || err != nil {
			t.Fatalf("got %v, %v", heir, err)
		}
		if early {
			heir.End()
		}
		c.Leave()
		if left := s.Address() == object; left == early {
			t.Errorf("loop ended before the call: %v, State there: %v", early, left)
		}
		heir.End()
		heir.End()
		expectUses(t, object, 1)
	}
	refused := errors.New("refused")
	if heir, err := Inherit(func() error { return refused }); heir != nil || !errors.Is(err, refused) {
		t.Errorf("got %v, %v", heir, err)
	}
}

// An iterator and another Go value may share a State, which must not end with the iterator.
//
// Requirement: C8
func TestIteratorBesideAnotherGoValueInheritsNothing(t *testing.T) {
	for _, before := range []bool{false, true} {
		object := newList(t)
		c := EnterCall(true)
		s := Fetch(object)
		if before {
			Drop(Keep("func"))
		}
		heir, _ := Inherit(func() error { return nil })
		if !before {
			Drop(Keep("func"))
		}
		c.Leave()
		heir.End()
		if s.Address() != object {
			t.Errorf("value before the iterator: %v: the State has ended", before)
		}
		s.Release()
	}
}

// beginLoop fetches an object in a call that returns n iterators.
func beginLoop(t *testing.T, object unsafe.Pointer, n int) (s *State, heirs []*Heir) {
	t.Helper()
	c := EnterCall(true)
	defer c.Leave()
	s = Fetch(object)
	for range n {
		heir, err := Inherit(func() error {
			Drop(Keep("loop"))
			return nil
		})
		if heir == nil || err != nil {
			t.Fatalf("got %v, %v", heir, err)
		}
		heirs = append(heirs, heir)
	}
	return s, heirs
}

// Requirement: C8
func TestStatesEndWithTheLastLoopOfACall(t *testing.T) {
	object, inLoop := newList(t), newList(t)
	s, heirs := beginLoop(t, object, 3)
	loop := heirs[0].EnterLoop()
	fetched := Fetch(inLoop)
	heirs[0].LeaveLoop(loop)
	heirs[0].End() // after the loop: does nothing
	heirs[1].End()
	heirs[1].End()
	if s.Address() != object || fetched.Address() != inLoop {
		t.Error("the States ended before the last iterator, which may share variables with the others")
	}
	heirs[2].LeaveLoop(heirs[2].EnterLoop())
	expectUses(t, object, 1)
	expectUses(t, inLoop, 1)
}

// Requirement: C8
func TestStatesOfALoopThatEndsBeforeItsCallEndWithTheCall(t *testing.T) {
	object := newList(t)
	c := EnterCall(true)
	heir, _ := Inherit(func() error { return nil })
	fetched := make(chan *State)
	go func() {
		loop := heir.EnterLoop()
		s := Fetch(object)
		heir.LeaveLoop(loop)
		fetched <- s
	}()
	if s := <-fetched; s.Address() != object {
		t.Error("the State ended before the call")
	}
	c.Leave()
	expectUses(t, object, 1)
}

// Requirement: C8
func TestIteratorsThatALoopYieldsInherit(t *testing.T) {
	object := newList(t)
	s, heirs := beginLoop(t, object, 1)
	loop := heirs[0].EnterLoop()
	inner, _ := Inherit(func() error { return nil })
	heirs[0].LeaveLoop(loop)
	if s.Address() != object {
		t.Error("the State ended with the loop, before that of the iterator that it yielded")
	}
	inner.End()
	expectUses(t, object, 1)
}

// Requirement: C8
func TestLoopThatLeavesAGoValueEndsNoState(t *testing.T) {
	object, inLoop := newList(t), newList(t)
	s, heirs := beginLoop(t, object, 2)
	loop := heirs[0].EnterLoop()
	fetched := Fetch(inLoop)
	Drop(Keep("value"))
	heirs[0].LeaveLoop(loop)
	heirs[1].End()
	if s.Address() != object || fetched.Address() != inLoop {
		t.Error("a State has ended, though a Go value that native code refers to may lead to it")
	}
	s.Release()
	fetched.Release()
}
