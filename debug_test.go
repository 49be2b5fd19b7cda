//go:build debug

package selfsame_test

import (
	"math"
	"slices"
	"strings"
	"sync"
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

// wantStory runs f and checks that its panic message has the stacks that made and released the handle.
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

// Requirement: D8
func TestDebugUseAfterReleaseTellsTheStacks(t *testing.T) {
	balanced(t)
	h := makesCounted()
	releases(h)
	wantStory(t, func() { h.Get() }, "selfsame_test.makesCounted", "selfsame_test.releases")
	f := must(selfsame.NewFunc(func() {}))(t)
	releases(f)
	wantStory(t, func() { _, _ = f.Call() }, "TestDebugUseAfterReleaseTellsTheStacks", "selfsame_test.releases")
	l := must(selfsame.NewList([]int{1}))(t)
	releases(l)
	wantStory(t, func() { l.Append(2) }, "TestDebugUseAfterReleaseTellsTheStacks", "selfsame_test.releases")
}

// Requirement: D8
func TestDebugLiveHandlesTellWhereTheyWereMade(t *testing.T) {
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

// nativeAt returns the record of the live native object at an address.
func nativeAt(address uintptr) (selfsame.LiveNative, bool) {
	natives := selfsame.LiveNatives()
	i := slices.IndexFunc(natives, func(n selfsame.LiveNative) bool { return n.Address == address })
	if i < 0 {
		return selfsame.LiveNative{}, false
	}
	return natives[i], true
}

//go:noinline
func makesTheLeak() *selfsame.Handle[counted] { return countedClass.New(nil) }

// A reference that C code took and never released keeps an object alive that has no handle in Go.
//
// Requirement: D8
func TestDebugLeakedNativesTellWhereTheyWereMade(t *testing.T) {
	balanced(t)
	h := makesTheLeak()
	object := unsafe.Pointer(h.Get())
	address := uintptr(object)
	abi.IncRef(object)
	if n, ok := nativeAt(address); !ok || !n.Handle || n.UseCount != 2 {
		t.Errorf("with a handle: %v, %v", n, ok)
	}
	h.Release()
	n, ok := nativeAt(address)
	if !ok || n.Handle || n.UseCount != 1 || n.TypeKey != "test.Counted" || !strings.Contains(n.Made, "selfsame_test.makesTheLeak") {
		t.Errorf("leaked: %v, %v", n, ok)
	}
	if text := n.String(); !strings.Contains(text, "test.Counted(0x") || !strings.Contains(text, "no handle in Go, made at:\n") {
		t.Errorf("the report: %s", text)
	}
	bridge.DecRef(object)
	if n, ok := nativeAt(address); ok {
		t.Errorf("after its end: %v", n)
	}
}

// Every kind of native object that Go makes is listed, with the test in its stack, until it dies.
//
// Requirement: D8
func TestDebugNativesOfEverySortAreListed(t *testing.T) {
	balanced(t)
	x := must(selfsame.NewTensor([]float32{1, 2}))(t)
	made := map[string]interface{ Release() }{
		"ffi.Array": must(selfsame.NewArray([]string{"a"}))(t), "ffi.List": must(selfsame.NewList([]int{1}))(t),
		"ffi.Map":  must(selfsame.NewMap(map[string]int{"a": 1}))(t),
		"ffi.Dict": must(selfsame.NewDict(map[string]int{"a": 1}))(t), "ffi.Shape": must(selfsame.NewShape(1, 2))(t),
		"ffi.Function": must(selfsame.NewFunc(func() {}))(t), "ffi.Tensor": x, "geo.Point": PointClass.New(nil),
	}
	mine := func() map[string]int {
		n := map[string]int{}
		for _, l := range selfsame.LiveNatives() {
			if strings.Contains(l.Made, t.Name()) {
				n[l.TypeKey]++
			}
		}
		return n
	}
	listed := mine()
	for key, h := range made {
		if listed[key] != 1 {
			t.Errorf("%d natives of %s are listed", listed[key], key)
		}
		h.Release()
	}
	if left := mine(); len(left) != 0 {
		t.Errorf("after Release: %v", left)
	}
}

// An object that nothing but another object's field holds is listed without a handle, and dies with its owner. A chain that
// is deeper than any stack dies as well.
//
// Requirement: D8
func TestDebugNativesThatOthersOwnAreListed(t *testing.T) {
	balanced(t)
	root := PointClass.New(nil)
	const depth = 100_000
	for range depth {
		next := PointClass.New(nil)
		next.Get().Next.Set(root)
		root.Release()
		root = next
	}
	n, ok := nativeAt(uintptr(unsafe.Pointer(root.Get().Next.Ptr())))
	if !ok || n.Handle || n.UseCount != 1 {
		t.Errorf("in a field: %v, %v", n, ok)
	}
	root.Release()
}

// Many goroutines make, list and drop native objects at a time.
//
// Requirement: D8
func TestDebugNativesFromManyGoroutinesAreListed(t *testing.T) {
	balanced(t)
	var wg sync.WaitGroup
	for range 8 {
		spawn(&wg, func() {
			for range 40 {
				h := makesTheLeak()
				address := uintptr(unsafe.Pointer(h.Get()))
				if n, ok := nativeAt(address); !ok || n.TypeKey != "test.Counted" {
					t.Errorf("a new object: %v, %v", n, ok)
				}
				h.Release()
			}
		})
	}
	wg.Wait()
}

// A pointer that was borrowed from a handle reads a pattern when the object is gone. The memory is kept by a weak
// reference here, since nobody may read what was freed.
//
// Requirement: D8
func TestDebugFieldsOfDeadObjectsHoldAPattern(t *testing.T) {
	h := adaptedPointClass.New(func(p *adaptedPoint) { p.X = 1 })
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
