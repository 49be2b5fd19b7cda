package control

import (
	"runtime"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/internal/testenv/leakcheck"
	"github.com/selfsame-ffi/selfsame/internal/testenv/testvalues"
)

func function(t *testing.T, f body) abi.Any {
	t.Helper()
	h := testenv.Value(newFunction(f))(t)
	return abi.ObjectValue(h)
}

// link makes an Array with one callback, for values of every type.
func link(t *testing.T, f abi.Any, more ...abi.Any) abi.Any {
	return testvalues.Array(t, testvalues.Array(t, append([]abi.Any{abi.Int(-1), f}, more...)...))
}

// A visitor or mutator that a callback keeps cannot be used after its walk.
// Requirement: A12
func TestWalkersAreUnusableAfterTheirWalk(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	for _, c := range []struct {
		walk, use string
		more      []abi.Any
	}{
		{"ffi.StructuralVisit", "ffi.StructuralVisitorVisit", nil},
		{"ffi.StructuralMutate", "ffi.StructuralMutatorMutate", []abi.Any{abi.Bool(false)}},
	} {
		var kept abi.Any
		links := link(t, function(t, func(args []abi.Any) (abi.Any, error) {
			plane.Reset(&kept)
			kept = graph.Retain(args[1])
			return abi.None(), nil
		}), c.more...)
		result, failure := call(t, c.walk, abi.Int(1), links)
		if failure != "" {
			t.Fatal(failure)
		}
		plane.Reset(&result)
		if _, failure := call(t, c.use, kept, abi.Int(1)); !strings.Contains(failure, "after its") {
			t.Errorf("%s after %s: %q", c.use, c.walk, failure)
		}
		plane.Reset(&kept)
		plane.Reset(&links)
	}
}

// A walk survives a callback that empties the containers that it walks over.
// Requirement: A12
func TestWalkSurvivesChanges(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	for _, order := range []int64{0, 1} {
		list := testvalues.List(t)
		for range 8 {
			testvalues.Append(t, list, testvalues.List(t, testvalues.Text(t, "a string on the heap")))
		}
		dict := testvalues.Map(t, abi.IndexDict)
		for i := range int64(20) {
			testvalues.Set(t, dict, abi.Int(i), testvalues.List(t, abi.Int(i)))
		}
		root := testvalues.Array(t, list, dict)
		calls := 0
		links := link(t, function(t, func(args []abi.Any) (abi.Any, error) {
			calls++
			if calls == 3 {
				testvalues.Clear(t, list)
				testvalues.Clear(t, dict)
			}
			return abi.None(), nil
		}))
		none := testvalues.Array(t)
		if _, failure := call(t, "ffi.StructuralWalk", root, links, none, abi.Int(order)); failure != "" {
			t.Error(failure)
		}
		for _, v := range []abi.Any{root, links, none} {
			plane.Reset(&v)
		}
	}
}

// A walk over values that are nested too deep for the thread's stack is an error; one of thousands of levels is not.
func TestTooDeepWalkIsAnError(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	none := testvalues.Array(t)
	for _, c := range []struct {
		depth int
		want  string
	}{{5000, ""}, {graph.MaxDepth + 1, "RecursionError: Structural"}} {
		root := testvalues.Nest(t, abi.Int(1), c.depth)
		for _, name := range []string{"ffi.StructuralWalk", "ffi.StructuralMap"} {
			result, failure := call(t, name, root, none, none, abi.Int(0))
			plane.Reset(&result)
			if (failure == "") != (c.want == "") || !strings.HasPrefix(failure, c.want) {
				t.Errorf("%s, %d levels: %.200s", name, c.depth, failure)
			}
		}
		plane.Reset(&root)
	}
	plane.Reset(&none)
}

// A thread that uses a visitor while the walk ends gets an error, and nothing that the walk has freed.
// Requirement: A12
func TestWalkEndsWhileAnotherThreadUsesIt(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	inside, ended, used := make(chan bool), make(chan bool), make(chan string)
	links := link(t, function(t, func(args []abi.Any) (abi.Any, error) {
		if args[0] == abi.Int(5) {
			inside <- true
			<-ended
			return abi.None(), nil
		}
		visitor := graph.Retain(args[1])
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			_, failure := call(t, "ffi.StructuralVisitorVisit", visitor, abi.Int(5))
			plane.Reset(&visitor)
			used <- failure
		}()
		<-inside
		return abi.None(), nil
	}))
	if _, failure := call(t, "ffi.StructuralVisit", abi.Int(1), links); failure != "" {
		t.Errorf("the walk: %q", failure)
	}
	close(ended)
	if failure := <-used; !strings.HasPrefix(failure, "RuntimeError: a StructuralVisitor was used after its walk had ended") {
		t.Errorf("the other thread: %q", failure)
	}
	plane.Reset(&links)
}

// A mutation of a shared Map or Dict replaces the values in a copy, which has the keys in their order.
// Requirement: A12
func TestMutationCopiesMaps(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	none := testvalues.Array(t)
	links := testvalues.Array(t, testvalues.Array(t, abi.Int(int64(abi.IndexInt)), function(t, func(args []abi.Any) (abi.Any, error) {
		return abi.Int(args[0].Int64() + 100), nil
	})))
	for _, index := range []int32{abi.IndexMap, abi.IndexDict} {
		for n := range int64(60) {
			var pairs []abi.Any
			for i := range n {
				pairs = append(pairs, testvalues.Text(t, strings.Repeat("k", int(i)+1)), abi.Int(i))
			}
			m := testvalues.Map(t, index, pairs...)
			made, failure := call(t, "ffi.StructuralMap", m, links, none, abi.Int(1))
			if failure != "" {
				t.Fatal(failure)
			}
			before, after := container.MapOf(m.Pointer()).Pairs(), container.MapOf(made.Pointer()).Pairs()
			if n != 0 && made == m || len(after) != len(before) || made.TypeIndex != index {
				t.Fatalf("%d entries: the result has %d", n, len(after))
			}
			for i := range after {
				if after[i].Key != before[i].Key || before[i].Value != abi.Int(int64(i)) || after[i].Value != abi.Int(int64(i)+100) {
					t.Errorf("entry %d of %d: %v, was %v", i, n, after[i], before[i])
				}
			}
			// The copy is a whole one: its keys are found, and it can grow.
			if index == abi.IndexDict {
				for i := range int64(20) {
					testvalues.Set(t, made, abi.Int(i), abi.None())
				}
			}
			for i := range before {
				pair, err := graph.Find(made.Pointer(), &before[i].Key)
				if err != nil || pair == nil || pair.Value != abi.Int(int64(i)+100) {
					t.Errorf("key %d of %d is not found: %v", i, n, err)
				}
			}
			plane.Reset(&made)
			plane.Reset(&m)
		}
	}
	plane.Reset(&links)
	plane.Reset(&none)
}
