package control

import (
	"math"
	"math/rand"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/accesspath"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/internal/testenv/leakcheck"
	"github.com/selfsame-ffi/selfsame/internal/testenv/testvalues"
)

// structuralKey is the data of a StructuralKey behind its header.
type structuralKey struct {
	key  abi.Any // owned
	hash int64
}

func keyOf(h unsafe.Pointer) *structuralKey { return (*structuralKey)(unsafe.Add(h, abi.BodyOffset)) }

// someValues makes random values. The values of two sources with the same seed are equal, or differ in one leaf.
type someValues struct {
	*testing.T
	random *rand.Rand
	differ int       // the number of the leaf that is different; negative if none is
	shared []abi.Any // values that may be used again; owned
}

// leaf makes a value without parts.
func (s *someValues) leaf() abi.Any {
	n, kind := s.random.Int63n(1000), s.random.Intn(10)
	s.differ--
	if s.differ == 0 {
		n += 1000
	}
	switch kind {
	case 0:
		return abi.None()
	case 1:
		return abi.Bool(n%2 == 0)
	case 2:
		return abi.Float(float64(n))
	case 3:
		return abi.Float(math.Float64frombits(0x7ff8000000000000 + uint64(n))) // all NaNs are equal
	case 4:
		return testvalues.Text(s, strings.Repeat("t", int(n%7))+"x")
	case 5:
		return testvalues.Text(s, strings.Repeat("a long text", int(n%7+1)))
	case 6:
		return testvalues.Bytes(s, strings.Repeat("b", int(n%20)))
	case 7:
		return testvalues.Shape(s, n, 2, n)
	}
	return abi.Int(n)
}

// value makes a value of at most this depth.
func (s *someValues) value(depth int) abi.Any {
	kind := s.random.Intn(12)
	if depth == 0 {
		kind = 0
	}
	switch {
	case kind < 3:
		return s.leaf()
	case kind == 3 && len(s.shared) != 0:
		return graph.Retain(s.shared[s.random.Intn(len(s.shared))])
	case kind < 8:
		items := make([]abi.Any, s.random.Intn(5))
		for i := range items {
			items[i] = s.value(depth - 1)
		}
		make := testvalues.Array
		if kind == 7 {
			make = testvalues.List
		}
		made := make(s, items...)
		if s.random.Intn(3) == 0 {
			s.shared = append(s.shared, graph.Retain(made))
		}
		return made
	case kind == 8 && s.random.Intn(8) == 0:
		return testvalues.Map(s, abi.IndexMap, testvalues.Text(s, "key"), s.value(depth-1))
	}
	return s.step(s.value(depth - 1))
}

// step wraps a value into an AccessStep, a class of the structural kind "constant tree node".
func (s *someValues) step(key abi.Any) abi.Any {
	h, err := accesspath.NewStep(accesspath.Kind(s.random.Intn(3)), key)
	if err != nil {
		s.Fatal(err)
	}
	return abi.ObjectValue(h)
}

func (s *someValues) release() {
	graph.ReleaseAll(s.shared)
}

// Values that were made alike are equal and have one hash; values that differ in a leaf differ at that leaf. Package
// structural, the builtin functions and StructuralKey agree. Nothing leaks.
// Requirement: A12
func TestStructuralFunctionsAgree(t *testing.T) {
	onThread(t)
	defer leakcheck.Check(t)()
	no := abi.Bool(false)
	equal, different := 0, 0
	for seed := range int64(3000) {
		made := [2]abi.Any{}
		for i := range made {
			s := someValues{T: t, random: rand.New(rand.NewSource(seed)), differ: -1}
			if seed%3 == 0 && i == 1 {
				s.differ = rand.New(rand.NewSource(^seed)).Intn(20) + 1
			}
			made[i] = s.step(s.value(6))
			s.release()
		}
		same, err := testvalues.StructuralEqual(&made[0], &made[1], false, false)
		if err != nil || !same && seed%3 != 0 {
			t.Fatalf("seed %d: values that were made alike are equal: %v, %v", seed, same, err)
		}
		got, failure := call(t, "ffi.StructuralEqual", made[0], made[1], no, no)
		if failure != "" || (got.Bits != 0) != same {
			t.Fatalf("seed %d: StructuralEqual is %v, want %v, failure %q", seed, got, same, failure)
		}
		where, failure := call(t, "ffi.GetFirstStructuralMismatch", made[0], made[1], no, no)
		if failure != "" || (where.TypeIndex == abi.IndexNone) != same {
			t.Fatalf("seed %d: the first mismatch is %v, equal %v, failure %q", seed, where, same, failure)
		}
		plane.Reset(&where)
		var hashes [2]uint64
		var keys [2]abi.Any
		for i, v := range made {
			if hashes[i], err = testvalues.StructuralHash(&v, false, false); err != nil {
				t.Fatal(err)
			}
			got, failure := call(t, "ffi.StructuralHash", v, no, no)
			if failure != "" || got.Bits != hashes[i] {
				t.Fatalf("seed %d: StructuralHash is %#x, want %#x, failure %q", seed, got.Bits, hashes[i], failure)
			}
			key, failure := call(t, "ffi.StructuralKey", v)
			if failure != "" || keyOf(key.Pointer()).hash != int64(hashes[i]) || keyOf(key.Pointer()).key != v {
				t.Fatalf("seed %d: StructuralKey, failure %q", seed, failure)
			}
			keys[i] = key
		}
		got, failure = call(t, "ffi.StructuralKeyEqual", keys[0], keys[1])
		if failure != "" || (got.Bits != 0) != same {
			t.Fatalf("seed %d: StructuralKeyEqual is %v, want %v, failure %q", seed, got, same, failure)
		}
		graph.ReleaseAll(keys[:])
		if same != (hashes[0] == hashes[1]) {
			t.Errorf("seed %d: equal %v, hashes %#x and %#x", seed, same, hashes[0], hashes[1])
		}
		if same {
			equal++
		} else {
			different++
		}
		graph.ReleaseAll(made[:])
	}
	if equal < 1000 || different < 100 {
		t.Errorf("%d pairs were equal and %d different: the values are not what they should be", equal, different)
	}
}

// The time to hash a graph of shared objects grows with the number of objects, not with the number of paths to them.
func TestHashOfSharedObjectsIsLinear(t *testing.T) {
	onThread(t)
	defer leakcheck.Check(t)()
	s := someValues{T: t, random: rand.New(rand.NewSource(1))}
	v := s.step(abi.Int(1))
	for range 60 {
		v = s.step(testvalues.Array(t, graph.Retain(v), v))
	}
	defer graph.Release(v)
	want := testenv.Value(testvalues.StructuralHash(&v, false, false))(t)
	if got, failure := call(t, "ffi.StructuralHash", v, abi.Bool(false), abi.Bool(false)); failure != "" || got.Bits != want {
		t.Errorf("%#x, want %#x, failure %q", got.Bits, want, failure)
	}
}

// Values nested up to the maximum depth, too deep for recursion in C, are compared and hashed; deeper ones are an
// error.
func TestStructuralFunctionsServeTheMaximumDepth(t *testing.T) {
	onThread(t)
	defer leakcheck.Check(t)()
	no := abi.Bool(false)
	deep := [2]abi.Any{testvalues.Nest(t, abi.Int(1), graph.MaxDepth-1), testvalues.Nest(t, abi.Int(1), graph.MaxDepth-1)}
	if same, failure := call(t, "ffi.StructuralEqual", deep[0], deep[1], no, no); failure != "" || same.Bits == 0 {
		t.Errorf("deep arrays are equal: %v, failure %q", same, failure)
	}
	if _, failure := call(t, "ffi.StructuralHash", deep[0], no, no); failure != "" {
		t.Error(failure)
	}
	tooDeep := testvalues.Nest(t, deep[0], 2)
	_, failure := call(t, "ffi.StructuralHash", tooDeep, no, no)
	wantError(t, failure, "ValueError: StructuralHash: maximum depth (262144) exceeded")
	plane.Reset(&tooDeep)
	plane.Reset(&deep[1])
}

// Classes that cannot be compared are an error.
func TestStructuralErrors(t *testing.T) {
	onThread(t)
	defer leakcheck.Check(t)()
	function := testenv.Value(newFunction(func([]abi.Any) (abi.Any, error) { return abi.Any{}, nil }))(t)
	unsupported := testvalues.Array(t, abi.Int(1), abi.ObjectValue(function))
	defer plane.Reset(&unsupported)
	no := abi.Bool(false)
	const want = "TypeError: Type metadata is not set for type `ffi.Function`, so StructuralHash is not supported for this type"
	_, failure := call(t, "ffi.StructuralHash", unsupported, no, no)
	wantError(t, failure, want)
	_, failure = call(t, "ffi.StructuralEqual", unsupported, unsupported, no, no)
	wantError(t, failure, want)
	_, failure = call(t, "ffi.StructuralKey", unsupported)
	wantError(t, failure, want)
	_, failure = call(t, "ffi.StructuralEqual", unsupported, unsupported, no)
	wantError(t, failure, "TypeError: Mismatched number of arguments when calling: `ffi.StructuralEqual(")
}
