package control

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// onThread locks the test to one thread, because errors are raised per thread. At the end of the test it checks that no
// error is raised and that as many objects of types with a fixed index are alive as before.
func onThread(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	before := liveObjects()
	t.Cleanup(func() {
		if handle := plane.TakeRaised(); handle != nil {
			t.Errorf("the test leaves an error raised: %s", abi.ErrorOf(handle).Message.String())
			plane.DecRef(handle)
		}
		for index, count := range liveObjects() {
			if count != before[index] {
				t.Errorf("live objects of type %d: %d, before %d", index, count, before[index])
			}
		}
		runtime.UnlockOSThread()
	})
}

func liveObjects() map[int32]int64 {
	counts := map[int32]int64{}
	for index := abi.IndexStaticObjectBegin; index < abi.IndexStaticObjectEnd; index++ {
		counts[index] = plane.LiveObjects(index)
	}
	return counts
}

func mustGlobal(t *testing.T, name string) unsafe.Pointer {
	t.Helper()
	handle := plane.Global(name)
	if handle == nil {
		t.Fatalf("no global function %s", name)
	}
	t.Cleanup(func() { plane.DecRef(handle) })
	return handle
}

// call calls a global function through the C ABI. It returns the owned result, or the error as text.
func call(t *testing.T, name string, args ...abi.Any) (abi.Any, string) {
	t.Helper()
	handle := plane.Global(name)
	if handle == nil {
		t.Fatalf("no global function %s", name)
	}
	defer plane.DecRef(handle)
	result, ok := plane.Call(handle, args)
	if !ok {
		return abi.Any{}, takeRaised()
	}
	return result, ""
}

func str(t *testing.T, s string) abi.Any {
	t.Helper()
	v, ok := plane.NewString(s)
	if !ok {
		t.Fatal(takeRaised())
	}
	t.Cleanup(func() { plane.Reset(&v) })
	return v
}

func wantError(t *testing.T, got, want string) {
	t.Helper()
	if !strings.HasPrefix(got, want) {
		t.Errorf("error %q, want %q", got, want)
	}
}

func errorText(err error) string {
	switch {
	case err == nil:
		return ""
	case err == errRaised:
		return takeRaised()
	}
	return err.Error()
}

// A panic in the runtime becomes an InternalError with the panic's stack as backtrace, and does not unwind into C.
// Requirement: A6
func TestPanicBecomesAnError(t *testing.T) {
	onThread(t)
	if rc := guarded(func() error { panic("out of order") }); rc != -1 {
		t.Errorf("rc is %d", rc)
	}
	handle := plane.TakeRaised()
	if handle == nil {
		t.Fatal("nothing is raised")
	}
	defer plane.DecRef(handle)
	cell := abi.ErrorOf(handle)
	if cell.Kind.String() != "InternalError" || cell.Message.String() != "Go panic in the runtime: out of order" {
		t.Errorf("raised %s: %s", cell.Kind.String(), cell.Message.String())
	}
	if !strings.HasPrefix(cell.Backtrace.String(), "  File \"") || !strings.Contains(cell.Backtrace.String(), "TestPanicBecomesAnError") {
		t.Errorf("backtrace: %s", cell.Backtrace.String())
	}
}
