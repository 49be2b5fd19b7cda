//go:build debug

package selfsame_test

import (
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

//go:noinline
func makesCounted() *selfsame.Handle[counted] { return countedClass.New(nil) }

//go:noinline
func releases(h interface{ Release() }) { h.Release() }

// wantStory runs f and checks that its panic tells where the handle was made and where it was released.
func wantStory(t *testing.T, f func(), made, released string) {
	t.Helper()
	defer func() {
		t.Helper()
		err, ok := recover().(error)
		if !ok {
			t.Fatal("no panic with an error")
		}
		_, text, _ := strings.Cut(err.Error(), "It was released at:\n")
		first, second, _ := strings.Cut(text, "It was made at:\n")
		if !strings.Contains(first, released) || !strings.Contains(second, made) {
			t.Errorf("the message does not name %s and %s:\n%v", made, released, err)
		}
	}()
	f()
}

func TestD8DebugUseAfterReleaseTellsTheStacks(t *testing.T) {
	balanced(t)
	h := makesCounted()
	releases(h)
	wantStory(t, func() { h.Get() }, "selfsame_test.makesCounted", "selfsame_test.releases")
	f := must(selfsame.NewFunc(func() {}))(t)
	releases(f)
	wantStory(t, func() { _, _ = f.Call() }, "TestD8DebugUseAfterReleaseTellsTheStacks", "selfsame_test.releases")
	l := must(selfsame.NewList([]int{1}))(t)
	releases(l)
	wantStory(t, func() { l.Append(2) }, "TestD8DebugUseAfterReleaseTellsTheStacks", "selfsame_test.releases")
}

func TestD8DebugLiveHandlesTellWhereTheyWereMade(t *testing.T) {
	balanced(t)
	h := makesCounted()
	live := liveOf("test.Counted")
	if len(live) != 1 || !strings.Contains(live[0].Made, "selfsame_test.makesCounted") {
		t.Errorf("live: %v", live)
	}
	h.Release()
	if live := liveOf("test.Counted"); len(live) != 0 {
		t.Errorf("after Release: %v", live)
	}
}

// A pointer that was borrowed from a handle reads a pattern when the object is gone. The memory is kept by a weak
// reference here, since nobody may read what was freed.
func TestD8DebugFieldsOfDeadObjectsHoldAPattern(t *testing.T) {
	h := typedPointClass.New(func(p *typedPoint) { p.X = 1 })
	p := h.Get()
	header := (*abi.Object)(unsafe.Pointer(p))
	atomic.AddUint64(&header.Counts, abi.WeakOne)
	h.Release()
	if bits := math.Float64bits(p.X); bits != 0xDBDBDBDBDBDBDBDB {
		t.Errorf("X of a dead object is %#x", bits)
	}
	atomic.StoreUint64(&header.Counts, abi.CountsNew) // it owns nothing, so it can end twice, the second time with its memory
	bridge.DecRef(unsafe.Pointer(p))
}
