package python_test

import (
	"context"
	"fmt"
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
