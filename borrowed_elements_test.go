package selfsame_test

import (
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

type leaf struct {
	selfsame.Object
	Number int64
}

var leafClass = selfsame.MustRegister[leaf]("test.BorrowedElement")

// branch keeps leaves without a handle of any.
type branch struct {
	selfsame.Object
	Leaves selfsame.List[*leaf]
	ByName selfsame.Dict[string, *leaf]
}

var branchClass = selfsame.MustRegister[branch]("test.BorrowingOwner")

// newBranch makes a branch that is the only owner of leaves with the numbers.
func newBranch(numbers ...int64) *selfsame.Handle[branch] {
	b := branchClass.New(nil)
	b.Do(func(br *branch) {
		for _, n := range numbers {
			h := leafClass.New(func(l *leaf) { l.Number = n })
			h.Do(func(l *leaf) {
				br.Leaves.Append(l)
				br.ByName.Set(strings.Repeat("long name ", int(n)), l)
			})
			h.Release()
		}
	})
	return b
}

// checkLeaves compares the number of live leaves, where the runtime counts them.
func checkLeaves(t *testing.T, expected int64) {
	t.Helper()
	if got, counted := leafClass.LiveObjects(); counted && got != expected {
		t.Errorf("expected %d leaves, got %d", expected, got)
	}
}

// The elements are lent: the list owns them, no handle is made, and they are gone with the list.
//
// Requirement: C8
func TestContainersOfBorrowedObjects(t *testing.T) {
	before, _ := leafClass.LiveObjects()
	b := newBranch(1, 2, 3)
	b.Do(func(br *branch) {
		sum := int64(0)
		for i, l := range br.Leaves.All() {
			sum += l.Number * int64(i+1)
			if found, ok := br.ByName.Get(strings.Repeat("long name ", i+1)); !ok || found != l {
				t.Errorf("leaf %d by its name: %v, %v", i, found, ok)
			}
		}
		if sum != 14 || br.Leaves.At(1) != br.Leaves.Slice()[1] {
			t.Errorf("the leaves: %d, %v", sum, br.Leaves.Slice())
		}
		br.Leaves.SetAt(0, br.Leaves.At(2))
		if br.Leaves.At(0).Number != 3 || br.Leaves.Len() != 3 {
			t.Errorf("after the changes: %v", br.Leaves.Slice())
		}
		br.Leaves.Clear()
		br.ByName.Delete("long name ")
	})
	checkLeaves(t, before+2) // the dict owns them
	b.Release()
	checkLeaves(t, before)
}

// Requirement: C8
func TestBorrowedElementsThatAreNone(t *testing.T) {
	b := newBranch(1)
	defer b.Release()
	for _, c := range []struct {
		change func(*branch)
		text   string
	}{
		{func(br *branch) { br.Leaves.Append(&leaf{Number: 7}) }, "was not made by its class"},
		{func(br *branch) { br.ByName.Set("x", new(leaf)) }, "was not made by its class"},
	} {
		var err error
		b.Do(func(br *branch) {
			defer func() { err, _ = recover().(error) }()
			c.change(br)
		})
		if err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("expected %q, got %v", c.text, err)
		}
	}
	if n := b.Get().Leaves.Len(); n != 1 {
		t.Errorf("a refused element changed the list: %d", n)
	}
	others := must(selfsame.NewList([]any{int64(1)}))(t)
	defer others.Release()
	f := must(selfsame.NewFunc(func(l *selfsame.List[*leaf]) int64 { return l.At(0).Number }))(t)
	defer f.Release()
	if _, err := f.Call(others); err == nil || !strings.Contains(err.Error(), "test.BorrowedElement") {
		t.Errorf("a list of numbers as one of leaves: %v", err)
	}
}
