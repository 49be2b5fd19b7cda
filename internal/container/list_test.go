package container_test

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// lists calls the builtin functions over List.
type lists struct {
	t    *testing.T
	list abi.Any
}

func (l *lists) call(name string, args ...abi.Any) (abi.Any, error) {
	function := plane.Global("ffi.List" + name)
	defer plane.DecRef(function)
	return graph.Call(function, append([]abi.Any{l.list}, args...)...)
}

func (l *lists) do(name string, args ...abi.Any) abi.Any {
	l.t.Helper()
	result, err := l.call(name, args...)
	if err != nil {
		l.t.Fatalf("%s: %v", name, err)
	}
	return result
}

// newList makes a List as C++ makes it: it may have no buffer.
func newList(t *testing.T, capacity int) *lists {
	handle, ok := plane.ListOf(make([]abi.Any, capacity))
	if !ok {
		t.Fatal("out of memory")
	}
	abi.SeqOf(handle).Size = 0
	return &lists{t, abi.ObjectValue(handle)}
}

// Requirement: A7
func TestRandomListOperations(t *testing.T) {
	m := newMemory(t)
	for seed := int64(0); seed < 300; seed++ {
		rng := rand.New(rand.NewSource(seed))
		l := newList(t, rng.Intn(3))
		c := abi.SeqOf(l.list.Pointer())
		var want []abi.Any
		capacity := c.Capacity
		thing := func() abi.Any { return m.thing(false, 0) }
		for step := 0; step < 200; step++ {
			n := int64(len(want))
			needed := n
			var passed []abi.Any // the List has references of its own
			switch op := rng.Intn(11); {
			case op < 3:
				passed = []abi.Any{thing()}
				want = append(want, passed...)
				needed = n + 1
				l.do("Append", passed[0])
			case op < 4:
				i := rng.Int63n(n + 1)
				passed = []abi.Any{thing()}
				want = slices.Insert(want, int(i), passed...)
				needed = n + 1
				l.do("Insert", abi.Int(i), passed[0])
			case op < 6:
				start := rng.Int63n(n + 1)
				stop := start + rng.Int63n(n-start+1)
				for range rng.Intn(7) {
					passed = append(passed, thing())
				}
				if len(passed) == 0 {
					want = slices.Delete(want, int(start), int(stop))
					l.do("EraseRange", abi.Int(start), abi.Int(stop))
					break
				}
				want = slices.Replace(want, int(start), int(stop), passed...)
				needed = int64(len(want))
				array, err := graph.NewArray(slices.Clone(passed)) // it takes over the test's references
				if err != nil {
					t.Fatal(err)
				}
				l.do("ReplaceSlice", abi.Int(start), abi.Int(stop), abi.ObjectValue(array))
				plane.DecRef(array)
				passed = nil
			case op < 7:
				// By itself.
				want = append(want, want...)
				needed = 2 * n
				if n < 30 {
					l.do("ReplaceSlice", abi.Int(n), abi.Int(n), l.list)
				} else {
					want, needed = want[:0], n
					l.do("Clear")
				}
			case op < 8 && n > 0:
				i := rng.Int63n(n)
				popped := l.do("Pop", abi.Int(i))
				if popped != want[i] {
					t.Fatalf("Pop gives %v, want %v", popped, want[i])
				}
				graph.Release(popped)
				want = slices.Delete(want, int(i), int(i)+1)
			case op < 9 && n > 0:
				i := rng.Int63n(n)
				passed = []abi.Any{thing()}
				want[i] = passed[0]
				l.do("SetItem", abi.Int(i), passed[0])
			case op < 10 && n > 0:
				i := rng.Int63n(n)
				want = slices.Delete(want, int(i), int(i)+1)
				l.do("Erase", abi.Int(i))
			default:
				slices.Reverse(want)
				l.do("Reverse")
			}
			graph.ReleaseAll(passed)
			if needed > capacity {
				capacity = max(2*capacity, needed)
			}
			if c.Capacity != capacity || !slices.Equal(c.Items(), want) {
				t.Fatalf("step %d: capacity %d, want %d; elements %v, want %v", step, c.Capacity, capacity, c.Items(), want)
			}
		}
		plane.DecRef(l.list.Pointer())
	}
	m.nothingAlive()
}

// Requirement: B3
func TestListWithTooManyElements(t *testing.T) {
	m := newMemory(t)
	l := newList(t, 0)
	l.do("Append", abi.Int(1))
	for _, n := range []int64{math.MaxInt64, math.MaxInt64 / 8} {
		_, err := l.call("Reserve", abi.Int(n))
		handle := plane.TakeRaised()
		if err == nil || handle == nil || abi.ErrorOf(handle).Kind.String() != "MemoryError" {
			t.Errorf("Reserve(%d) gives %v", n, err)
		}
		plane.DecRef(handle)
	}
	l.do("Reserve", abi.Int(-1))
	if c := abi.SeqOf(l.list.Pointer()); !slices.Equal(c.Items(), []abi.Any{abi.Int(1)}) || c.Capacity != 1 {
		t.Error("a failure changed the list")
	}
	plane.DecRef(l.list.Pointer())
	m.nothingAlive()
}
