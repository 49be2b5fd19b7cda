package python_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/host/python"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D19

// thing and part are handles of classes, as selfsame-ffi bind --go --python writes them.
type (
	thing struct{ python.Object }
	part  struct{ thing }
)

func TestHandlesOfClassesStandInContainers(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	testenv.OK(t, py.Exec("class Thing(int): pass\nx = Thing(3)\ndef same(a): return a", space))
	x := must[*part](t)(python.Cast[part](space.Item("x")))
	same := must[*python.Object](t)(space.Item("same"))
	for _, list := range [][]*part{
		must[[]*part](t)(python.As[[]*part](py.Eval("[x, x]", space))),
		must[[]*part](t)(python.As[[]*part](py.Eval("(x for _ in range(2))", space))),
		must[[]*part](t)(python.As[[]*part](same.Call([]*part{x, x}))),
		must[[]*part](t)(python.As[[]*part](same.Call([]any{x, x}))),
		must[map[string][]*part](t)(python.As[map[string][]*part](py.Eval("{'a': [x, x]}", space)))["a"],
		must[map[string][]*part](t)(python.As[map[string][]*part](same.Call(map[string]any{"b": []any{x, x}})))["b"],
	} {
		if len(list) != 2 || list[0] != x || list[1] != x {
			t.Errorf("the list is %v", list)
		}
	}
	if pair := must[[2]*part](t)(python.As[[2]*part](same.Call([2]*part{x, x}))); pair[1] != x {
		t.Errorf("the pair is %v", pair)
	}
	every := must[[]any](t)(python.As[[]any](py.Eval("[1, object()]", nil)))
	if _, ok := every[1].(*python.Object); !ok || every[0] != int64(1) {
		t.Errorf("the elements are %v", every)
	}
}

func TestArraysAreTuplesAndNoneIsNil(t *testing.T) {
	text := must[*python.Object](t)(imported(t, "builtins").Attr("repr"))
	for want, arg := range map[string]any{"(1, 2)": [2]int{1, 2}, "[1, 2]": []int{1, 2}, "None": (*int)(nil), "{}": map[string]int{}} {
		if got := must[string](t)(python.CallAs[string](text, arg)); got != want {
			t.Errorf("%v is %s", arg, got)
		}
	}
	none := must[*python.Object](t)(py.Eval("None", nil))
	if got, err := python.As[[]string](none, nil); got != nil || err != nil {
		t.Errorf("None is %v, %v", got, err)
	}
	if got, err := python.As[map[string]int](none, nil); got != nil || err != nil {
		t.Errorf("None is %v, %v", got, err)
	}
	items := must[*python.Object](t)(python.NewDict(python.Kw{"a": 1}))
	if got := items.String(); got != "{'a': 1}" {
		t.Errorf("the dict is %s", got)
	}
}

func TestGoValuesImplementProtocols(t *testing.T) {
	count := 0
	made := python.Implementing("Counter", &count, func() (methods, properties map[string]any) {
		next := func(by int) int { count += by; return count }
		return map[string]any{"add": next}, map[string]any{"count": func() int { return count }}
	})
	use := must[*python.Object](t)(py.Eval("lambda c: (c.add(2), c.add(3), c.count, type(c).__name__)[2:]", nil))
	if got := must[[]any](t)(python.As[[]any](use.Call(made))); fmt.Sprint(got) != "[5 Counter]" {
		t.Errorf("Python saw %v", got)
	}
	handle := must[*thing](t)(python.Cast[thing](py.Eval("object()", nil)))
	if python.Implementing("Counter", handle, nil) != any(handle) || python.Implementing("Counter", nil, nil) != nil {
		t.Error("a handle or nil became another object")
	}
}

func TestAsynchronousIteratorsAreRanges(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	if err := py.Exec(`
import asyncio
async def count(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i
    if n > 3:
        raise KeyError(n)
`, space); err != nil {
		t.Fatal(err)
	}
	count := must[*python.Object](t)(space.Item("count"))
	for n, raises := range map[int]bool{3: false, 4: true} {
		sum, failed := 0, error(nil)
		for i, err := range python.IterateAsync[int](context.Background())(count.Call(n)) {
			sum, failed = sum+i, err
		}
		if sum != n*(n-1)/2 || python.Is(failed, "KeyError") != raises {
			t.Errorf("%d: sum %d, error %v", n, sum, failed)
		}
	}
}

func TestALoopThatEndsEarlyClosesItsGenerator(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	if err := py.Exec(`
ended = []
def count(name):
    try:
        for i in range(5): yield i
    finally: ended.append(name)
class Counts:
    def __iter__(self): return count("class")
async def later():
    try:
        for i in range(5): yield i
    finally: ended.append("async")
`, space); err != nil {
		t.Fatal(err)
	}
	item := func(name string) *python.Object { return must[*python.Object](t)(space.Item(name)) }
	for range python.Iterate[int](item("count").Call("typed")) {
		break
	}
	for range must[*python.Object](t)(item("Counts").Call()).All() {
		break
	}
	for range python.IterateAsync[int](context.Background())(item("later").Call()) {
		break
	}
	func() {
		defer func() { _ = recover() }()
		for range python.Iterate[int](item("count").Call("panic")) {
			panic("no")
		}
	}()
	if got := must[[]string](t)(python.As[[]string](space.Item("ended"))); fmt.Sprint(got) != "[typed class async panic]" {
		t.Errorf("ended: %v", got)
	}
	held := must[*python.Object](t)(item("count").Call("held"))
	for range held.All() {
		break
	}
	if next := must[int](t)(python.As[int](held.CallMethod("__next__"))); next != 1 {
		t.Errorf("a generator that the program holds goes on with %d", next)
	}
}

func TestCallbacksTakeAnyObjectAsAHandle(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	if err := py.Exec(`
class Thing: pass
thing = Thing()
def call(f, *args, **named): return f(*args, **named)
def kept(f):
    args = [], {}, "text", 5
    return [f(x) is x for x in args], f(None)
`, space); err != nil {
		t.Fatal(err)
	}
	x, call := must[*part](t)(python.Cast[part](space.Item("thing"))), must[*python.Object](t)(space.Item("call"))
	same := func(o *python.Object) *python.Object { return o }
	if got, err := must[*python.Object](t)(space.Item("kept")).Call(same); err != nil || got.String() != "([True, True, True, True], None)" {
		t.Errorf("Python got %v, %v", got, err)
	}
	for want, args := range map[string][]any{
		"True":             {func(p *part) bool { return p == x }, x},
		"[1, 'a']":         {func(list []*python.Object) []*python.Object { return list }, []any{1, "a"}},
		"{'k': [2]}":       {func(dict map[string]*python.Object) any { return dict }, map[string]any{"k": []int{2}}},
		"2 [a 3] map[n:4]": {func(first int, more []any, named python.Kw) string { return fmt.Sprint(first, more, named) }, 2, []any{"a", 3}, python.Kw{"n": 4}},
		"map[n:4] 1":       {func(named python.Kw, rest ...any) string { return fmt.Sprint(named, len(rest)) }, "a", python.Kw{"n": 4}},
		"3":                {func(rest ...*python.Object) int { return len(rest) }, 1, "a", []int{}},
		"{'a': [1]}":       {func(dict map[string]any) map[string]any { return dict }, map[string]any{"a": []int{1}}},
		"[0, 1]":           {must[*python.Object](t)(py.Eval("list", nil)), func(yield func(int) bool) { _ = yield(0) && yield(1) }},
	} {
		if got, err := call.Call(args...); err != nil || got.String() != want {
			t.Errorf("Python got %v, not %s, %v", got, want, err)
		}
	}
	held := func() any { return map[string]any{"thing": x, "all": []*part{x}} }
	if got, err := call.Call(held); err != nil || must[*python.Object](t)(got.Item("thing")) != &x.Object {
		t.Errorf("Python got %v, %v", got, err)
	}
	inside := must[*python.Object](t)(py.Eval("lambda d: d['f'](d) is d and d['g'][0]('x')", nil))
	if got, err := inside.Call(map[string]any{"f": same, "g": []any{func(o *python.Object) string { return o.String() }}}); err != nil || got.String() != "x" {
		t.Errorf("Python got %v, %v", got, err)
	}
	if _, err := call.Call(same, 1, python.Kw{"n": 4}); !python.Is(err, "TypeError") || !strings.Contains(err.Error(), "expected no keyword arguments, got 'n'") {
		t.Errorf("the error is %v", err)
	}
}
