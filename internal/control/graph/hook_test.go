package graph_test

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	_ "github.com/selfsame-ffi/selfsame/internal/control"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/internal/testenv/leakcheck"
	"github.com/selfsame-ffi/selfsame/internal/testenv/testvalues"
)

var sumHook = graph.Hook{Operation: "TestSum", Callback: "__test_sum__ callback"}

// onOneThread keeps the test on its thread, where errors are raised, and compares the numbers of live objects when the
// test ends.
func onOneThread(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	t.Cleanup(leakcheck.Check(t))
}

func newHook(t *testing.T, body graph.Body) unsafe.Pointer {
	t.Helper()
	function := testenv.Value(graph.NewFunction(body))(t)
	return function
}

// clearRaised drops the error that a failed call left in thread-local storage and returns its message.
func clearRaised(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	message := err.Error()
	if handle := plane.TakeRaised(); handle != nil {
		cell := abi.ErrorOf(handle)
		message = cell.Kind.String() + ": " + cell.Message.String()
		plane.DecRef(handle)
	}
	return message
}

// sum adds 5 to the part.
func sum(part abi.Any) (abi.Any, error) { return abi.Int(part.Int64() + 5), nil }

func TestHookGetsItsArgumentsAndACallback(t *testing.T) {
	onOneThread(t)
	var w graph.Walk
	defer w.Release()
	var callbacks []unsafe.Pointer
	hook := newHook(t, func(args []abi.Any) (abi.Any, error) {
		if len(args) != 2 {
			t.Fatalf("the hook got %d arguments", len(args))
		}
		callbacks = append(callbacks, args[1].Pointer())
		return graph.Call(args[1].Pointer(), args[0])
	})
	defer plane.DecRef(hook)
	for range 2 {
		if got, err := w.CallHook(&sumHook, sum, hook, abi.Int(1)); got != abi.Int(6) || err != nil {
			t.Errorf("got %v, %v", got, err)
		}
	}
	if len(callbacks) != 2 || callbacks[0] != callbacks[1] {
		t.Error("the hooks of one walk got two callbacks")
	}
}

func TestHookWithoutCallbackGetsItsArgumentsOnly(t *testing.T) {
	onOneThread(t)
	var w graph.Walk
	defer w.Release()
	hook := newHook(t, func(args []abi.Any) (abi.Any, error) { return abi.Int(int64(len(args))), nil })
	defer plane.DecRef(hook)
	bare := graph.Hook{Operation: "TestBare"}
	result, err := w.CallHook(&bare, nil, hook, abi.Int(1), abi.Int(2))
	if err != nil || result != abi.Int(2) {
		t.Errorf("got %v, %v", result, err)
	}
}

func TestCallbackRefusesWrongUse(t *testing.T) {
	onOneThread(t)
	var w graph.Walk
	var kept unsafe.Pointer
	hook := newHook(t, func(args []abi.Any) (abi.Any, error) {
		kept = args[0].Pointer()
		abi.IncRef(kept)
		_, err := graph.Call(kept, abi.Int(1), abi.Int(2))
		const want = "TypeError: Mismatched number of arguments when calling: `__test_sum__ callback`. Expected 1 but got 2 arguments"
		if got := clearRaised(t, err); got != want {
			t.Errorf("two arguments: %s", got)
		}
		return abi.None(), nil
	})
	defer plane.DecRef(hook)
	testenv.Value(w.CallHook(&sumHook, sum, hook))(t)
	const late = "RuntimeError: __test_sum__ callback: called while no hook of its walk runs"
	for _, when := range []string{"after the hook", "after the walk"} {
		_, err := graph.Call(kept, abi.Int(1))
		if got := clearRaised(t, err); got != late {
			t.Errorf("%s: %s", when, got)
		}
		w.Release()
	}
	plane.DecRef(kept)
}

// While one caller is in the callback, the walk does not wait: a second caller is refused.
func TestCallbackAdmitsOneCaller(t *testing.T) {
	onOneThread(t)
	var w graph.Walk
	defer w.Release()
	var callback unsafe.Pointer
	hook := newHook(t, func(args []abi.Any) (abi.Any, error) {
		callback = args[0].Pointer()
		return graph.Call(callback, abi.Int(1))
	})
	defer plane.DecRef(hook)
	again := func(part abi.Any) (abi.Any, error) {
		done := make(chan string)
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			_, err := graph.Call(callback, part)
			done <- clearRaised(t, err)
		}()
		if got := <-done; !strings.Contains(got, "called while no hook of its walk runs") {
			t.Errorf("a second caller: %s", got)
		}
		return sum(part)
	}
	if got, err := w.CallHook(&sumHook, again, hook); got != abi.Int(6) || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestHooksNestAThousandDeep(t *testing.T) {
	onOneThread(t)
	var w graph.Walk
	defer w.Release()
	deepest := 0
	hook := newHook(t, func(args []abi.Any) (abi.Any, error) {
		return graph.Call(args[1].Pointer(), args[0])
	})
	defer plane.DecRef(hook)
	var nest graph.FromHook
	nest = func(part abi.Any) (abi.Any, error) {
		deepest = int(part.Int64())
		return w.CallHook(&sumHook, nest, hook, abi.Int(part.Int64()+1))
	}
	_, err := w.CallHook(&sumHook, nest, hook, abi.Int(1))
	if got := clearRaised(t, err); got != "RecursionError: TestSum: hooks are nested more than 1000 deep" {
		t.Errorf("nested too deep: %s", got)
	}
	if deepest != 1000 {
		t.Errorf("%d hooks ran", deepest)
	}
}

func TestHookCannotFreeObjectsOnThePath(t *testing.T) {
	onOneThread(t)
	var w graph.Walk
	defer w.Release()
	object := testvalues.List(t, abi.Int(1))
	w.Pins.Push(object.Pointer())
	hook := newHook(t, func([]abi.Any) (abi.Any, error) {
		graph.Release(object) // the only reference but the walk's
		return abi.Int(0), nil
	})
	defer plane.DecRef(hook)
	testenv.Value(w.CallHook(&sumHook, sum, hook))(t)
	if n := abi.StrongCount(object.Pointer()); n != 1 {
		t.Errorf("%d references", n)
	}
	w.Pins.Pop()
}
