package handles

import (
	"errors"
	"io/fs"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// The file's name makes these tests run after that of the young list, as states_lent_test.go says.

// Requirement: C8
func TestStatesEndWithTheCallOfTheirGoroutine(t *testing.T) {
	object := newList(t)
	c := EnterCall(true)
	s := Fetch(object)
	if Fetch(object) != s || s.entry.isYoung.Load() {
		t.Error("a State of the call is not the one that another fetch gets, or joined the young list")
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
func TestStatesOfAPartOfACallEndWithTheCall(t *testing.T) {
	object, others := newList(t), []unsafe.Pointer{newList(t), newList(t), newList(t)}
	c := EnterCall(true)
	Fetch(object)
	parts := make(chan *Call)
	for i, other := range others {
		go func() {
			part := InCall().Branch() // of nothing: the goroutine is in no call
			if part == nil {
				part = c.Branch()
			}
			Fetch(object)
			s := Fetch(other)
			if i > 0 {
				part.Detach()
				parts <- part
				return
			}
			part.Leave()
			if s.Address() != nil {
				t.Error("the State is there after the end of a part")
			}
			parts <- nil
		}()
	}
	for range others {
		c.Join(<-parts)
	}
	expectUses(t, others[0], 1)
	for _, other := range append(others[1:], object) {
		expectUses(t, other, 2)
	}
	c.Leave()
	for _, other := range append(others, object) {
		expectUses(t, other, 1)
	}
	if AnyCall() {
		t.Error("the call is active after its end")
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

// The collector may have what Go code has let go of, before the call ends the rest.
//
// Requirement: C8
func TestStatesOfALongCallAreLoose(t *testing.T) {
	c := EnterCall(true)
	var all []*State
	var objects []unsafe.Pointer
	for range maxCallStates + 10 {
		object := newList(t)
		objects = append(objects, object)
		all = append(all, Fetch(object))
	}
	for i, s := range all {
		if loose := s.entry.isYoung.Load(); loose != (i < maxCallStates) {
			t.Fatalf("State %d: loose %v", i, loose)
		}
	}
	kept := all[0]
	Fetch(objects[1])
	clear(all)
	CollectHere()
	for i, object := range objects[2:maxCallStates] {
		if abi.StrongCount(object) != 1 {
			t.Fatalf("State %d was not collected", i+2)
		}
	}
	if kept.Address() != objects[0] {
		t.Error("a State that Go code has was collected")
	}
	c.Leave()
	for _, object := range objects {
		expectUses(t, object, 1)
	}
	if kept.Address() != nil {
		t.Error("the State is there after the call")
	}
}

// Requirement: C8
func TestLooseStateIsCountedOnce(t *testing.T) {
	object, other := newList(t), newList(t)
	c := EnterCall(true)
	s := Fetch(object)
	released := Fetch(other)
	c.Loosen()
	released.Release()
	for range 3 * maxCallStates {
		if Fetch(object) != s {
			t.Fatal("the State is another one")
		}
	}
	c.Loosen()
	if n := len(c.lent.loose); n > maxCallStates+1 {
		t.Errorf("%d uses of one State are noted", n)
	}
	again := Fetch(other)
	var lent Lent
	if lent.Fetch(object) != s {
		t.Error("another call has another State")
	}
	c.Leave()
	if s.Address() != object || again.Address() != nil {
		t.Error("the State ended before the other call, or the one that came after a release did not")
	}
	lent.End()
	expectUses(t, object, 1)
	expectUses(t, other, 1)
}

// Requirement: C8
func TestLooseStateThatIsFetchedIsKept(t *testing.T) {
	object := newList(t)
	c := EnterCall(true)
	s := Fetch(object)
	c.Loosen()
	fetched := make(chan *State)
	go func() { fetched <- Fetch(object) }()
	if <-fetched != s {
		t.Error("another goroutine got another State")
	}
	c.Leave()
	if s.Address() != object {
		t.Error("the call ended a State that another goroutine has")
	}
	s.Release()
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
		if got := reachesState(c.value); got != c.want {
			t.Errorf("%s: expected %v, got %v", name, c.want, got)
		}
	}
}
