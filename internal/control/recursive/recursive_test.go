package recursive_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	_ "github.com/selfsame-ffi/selfsame/internal/control"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/recursive"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/internal/testenv/leakcheck"
	"github.com/selfsame-ffi/selfsame/internal/testenv/testvalues"
)

func repr(t *testing.T, v abi.Any) string {
	t.Helper()
	text := testenv.Value(recursive.Repr(&v, false))(t)
	return string(text)
}

// raised takes the error that C code raised, or returns the Go error's text: "" when there is none.
func raised(err error) string {
	h := plane.TakeRaised()
	if h == nil {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	defer plane.DecRef(h)
	cell := abi.ErrorOf(h)
	return cell.Kind.String() + ": " + cell.Message.String()
}

// Requirement: A13
func TestReprOfEveryKindOfValue(t *testing.T) {
	defer leakcheck.Check(t)()
	for _, c := range []struct {
		value abi.Any
		want  string
	}{
		{abi.None(), "None"}, {abi.Bool(true), "True"}, {abi.Int(-5), "-5"},
		{abi.Float(1), "1"}, {abi.Float(1e20), "1e+20"}, {abi.Float(0.1), "0.1"},
		{abi.DeviceValue(abi.Device{Type: 2, ID: 1}), "cuda:1"},
		{abi.DataTypeValue(abi.DataType{Code: 2, Bits: 32, Lanes: 1}), "float32"},
		{testvalues.Text(t, "a\n\"é€😀\x01\xff"), `"a\n\"\u00e9\u20ac\U0001f600\x01\xff"`},
		{testvalues.Text(t, "\x1b[31mred\x1b[0m"), `"\x1b[31mred\x1b[0m"`},
		{testvalues.Bytes(t, "a\"\\\x00"), `b"a\x22\x5c\x00"`},
		{testvalues.Shape(t, 1, 2), "Shape(1, 2)"},
		{testvalues.JSON(t, `[1]`), "(1,)"}, {testvalues.JSON(t, `[1,[]]`), "(1, ())"}, {testvalues.JSON(t, `{"a":{"b":null}}`), `{"a": {"b": None}}`},
		{testvalues.List(t, abi.Int(1), abi.Int(2)), "[1, 2]"},
		{abi.OpaquePtr(nil), "void*"},
	} {
		if got := repr(t, c.value); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
		graph.Release(c.value)
	}
}

// Requirement: A13
func TestCyclesArePrintedHashedCopiedAndEqual(t *testing.T) {
	runtime.LockOSThread() // where errors are raised
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	list := testvalues.List(t, abi.Int(1))
	array := testvalues.Array(t, graph.Retain(list), abi.Int(2))
	testvalues.Append(t, list, graph.Retain(array))
	if got := repr(t, array); got != "([1, ...], 2)" {
		t.Errorf("printed as %s", got)
	}
	if _, err := testvalues.RecursiveHash(&array); err != nil {
		t.Error(err)
	}
	made := testenv.Value(testvalues.DeepCopy(&array))(t)
	inner := abi.SeqOf(made.Pointer()).Items()[0]
	if made == array || inner == list || abi.SeqOf(inner.Pointer()).Items()[1] != made {
		t.Error("the copy is not a separate cycle")
	}
	if same, err := testvalues.RecursiveEqual(&array, &made); !same || err != nil {
		t.Errorf("a cycle and its copy: %v, %v", same, err)
	}
	_, err := testvalues.RecursiveCompare(&array, &made)
	if got := raised(err); got != "ValueError: RecursiveCompare: cyclic reference detected in ordering" {
		t.Errorf("ordered: %q", got)
	}
	for _, l := range []abi.Any{list, inner} {
		graph.Retain(l)
		testvalues.Clear(t, l)
		graph.Release(l)
	}
	for _, v := range []abi.Any{list, array, made} {
		graph.Release(v)
	}
}

func TestSharedObjectIsPrintedEachTime(t *testing.T) {
	defer leakcheck.Check(t)()
	v := testvalues.Array(t, testvalues.Text(t, "x"))
	for range 12 {
		v = testvalues.Array(t, graph.Retain(v), v)
	}
	if got := len(repr(t, v)); got < 1<<12 {
		t.Errorf("only %d bytes", got)
	}
	graph.Release(v)
}

// Requirement: A13
func TestOrderEqualityAndHashAgree(t *testing.T) {
	runtime.LockOSThread() // where errors are raised
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{`1`, `2`, -1}, {`[1,2]`, `[1,2]`, 0}, {`[1,2,3]`, `[1,2]`, 1}, {`[1,3]`, `[1,2,9]`, 1}, {`null`, `0`, -1},
		{`"a"`, `"a longer string"`, -1}, {`"b"`, `"a longer string"`, 1}, {`{"a":1,"b":2}`, `{"b":2,"a":1}`, 0},
	} {
		a, b := testvalues.JSON(t, c.a), testvalues.JSON(t, c.b)
		if got, err := testvalues.RecursiveCompare(&a, &b); got != c.want || err != nil {
			t.Errorf("%s ? %s: %d, %v", c.a, c.b, got, err)
		}
		if got, err := testvalues.RecursiveEqual(&a, &b); got != (c.want == 0) || err != nil {
			t.Errorf("%s == %s: %v, %v", c.a, c.b, got, err)
		}
		if c.want == 0 {
			x, _ := testvalues.RecursiveHash(&a)
			y, _ := testvalues.RecursiveHash(&b)
			if x != y {
				t.Errorf("%s and %s have different hashes", c.a, c.b)
			}
		}
		graph.Release(a)
		graph.Release(b)
	}
	for _, c := range []struct{ a, b, message string }{
		{`1`, `"a"`, "TypeError: Cannot compare values of different types: int vs ffi.SmallStr"},
		{`NaN`, `1.0`, "TypeError: Cannot order NaN values"},
		{`{"a":1}`, `{"a":2}`, "TypeError: Cannot order Map/Dict values"},
		{`{"a":1}`, `{"b":1}`, "TypeError: Cannot order Map/Dict values"},
	} {
		a, b := testvalues.JSON(t, c.a), testvalues.JSON(t, c.b)
		_, err := testvalues.RecursiveCompare(&a, &b)
		if got := raised(err); err == nil || got != c.message {
			t.Errorf("%s ? %s: %q", c.a, c.b, got)
		}
		if same, err := testvalues.RecursiveEqual(&a, &b); same || err != nil {
			t.Errorf("%s == %s: %v, %v", c.a, c.b, same, err)
		}
		graph.Release(a)
		graph.Release(b)
	}
}

func TestTooDeepValuesAreRefused(t *testing.T) {
	runtime.LockOSThread() // where errors are raised
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	v := testvalues.Nest(t, abi.Int(1), graph.MaxDepth+10)
	w := testvalues.Nest(t, abi.Int(1), graph.MaxDepth+10)
	defer graph.ReleaseAll([]abi.Any{v, w})
	for name, walk := range map[string]func() error{
		"ReprPrint":        func() error { _, err := recursive.Repr(&v, false); return err },
		"RecursiveHash":    func() error { _, err := testvalues.RecursiveHash(&v); return err },
		"DeepCopy":         func() error { _, err := testvalues.DeepCopy(&v); return err },
		"RecursiveCompare": func() error { _, err := testvalues.RecursiveEqual(&v, &w); return err },
	} {
		err := walk()
		if got := raised(err); err == nil || got != "ValueError: "+name+": maximum depth (262144) exceeded" {
			t.Errorf("nested too deep: %q", got)
		}
	}
}

// Walks on several threads may read one value, without a lock.
func TestManyThreadsReadOneValue(t *testing.T) {
	defer leakcheck.Check(t)()
	v := testvalues.JSON(t, `[{"a":[1,2.5,"a string on the heap"]},{"a":[1,2.5,"a string on the heap"]},null]`)
	want := repr(t, v)
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			runtime.LockOSThread()
			for range 50 {
				made, err := testvalues.DeepCopy(&v)
				if err != nil {
					t.Error(err)
					return
				}
				same, err := testvalues.RecursiveEqual(&made, &v)
				text, _ := recursive.Repr(&made, false)
				if err != nil || !same || string(text) != want {
					t.Errorf("a copy is different: %s, %v", text, err)
				}
				graph.Release(made)
			}
		}()
	}
	group.Wait()
	graph.Release(v)
}

// twice makes a container of a value twice, one of that twice, and so on. It takes the value over.
func twice(t *testing.T, v abi.Any, levels int, make func(a, b abi.Any) abi.Any) abi.Any {
	t.Helper()
	for range levels {
		v = make(graph.Retain(v), v)
	}
	return v
}

// Requirement: A13
func TestReprOfSharedContainersIsCut(t *testing.T) {
	defer leakcheck.Check(t)()
	for name, make := range map[string]func(a, b abi.Any) abi.Any{
		"arrays": func(a, b abi.Any) abi.Any { return testvalues.Array(t, a, b) },
		"lists":  func(a, b abi.Any) abi.Any { return testvalues.List(t, a, b) },
		"maps":   func(a, b abi.Any) abi.Any { return testvalues.Map(t, abi.IndexMap, abi.Int(1), a, abi.Int(2), b) },
		"dicts":  func(a, b abi.Any) abi.Any { return testvalues.Map(t, abi.IndexDict, abi.Int(1), a, abi.Int(2), b) },
	} {
		v := twice(t, testvalues.List(t, abi.Int(7)), 60, make)
		text := repr(t, v)
		if len(text) > 3<<20 || len(text) < 1<<19 {
			t.Errorf("%s: the text of 60 shared levels has %d bytes", name, len(text))
		}
		if !strings.Contains(text, "...") || strings.Count(text, "7") < 1000 {
			t.Errorf("%s: repetitions are neither shown nor cut", name)
		}
		graph.ReleaseAll([]abi.Any{v})
	}
	v := twice(t, abi.Int(1), 3, func(a, b abi.Any) abi.Any { return testvalues.Array(t, a, b) })
	if got, want := repr(t, v), "(((1, 1), (1, 1)), ((1, 1), (1, 1)))"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	graph.ReleaseAll([]abi.Any{v})
}
