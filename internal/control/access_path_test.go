package control

import (
	"math/rand"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/accesspath"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv/leakcheck"
)

// callPathMethod calls a method of AccessPath, and ends the test when it fails.
func callPathMethod(t *testing.T, name string, args ...abi.Any) abi.Any {
	t.Helper()
	for _, method := range accesspath.PathType.OwnMethods() {
		if method.Name.String() != name {
			continue
		}
		result, ok := plane.Call(method.Method.Pointer(), args)
		if !ok {
			t.Fatalf("%s: %s", name, takeRaised())
		}
		return result
	}
	t.Fatalf("AccessPath has no method %s", name)
	return abi.Any{}
}

// longer returns a path with one more step, which is of few kinds and keys so that paths are often equal.
func longer(t *testing.T, random *rand.Rand, path abi.Any) abi.Any {
	texts := []string{"a", "longer than a small text", "longer than a small one"}
	text, ok := plane.NewString(texts[random.Intn(len(texts))])
	if !ok {
		t.Fatal(takeRaised())
	}
	defer plane.Reset(&text)
	switch random.Intn(5) {
	case 0:
		return callPathMethod(t, "_attr", path, text)
	case 1:
		return callPathMethod(t, "_array_item", path, abi.Int(int64(random.Intn(2))))
	case 2:
		return callPathMethod(t, "_array_item", path, abi.Bool(random.Intn(2) == 0)) // Go converts it
	case 3:
		return callPathMethod(t, "_map_item", path, text)
	default:
		return callPathMethod(t, "_map_item", path, abi.Float(float64(random.Intn(2)))) // Go compares it
	}
}

// The methods of AccessPath that are in C give what those in Go do. Steps with the same keys are equal, and those of one path
// are the first ones of another. Longer paths than C looks at are compared too.
func TestAccessPathsInC(t *testing.T) {
	onThread(t)
	defer leakcheck.Check(t)()
	random := rand.New(rand.NewSource(5))
	var equal, prefixes int
	for range 300 {
		var paths [2]abi.Any
		steps := random.Intn(4)
		if random.Intn(20) == 0 {
			steps = 70
		}
		shared := random.Intn(3) == 0
		for i := range paths {
			paths[i] = callPathMethod(t, "_root")
			for range steps + random.Intn(2) {
				next := longer(t, random, paths[i])
				plane.Reset(&paths[i])
				paths[i] = next
			}
			if shared && i == 0 {
				paths[1] = longer(t, random, paths[0])
				break
			}
		}
		for _, whole := range []bool{false, true} {
			name := map[bool]string{false: "_is_prefix_of", true: "_path_equal"}[whole]
			want, err := accesspath.IsPrefix(paths[0].Pointer(), paths[1].Pointer(), whole)
			if err != nil {
				t.Fatal(err)
			}
			if got := callPathMethod(t, name, paths[0], paths[1]); got != abi.Bool(want) {
				t.Fatalf("%s is %v, want %v", name, got, want)
			}
			if want && whole {
				equal++
			} else if want {
				prefixes++
			}
		}
		want, err := accesspath.Steps(paths[1].Pointer())
		if err != nil {
			t.Fatal(err)
		}
		list := callPathMethod(t, "_to_steps", paths[1])
		got := ownedItems(list.Pointer())
		if len(got) != len(want) {
			t.Fatalf("_to_steps has %d steps, want %d", len(got), len(want))
		}
		for i := range got {
			if got[i].Pointer() != want[i] {
				t.Fatalf("_to_steps: step %d is another one", i)
			}
		}
		graph.ReleaseAll(got)
		plane.Reset(&list)
		graph.ReleaseAll(paths[:])
	}
	if equal < 10 || prefixes < 50 {
		t.Errorf("%d paths were equal and %d prefixes: they are not what they should be", equal, prefixes)
	}
}
