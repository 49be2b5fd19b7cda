package handles

import (
	"errors"
	"io/fs"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// The file's name makes these tests run after that of the nursery, as states_lent_test.go says.

// Requirement: C8
func TestStatesEndWithTheCallOfTheirGoroutine(t *testing.T) {
	object := newList(t)
	c := EnterCall(true)
	s := Fetch(object)
	if Fetch(object) != s || s.entry.inNursery.Load() {
		t.Error("a State of the call is not the one that another fetch gets, or joined the nursery")
	}
	others := make(chan *State)
	second := newList(t)
	go func() { others <- Fetch(second) }()
	other := <-others
	c.Leave()
	expectUses(t, object, 1)
	if s.Address() != nil {
		t.Error("the State is there after the call")
	}
	if other.Address() != second {
		t.Error("the call ended a State that another goroutine had fetched")
	}
	other.Release()
	if AnyCall() {
		t.Error("the call is active after its end")
	}
}

// Requirement: C8
func TestCallWithinACallHasItsOwnStates(t *testing.T) {
	first, second, third := newList(t), newList(t), newList(t)
	outer := EnterCall(true)
	a := Fetch(first)
	inner := EnterCall(false)
	b, again := Fetch(second), Fetch(first) // both may be kept
	innermost := EnterCall(true)
	Fetch(third)
	innermost.Leave()
	expectUses(t, third, 1)
	inner.Leave()
	outer.Leave()
	if b.Address() != second || a != again || a.Address() != first {
		t.Error("a call ended a State that a func which may keep it has fetched")
	}
	a.Release()
	b.Release()
	if EnterCall(false) != nil {
		t.Error("a call that lends nothing has an extent where no other call is")
	}
}

// Requirement: C8
func TestOwnedReferencesOfACall(t *testing.T) {
	object := newList(t)
	c := EnterCall(true)
	for range 3 {
		abi.IncRef(object)
		FetchOwned(object)
	}
	expectUses(t, object, 2)
	c.Leave()
	expectUses(t, object, 1)
}

// Requirement: C8
func TestCallThatLeavesAGoValueEndsNoState(t *testing.T) {
	object := newList(t)
	c := EnterCall(true)
	s := Fetch(object)
	Drop(Keep("value"))
	c.Leave()
	if s.Address() != object {
		t.Error("the State has ended, though a Go value that native code refers to may lead to it")
	}
	s.Release()
}

// Requirement: C8
func TestStatesOfALongCallBecomeOrdinaryOnes(t *testing.T) {
	c := EnterCall(true)
	var all []*State
	var objects []unsafe.Pointer
	for range maxCallStates + 10 {
		object := newList(t)
		objects = append(objects, object)
		all = append(all, Fetch(object))
	}
	c.Leave()
	for i, s := range all {
		if kept := s.Address() == objects[i]; kept != (i < maxCallStates) {
			t.Fatalf("State %d: kept %v", i, kept)
		}
		s.Release()
	}
}

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

// Requirement: C8
func TestValuesThatLeadToAHandle(t *testing.T) {
	s := Fetch(newList(t))
	defer s.Release()
	cycle := []any{nil}
	cycle[0] = cycle
	for name, c := range map[string]struct {
		value any
		want  bool
	}{
		"nil":     {nil, false},
		"text":    {errors.New("text"), false},
		"wrapped": {errors.Join(errors.New("a"), &fs.PathError{Op: "open", Path: "b", Err: fs.ErrNotExist}), false},
		"handle": {errors.Join(errors.New("a"), &struct {
			error
			handle *State
		}{handle: s}), true},
		"released": {&struct{ handle *State }{}, false},
		"func":     {[]any{1, func() {}}, true},
		"cycle":    {cycle, true},
		"long":     {make([]any, 2*mostLooks), true},
	} {
		if got := leadsToState(c.value); got != c.want {
			t.Errorf("%s: expected %v, got %v", name, c.want, got)
		}
	}
}
