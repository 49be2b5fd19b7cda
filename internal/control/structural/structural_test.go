package structural_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	_ "github.com/selfsame-ffi/selfsame/internal/control"
	"github.com/selfsame-ffi/selfsame/internal/control/accesspath"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/recursive"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/internal/testenv/leakcheck"
	"github.com/selfsame-ffi/selfsame/internal/testenv/testvalues"
)

func hash(t *testing.T, v abi.Any) uint64 {
	t.Helper()
	h := testenv.Value(testvalues.StructuralHash(&v, false, false))(t)
	return h
}

// Requirement: A12
func TestHashesAreThoseOfThePublishedLibrary(t *testing.T) {
	defer leakcheck.Check(t)()
	abc := testvalues.Text(t, "abc")
	for _, c := range []struct {
		value abi.Any
		want  uint64
	}{
		{abi.Int(1), 0x9e3779fb},
		{abc, 0x9e9aec2b},
		{testvalues.JSON(t, "[1,2]"), 0x272e749e71a30b7d},
	} {
		if got := hash(t, c.value); got != c.want {
			t.Errorf("hash %#x, want %#x", got, c.want)
		}
		graph.Release(c.value)
	}
}

// A short string or bytes on the heap, as C++ makes them, is equal to the small one and has its hash.
//
// Requirement: A12
func TestShortTextOnTheHeapEqualsASmallOne(t *testing.T) {
	defer leakcheck.Check(t)()
	made := []plane.Make{{TypeIndex: int64(abi.IndexStr), Size: 3}}
	if !plane.NewObjects(made) {
		t.Fatal("out of memory")
	}
	graph.FillString(made[0].Object(), []byte("abc"))
	heap, small := abi.ObjectValue(made[0].Object()), testvalues.Text(t, "abc")
	defer graph.Release(heap)
	if hash(t, heap) != hash(t, small) {
		t.Error("a short string on the heap hashes differently")
	}
	if same, err := testvalues.StructuralEqual(&heap, &small, false, false); !same || err != nil {
		t.Errorf("a short string on the heap is not equal: %v", err)
	}
	(*abi.Object)(heap.Pointer()).TypeIndex = abi.IndexBytes
	bytes, smallBytes := abi.ObjectValue(heap.Pointer()), testvalues.Bytes(t, "abc")
	if hash(t, bytes) != hash(t, smallBytes) {
		t.Error("short bytes on the heap hash differently")
	}
	(*abi.Object)(heap.Pointer()).TypeIndex = abi.IndexStr
}

// Requirement: A12
func TestFirstMismatchIsAPairOfPaths(t *testing.T) {
	defer leakcheck.Check(t)()
	for _, c := range []struct{ a, b, want string }{
		{`[1,{"k":[2,3]}]`, `[1,{"k":[2,3]}]`, "None"},
		{`[1,{"k":[2,3]}]`, `[1,{"k":[2,4]}]`, `(<root>[1]["k"][1], <root>[1]["k"][1])`},
		{`[1,2,3]`, `[1,2]`, `(<root>[2], <root>[<missing:2>])`},
		{`[1]`, `[1,2]`, `(<root>[<missing:1>], <root>[1])`},
		{`{"a":1,"b":2}`, `{"a":1}`, `(<root>["b"], <root>[<missing:"b">])`},
		{`{"a":1}`, `{"a":1,"b":2}`, `(<root>[<missing:"b">], <root>["b"])`},
		{`1`, `"a"`, `(<root>, <root>)`},
	} {
		a, b := testvalues.JSON(t, c.a), testvalues.JSON(t, c.b)
		pair := testenv.Value(testvalues.FirstMismatch(&a, &b, false, false))(t)
		text, err := recursive.Repr(&pair, false)
		if err != nil || string(text) != c.want {
			t.Errorf("%s and %s differ at %s, want %s (%v)", c.a, c.b, text, c.want, err)
		}
		for _, v := range []abi.Any{a, b, pair} {
			graph.Release(v)
		}
	}
}

// Requirement: A12
func TestPathsArePrefixesAndAreComparedByTheirFields(t *testing.T) {
	defer leakcheck.Check(t)()
	path := func(keys ...string) abi.Any {
		h, err := accesspath.Root()
		for _, key := range keys {
			if err != nil {
				t.Fatal(err)
			}
			step, failed := accesspath.NewStep(accesspath.Attr, testvalues.Text(t, key))
			if failed != nil {
				t.Fatal(failed)
			}
			longer, failed := accesspath.Extend(h, step)
			plane.DecRef(h)
			h, err = longer, failed
		}
		return abi.ObjectValue(h)
	}
	short, long, other := path("a", "a name that is long"), path("a", "a name that is long", "c"), path("a", "b")
	again := path("a", "a name that is long")
	defer graph.ReleaseAll([]abi.Any{short, long, other, again})
	for _, c := range []struct {
		a, b        abi.Any
		whole, want bool
	}{
		{short, long, false, true}, {short, long, true, false}, {long, short, false, false}, {short, other, false, false},
		{short, again, true, true}, {short, short, true, true},
	} {
		if got, err := accesspath.IsPrefix(c.a.Pointer(), c.b.Pointer(), c.whole); got != c.want || err != nil {
			t.Errorf("IsPrefix says %v, %v", got, err)
		}
	}
	// AccessPaths are compared by their fields.
	if same, err := testvalues.StructuralEqual(&short, &again, false, false); !same || err != nil {
		t.Errorf("equal paths: %v, %v", same, err)
	}
	if hash(t, short) != hash(t, again) || hash(t, short) == hash(t, other) {
		t.Error("the hashes of paths do not tell them apart")
	}
}

// wantRaised takes the raised error and compares the beginning of its message.
func wantRaised(t *testing.T, err error, kind, message string) {
	t.Helper()
	h := plane.TakeRaised()
	if err == nil || h == nil {
		t.Errorf("no error was raised, want %s: %s", kind, message)
		return
	}
	defer plane.DecRef(h)
	cell := abi.ErrorOf(h)
	if got := cell.Kind.String() + ": " + cell.Message.String(); !strings.HasPrefix(got, kind+": "+message) {
		t.Errorf("raised %q, want %s: %s", got, kind, message)
	}
}

func TestTooDeepValuesAreRefused(t *testing.T) {
	runtime.LockOSThread() // where errors are raised
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	a, b := testvalues.Nest(t, abi.Int(1), 100000), testvalues.Nest(t, abi.Int(1), 100000)
	if same, err := testvalues.StructuralEqual(&a, &b, false, false); !same || err != nil {
		t.Errorf("deep values: %v, %v", same, err)
	}
	hash(t, a)
	a, b = testvalues.Nest(t, a, 200000), testvalues.Nest(t, b, 200000)
	defer graph.ReleaseAll([]abi.Any{a, b})
	_, err := testvalues.StructuralEqual(&a, &b, false, false)
	wantRaised(t, err, "ValueError", "StructuralEqual: maximum depth (262144) exceeded")
	_, err = testvalues.StructuralHash(&a, false, false)
	wantRaised(t, err, "ValueError", "StructuralHash: maximum depth (262144) exceeded")
}

// A List that contains itself has no end.
func TestListInItselfHasNoHash(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	list := testvalues.List(t, abi.Int(1))
	testvalues.Append(t, list, graph.Retain(list))
	_, err := testvalues.StructuralHash(&list, false, false)
	wantRaised(t, err, "ValueError", "StructuralHash: maximum depth")
	testvalues.Clear(t, list)
	graph.Release(list)
}

// A variable with one owner is reached twice when its owner is; it must then correspond to one variable. The hash
// counts it once.
// Requirement: A12
func TestVariableOfASharedOwnerCorrespondsToOne(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	variable := testvalues.ClassOfKind(t, "test.structural.Variable", abi.SEqHashFreeVar, nil)
	defer leakcheck.Check(t)()
	shared := func() abi.Any {
		owner := testvalues.Array(t, variable())
		return testvalues.Array(t, owner, graph.Retain(owner))
	}
	a, b, other := shared(), shared(), testvalues.Array(t, testvalues.Array(t, variable()), testvalues.Array(t, variable()))
	defer graph.ReleaseAll([]abi.Any{a, b, other})
	for _, c := range []struct {
		x, y abi.Any
		want bool
	}{{a, b, true}, {a, other, false}, {other, a, false}} {
		if same, err := testvalues.StructuralEqual(&c.x, &c.y, true, false); same != c.want || err != nil {
			t.Errorf("equal %v, want %v: %v", same, c.want, err)
		}
		if same, err := testvalues.StructuralEqual(&c.x, &c.y, false, false); same || err != nil {
			t.Errorf("variables that are defined elsewhere are equal: %v, %v", same, err)
		}
	}
	hashes := [3]uint64{}
	for i, v := range []abi.Any{a, b, other} {
		var err error
		if hashes[i], err = testvalues.StructuralHash(&v, true, false); err != nil {
			t.Fatal(err)
		}
	}
	if hashes[0] != hashes[1] || hashes[0] == hashes[2] {
		t.Errorf("hashes %#x", hashes)
	}
}

// twice makes an Array of a value twice, an Array of that twice, and so on. It takes the value over.
func twice(t *testing.T, v abi.Any, levels int) abi.Any {
	for range levels {
		v = testvalues.Array(t, graph.Retain(v), v)
	}
	return v
}

// twiceIn makes a Map or Dict with a value under two keys, one with that under two keys, and so on. It takes the value over.
func twiceIn(t *testing.T, index int32, v abi.Any, levels int) abi.Any {
	for range levels {
		v = testvalues.Map(t, index, abi.Int(1), graph.Retain(v), abi.Int(2), v)
	}
	return v
}

// unshared returns a value like twice's, but no Array of it is shared.
func unshared(t *testing.T, n int64, levels int) abi.Any {
	if levels == 0 {
		return abi.Int(n)
	}
	return testvalues.Array(t, unshared(t, n, levels-1), unshared(t, n, levels-1))
}

// The time for a value grows with the number of containers in it, not with the number of paths to them.
func TestSharedContainersAreWalkedOnce(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	const paths = 60 // 2 to the 60th
	for name, make := range map[string]func(last int64) abi.Any{
		"arrays": func(last int64) abi.Any { return twice(t, abi.Int(last), paths) },
		"maps":   func(last int64) abi.Any { return twiceIn(t, abi.IndexMap, abi.Int(last), paths) },
		"dicts":  func(last int64) abi.Any { return twiceIn(t, abi.IndexDict, abi.Int(last), paths) },
	} {
		a, b, other := make(1), make(1), make(2)
		for _, c := range []struct {
			b    *abi.Any
			want bool
		}{{&b, true}, {&other, false}} {
			if same, err := testvalues.StructuralEqual(&a, c.b, false, false); same != c.want || err != nil {
				t.Errorf("%s: structurally equal: %v, want %v, %v", name, same, c.want, err)
			}
			if same, err := testvalues.RecursiveEqual(&a, c.b); same != c.want || err != nil {
				t.Errorf("%s: equal: %v, want %v, %v", name, same, c.want, err)
			}
			if name == "arrays" { // maps have no order
				if order, err := testvalues.RecursiveCompare(&a, c.b); order == 0 != c.want || err != nil {
					t.Errorf("order %d, %v", order, err)
				}
			}
			if (hash(t, a) == hash(t, *c.b)) != c.want {
				t.Errorf("%s: hashes are equal: %v", name, !c.want)
			}
			x := testenv.Value(testvalues.RecursiveHash(&a))(t)
			if y, err := testvalues.RecursiveHash(c.b); err != nil || (x == y) != c.want {
				t.Errorf("%s: recursive hashes %#x and %#x, %v", name, x, y, err)
			}
		}
		graph.ReleaseAll([]abi.Any{a, b, other})
	}
}

// A result that is kept is the one that the walk would find again.
func TestSharedContainersHaveTheHashOfUnsharedOnes(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	a, b := twice(t, abi.Int(1), 10), unshared(t, 1, 10)
	defer graph.ReleaseAll([]abi.Any{a, b})
	if x, y := hash(t, a), hash(t, b); x != y {
		t.Errorf("%#x and %#x", x, y)
	}
	x := testenv.Value(testvalues.RecursiveHash(&a))(t)
	if y, err := testvalues.RecursiveHash(&b); err != nil || x != y {
		t.Errorf("%#x and %#x, %v", x, y, err)
	}
}

// A walk changes what a map with variables as keys equals when it meets the variables, so such results are not kept.
func TestResultsWithObjectsAsKeysAreNotKept(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	variable := testvalues.ClassOfKind(t, "test.structural.Key", abi.SEqHashFreeVar, nil)
	defer leakcheck.Check(t)()
	v, u := variable(), variable()
	keyed := func() abi.Any { // an Array of many parts, so that its results would be kept
		items := []abi.Any{testvalues.Map(t, abi.IndexMap, graph.Retain(v), abi.Int(1))}
		for i := range int64(100) {
			items = append(items, abi.Int(i))
		}
		return testvalues.Array(t, items...)
	}
	m, again := keyed(), keyed()
	around := func(x, y, z abi.Any) abi.Any {
		return testvalues.Array(t, graph.Retain(x), graph.Retain(y), graph.Retain(z))
	}
	a, b, c := around(m, v, m), around(m, u, m), around(m, v, again)
	defer graph.ReleaseAll([]abi.Any{a, b, c, m, again, v, u})
	// v corresponds to u when the walk comes to m the second time, and m has no key u.
	if same, err := testvalues.StructuralEqual(&a, &b, true, false); same || err != nil {
		t.Errorf("equal: %v, %v", same, err)
	}
	x := testenv.Value(testvalues.StructuralHash(&a, true, false))(t)
	if y, err := testvalues.StructuralHash(&c, true, false); err != nil || x != y {
		t.Errorf("hashes %#x and %#x, %v", x, y, err)
	}
}
