package python_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame/host/python"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D18

func threads(t testing.TB) int {
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Skip("the system does not list threads")
	}
	return len(entries)
}

func TestAThousandGoroutinesNeedFewThreads(t *testing.T) {
	before := threads(t)
	work := must[*python.Object](t)(py.Eval("lambda n: sum(range(n))", nil))
	var begun, done sync.WaitGroup
	begun.Add(1)
	for range 1000 {
		together(&done, func() {
			begun.Wait()
			for range 5 {
				if sum, err := python.CallAs[int](work, 100); err != nil || sum != 4950 {
					t.Errorf("the sum is %d, %v", sum, err)
				}
			}
		})
	}
	begun.Done()
	done.Wait()
	if n := threads(t); n > before+100 {
		t.Errorf("the threads were %d, then %d", before, n)
	}
}

func TestCallbacksMayCallPythonOnOtherGoroutines(t *testing.T) {
	nested := must[*python.Object](t)(py.Eval("lambda f, n: f(n)", nil))
	var deep func(n int) (int, error)
	deep = func(n int) (int, error) {
		if n == 0 {
			return 0, nil
		}
		type answer struct {
			n   int
			err error
		}
		came := make(chan answer)
		go func() {
			n, err := python.CallAs[int](nested, deep, n-1)
			came <- answer{n, err}
		}()
		a := <-came
		return a.n + 1, a.err
	}
	if n := must[int](t)(python.CallAs[int](nested, deep, 100)); n != 100 {
		t.Errorf("the depth is %d", n)
	}
}

func TestThreadLocalsAndContextVariablesStayOnAPinnedThread(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	if err := py.Exec(`
import contextvars, threading
variable, local = contextvars.ContextVar("variable"), threading.local()
def set(n):
    variable.set(n)
    local.n = n
def get():
    return variable.get() + local.n
`, space); err != nil {
		t.Fatal(err)
	}
	set, get := must[*python.Object](t)(space.Item("set")), must[*python.Object](t)(space.Item("get"))
	var wg sync.WaitGroup
	for n := range 8 {
		together(&wg, func() {
			err := python.Pinned(func() error {
				if _, err := set.Call(n); err != nil {
					return err
				}
				for range 100 {
					if got, err := python.CallAs[int](get); err != nil || got != 2*n {
						t.Errorf("got %d, %v for %d", got, err, n)
					}
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestAContextEndsACallWhosePythonIgnoresTheInterrupt(t *testing.T) {
	for name, source := range map[string]string{
		"finalizer":      "class Ignores:\n    def __del__(self): wait()\n",
		"weak reference": "import weakref\nclass Watched: pass\ndef Ignores(): return weakref.ref(Watched(), lambda _: wait())\n",
		"generator":      "def body():\n    try: yield\n    finally: wait()\ndef Ignores(): next(body())\n",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			space := must[*python.Object](t)(py.Namespace(map[string]any{"begun": func() { cancel() }}))
			testenv.OK(t, py.Exec(source+"def wait():\n    begun()\n    while True: len('x')\ndef spin():\n    Ignores()\n    while True: len('x')\n", space))
			if _, err := must[*python.Object](t)(space.Item("spin")).CallContext(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestAContextEndsALoopOfPurePython(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	enough := errors.New("enough")
	space := must[*python.Object](t)(py.Namespace(map[string]any{"begun": func() { cancel(enough) }}))
	testenv.OK(t, py.Exec("def spin():\n    begun()\n    while True:\n        try:\n            len('x')\n        except Exception:\n            pass\n", space))
	spin := must[*python.Object](t)(space.Item("spin"))
	_, err := spin.CallContext(ctx)
	if !errors.Is(err, enough) || !strings.Contains(err.Error(), "interrupted") {
		t.Fatalf("the error is %v", err)
	}
	var exception *python.Exception
	if !errors.As(err, &exception) || !strings.Contains(exception.Traceback(), "in spin") {
		t.Errorf("the error has no traceback of the loop: %+v", err)
	}
	if _, err := spin.CallContext(ctx); !errors.Is(err, enough) {
		t.Errorf("a call with a context that is done gives %v", err)
	}
	// An interrupt that comes late hits no later call.
	quick := must[*python.Object](t)(py.Eval("lambda: 1", nil))
	for range 300 {
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		if _, err := quick.CallContext(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		cancel()
		testenv.Value(quick.Call())(t)
	}
}

func TestOneContextEndsMoreCallsThanHavePlaces(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	places := min(32, runtime.NumCPU()+4)
	begun := make(chan bool, places)
	space := must[*python.Object](t)(py.Namespace(map[string]any{"begun": func() { begun <- true }}))
	if err := py.Exec("def spin():\n    begun()\n    while True: pass", space); err != nil {
		t.Fatal(err)
	}
	spin := must[*python.Object](t)(space.Item("spin"))
	var calls sync.WaitGroup
	for range 3 * places {
		together(&calls, func() {
			if _, err := spin.CallContext(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("the error is %v", err)
			}
		})
	}
	for range places {
		<-begun
	}
	cancel()
	calls.Wait()
	// A context that is done while the call begins ends it, too.
	endless := must[*python.Object](t)(py.Eval("lambda: [None for _ in iter(int, 1)]", nil))
	for range 100 {
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		if _, err := endless.CallContext(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("the error is %v", err)
		}
	}
}

func TestAContextInsideAnotherEndsItsOwnCall(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	if err := py.Exec(`
def handle(f):
    try:
        return f()
    except Exception as e:
        return type(e).__name__
def go_on(f):
    handle(f)
    while True: pass
def spin(begun):
    begun()
    while True: pass
`, space); err != nil {
		t.Fatal(err)
	}
	item := func(name string) *python.Object { return must[*python.Object](t)(space.Item(name)) }
	handle, goOn, spin := item("handle"), item("go_on"), item("spin")
	inside := func(ctx context.Context, cancel func()) func() error {
		return func() error {
			_, err := spin.CallContext(ctx, cancel)
			return err
		}
	}
	own, cancel := context.WithCancelCause(context.Background())
	got, err := python.CallAs[string](handle, inside(own, func() { cancel(context.DeadlineExceeded) }))
	if got != "TimeoutError" || err != nil {
		t.Errorf("Python caught %q, %v", got, err)
	}
	for range 20 { // both are done at the same time, and Python handles the error of the inner call
		outer, cancel := context.WithCancel(context.Background())
		inner, done := context.WithCancel(outer)
		if got, err := goOn.CallContext(outer, inside(inner, cancel)); !errors.Is(err, context.Canceled) {
			t.Errorf("the call returned %v, %v", got, err)
		}
		done()
	}
}

func TestACoroutineThatExitsLeavesTheOthersTheirLoop(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	if err := py.Exec(`
async def exits(): raise SystemExit(3)
async def interrupts(): raise KeyboardInterrupt
async def calls(f): return f()
`, space); err != nil {
		t.Fatal(err)
	}
	await := func(name string, args ...any) (*python.Object, error) {
		return must[*python.Object](t)(must[*python.Object](t)(space.Item(name)).Call(args...)).Await(context.Background())
	}
	for name, kind := range map[string]string{"exits": "SystemExit", "interrupts": "KeyboardInterrupt"} {
		if _, err := await(name); !python.Is(err, kind) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	if got, err := python.As[int](await("calls", func() int { return 5 })); got != 5 || err != nil {
		t.Errorf("the call returned %d, %v", got, err)
	}
	_, err := await("calls", func() error {
		_, err := await("calls", func() {})
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "thread of the event loop") {
		t.Errorf("the error is %v", err)
	}
}

func TestCoroutinesAreAwaitedTogether(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	if err := py.Exec(`
import asyncio
arrived, all_here = 0, None
async def meet(n):
    global arrived, all_here
    if all_here is None:
        all_here = asyncio.Event()
    arrived += 1
    if arrived == n:
        all_here.set()
    await all_here.wait()
    return arrived
async def forever():
    await asyncio.Event().wait()
async def fails():
    raise KeyError("no")
`, space); err != nil {
		t.Fatal(err)
	}
	const n = 200
	meet := must[*python.Object](t)(space.Item("meet"))
	var wg sync.WaitGroup
	for range n {
		together(&wg, func() {
			coroutine, err := meet.Call(n)
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := python.As[int](coroutine.Await(context.Background())); err != nil || got != n {
				t.Errorf("%d met, %v", got, err)
			}
		})
	}
	wg.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	forever := must[*python.Object](t)(must[*python.Object](t)(space.Item("forever")).Call())
	if _, err := forever.Await(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	fails := must[*python.Object](t)(must[*python.Object](t)(space.Item("fails")).Call())
	if _, err := fails.Await(context.Background()); !python.Is(err, "LookupError") {
		t.Errorf("the error is %v", err)
	}
}

// together runs f on a goroutine that group waits for.
func together(group *sync.WaitGroup, f func()) {
	group.Add(1)
	go func() {
		defer group.Done()
		f()
	}()
}
