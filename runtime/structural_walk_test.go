package runtime

import (
	"runtime"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
	"github.com/selfsame-ffi/selfsame/runtime/internal/leakcheck"
	"github.com/selfsame-ffi/selfsame/runtime/internal/values"
)

func function(t *testing.T, f body) abi.Any {
	t.Helper()
	h, err := newFunction(f)
	if err != nil {
		t.Fatal(err)
	}
	return abi.ObjectValue(h)
}

// link makes an Array with one callback, for values of every type.
func link(t *testing.T, f abi.Any, more ...abi.Any) abi.Any {
	return values.Array(t, values.Array(t, append([]abi.Any{abi.Int(-1), f}, more...)...))
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
		list := values.List(t)
		for range 8 {
			if err := containers.Append(list.Pointer(), values.List(t, values.Text(t, "a string on the heap"))); err != nil {
				t.Fatal(err)
			}
		}
		dict := values.Map(t, abi.IndexDict)
		for i := range int64(20) {
			if err := containers.Set(dict.Pointer(), abi.Int(i), values.List(t, abi.Int(i))); err != nil {
				t.Fatal(err)
			}
		}
		root := values.Array(t, list, dict)
		calls := 0
		links := link(t, function(t, func(args []abi.Any) (abi.Any, error) {
			calls++
			if calls == 3 {
				containers.ClearList(list.Pointer())
				containers.Clear(dict.Pointer())
			}
			return abi.None(), nil
		}))
		none := values.Array(t)
		if _, failure := call(t, "ffi.StructuralWalk", root, links, none, abi.Int(order)); failure != "" {
			t.Error(failure)
		}
		for _, v := range []abi.Any{root, links, none} {
			plane.Reset(&v)
		}
	}
}

// A walk over values nested deeper than the maximum depth is an error.
func TestTooDeepWalkIsAnError(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	root := values.Nest(t, abi.Int(1), graph.MaxDepth+1)
	links := link(t, function(t, func([]abi.Any) (abi.Any, error) { return abi.None(), nil }))
	none := values.Array(t)
	if _, failure := call(t, "ffi.StructuralWalk", root, none, none, abi.Int(0)); !strings.Contains(failure, "maximum depth") {
		t.Errorf("nested too deep: %.200s", failure)
	}
	for _, v := range []abi.Any{root, links, none} {
		plane.Reset(&v)
	}
}
