package handles

import (
	"errors"
	"testing"
	"unsafe"
)

// The file's name makes these tests run after that of the young list, as states_lent_test.go says.

// Requirement: C8
func TestStatesEndWithTheLoopOfAnIterator(t *testing.T) {
	for _, early := range []bool{false, true} {
		object := newList(t)
		c := EnterCall(true)
		s := Fetch(object)
		share, err := ShareScope(func() error {
			Drop(Keep("loop"))
			return nil
		})
		if share == nil || err != nil {
			t.Fatalf("got %v, %v", share, err)
		}
		if early {
			share.End()
		}
		c.Leave()
		if left := s.Address() == object; left == early {
			t.Errorf("loop ended before the call: %v, State there: %v", early, left)
		}
		share.End()
		share.End()
		expectUses(t, object, 1)
	}
	refused := errors.New("refused")
	if share, err := ShareScope(func() error { return refused }); share != nil || !errors.Is(err, refused) {
		t.Errorf("got %v, %v", share, err)
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
		share, _ := ShareScope(func() error { return nil })
		if !before {
			Drop(Keep("func"))
		}
		c.Leave()
		share.End()
		if s.Address() != object {
			t.Errorf("value before the iterator: %v: the State has ended", before)
		}
		s.Release()
	}
}

// beginLoop fetches an object in a call that returns n iterators.
func beginLoop(t *testing.T, object unsafe.Pointer, n int) (s *State, shares []*Share) {
	t.Helper()
	c := EnterCall(true)
	defer c.Leave()
	s = Fetch(object)
	for range n {
		share, err := ShareScope(func() error {
			Drop(Keep("loop"))
			return nil
		})
		if share == nil || err != nil {
			t.Fatalf("got %v, %v", share, err)
		}
		shares = append(shares, share)
	}
	return s, shares
}

// Requirement: C8
func TestStatesEndWithTheLastLoopOfACall(t *testing.T) {
	object, inLoop := newList(t), newList(t)
	s, shares := beginLoop(t, object, 3)
	loop := shares[0].EnterLoop()
	fetched := Fetch(inLoop)
	shares[0].LeaveLoop(loop)
	shares[0].End() // after the loop: does nothing
	shares[1].End()
	shares[1].End()
	if s.Address() != object || fetched.Address() != inLoop {
		t.Error("the States ended before the last iterator, which may share variables with the others")
	}
	shares[2].LeaveLoop(shares[2].EnterLoop())
	expectUses(t, object, 1)
	expectUses(t, inLoop, 1)
}

// Requirement: C8
func TestStatesOfALoopThatEndsBeforeItsCallEndWithTheCall(t *testing.T) {
	object := newList(t)
	c := EnterCall(true)
	share, _ := ShareScope(func() error { return nil })
	fetched := make(chan *State)
	go func() {
		loop := share.EnterLoop()
		s := Fetch(object)
		share.LeaveLoop(loop)
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
	s, shares := beginLoop(t, object, 1)
	loop := shares[0].EnterLoop()
	inner, _ := ShareScope(func() error { return nil })
	shares[0].LeaveLoop(loop)
	if s.Address() != object {
		t.Error("the State ended with the loop, before that of the iterator that it yielded")
	}
	inner.End()
	expectUses(t, object, 1)
}

// Requirement: C8
func TestLoopThatLeavesAGoValueEndsNoState(t *testing.T) {
	object, inLoop := newList(t), newList(t)
	s, shares := beginLoop(t, object, 2)
	loop := shares[0].EnterLoop()
	fetched := Fetch(inLoop)
	Drop(Keep("value"))
	shares[0].LeaveLoop(loop)
	shares[1].End()
	if s.Address() != object || fetched.Address() != inLoop {
		t.Error("a State has ended, though a Go value that native code refers to may lead to it")
	}
	s.Release()
	fetched.Release()
}
