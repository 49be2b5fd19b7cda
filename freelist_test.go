package selfsame_test

import (
	"sync"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/testenv/native"
)

// Tests of objects whose memory the free list (internal/handles/freelist.go) uses again. They hold without the free list,
// too.

type rested struct {
	selfsame.Object
	N     int64           `ffi:"default=7"`
	Text  selfsame.String `ffi:"default='a text of some length'"`
	Any   selfsame.Any
	Next  selfsame.Opt[rested]
	Items selfsame.Array[string]
}

var restedClass = selfsame.MustRegister[rested]("test.Rested")

// restedBalanced checks the balance as balanced does, for the class, and returns a func that counts the class's live
// objects.
func restedBalanced(t *testing.T) (live func() int64) {
	balanced(t)
	count := func() int64 {
		n, _ := restedClass.LiveObjects()
		return n
	}
	selfsame.Collect()
	before := count()
	t.Cleanup(func() {
		selfsame.Collect()
		if n := count(); n != before {
			t.Errorf("%d live objects before the test, %d after", before, n)
		}
	})
	return func() int64 { return count() - before }
}

func countsLive() bool {
	_, ok := restedClass.LiveObjects()
	return ok
}

func TestObjectsMadeOfReleasedOnes(t *testing.T) {
	live := restedBalanced(t)
	child := restedClass.New(nil)
	text := "another text, which is not short either"
	var old *selfsame.Handle[rested]
	for round := range 50 {
		h := restedClass.New(nil)
		if h == old {
			t.Fatal("a released handle came back")
		}
		r := h.Get()
		if r.N != 7 || r.Text.Get() != "a text of some length" || r.Any.Get() != nil || r.Next.Ptr() != nil || r.Items.Len() != 0 {
			t.Fatalf("round %d: a new object has %d, %q, %v, %v, %d items", round, r.N, r.Text.Get(), r.Any.Get(), r.Next.Ptr(), r.Items.Len())
		}
		if h.UseCount() != 1 || !selfsame.Same(h, selfsame.HandleOf(r)) {
			t.Fatalf("round %d: use count %d", round, h.UseCount())
		}
		if n := live(); countsLive() && n != 2 {
			t.Fatalf("round %d: %d live objects, not 2", round, n)
		}
		r.N = 8
		r.Text.Set(text)
		r.Any.Set(child)
		r.Next.Set(child)
		r.Items.Set("an element of some length")
		if child.UseCount() != 3 {
			t.Fatalf("round %d: the child's use count is %d", round, child.UseCount())
		}
		h.Release()
		h.Release()
		if !h.Released() || child.UseCount() != 1 {
			t.Fatalf("round %d: after Release, the child's use count is %d", round, child.UseCount())
		}
		if n := live(); countsLive() && n != 1 {
			t.Fatalf("round %d: %d live objects after Release, not 1", round, n)
		}
		old = h
	}
	wantPanic(t, "RuntimeError", "after Release", func() { old.Get() })
	child.Release()
}

// More objects than the free list takes, released in another order than they were made in.
func TestManyObjectsReleasedTogether(t *testing.T) {
	live := restedBalanced(t)
	const many = 3000
	var first []*selfsame.Handle[rested]
	for range 2 {
		first = first[:0]
		for i := range many {
			first = append(first, restedClass.New(func(r *rested) { r.N = int64(i) }))
		}
		if n := live(); countsLive() && n != many {
			t.Fatalf("%d live objects, not %d", n, many)
		}
		for i := range many {
			h := first[i*7919%many]
			if h.Get().N != int64(i*7919%many) {
				t.Fatalf("object %d has %d", i*7919%many, h.Get().N)
			}
			h.Release()
		}
		if n := live(); countsLive() && n != 0 {
			t.Fatalf("%d live objects after all were released", n)
		}
	}
}

// An object that has another owner, strong or weak, or that has a wrapper, is not recycled.
func TestWhatOthersHoldIsNotMadeAnew(t *testing.T) {
	restedBalanced(t)
	restedClass.New(nil).Release()

	h := restedClass.New(func(r *rested) { r.N = 1 })
	object := unsafe.Pointer(h.Get())
	abi.IncRef(object)
	h.Release()
	other := restedClass.New(nil)
	if unsafe.Pointer(other.Get()) == object || (*rested)(object).N != 1 {
		t.Error("an object with another owner was recycled")
	}
	other.Release()
	bridge.DecRef(object)

	h = restedClass.New(nil)
	object = unsafe.Pointer(h.Get())
	counts := &(*abi.Object)(object).Counts
	*counts += abi.WeakOne
	h.Release()
	other = restedClass.New(nil)
	if unsafe.Pointer(other.Get()) == object || abi.StrongCount(object) != 0 || abi.WeakCount(object) != 1 {
		t.Errorf("an object with a weak reference has %d strong and %d weak ones after its end", abi.StrongCount(object), abi.WeakCount(object))
	}
	other.Release()
	native.DropWeak(object)
}

// An allocator that a program sets sees every object that is made afterwards.
//
// Requirement: B2
func TestAllocatorSeesEveryObjectWhileItIsSet(t *testing.T) {
	restedBalanced(t)
	restedClass.New(nil).Release()
	made, restore := native.CountAllocations()
	defer restore()
	before := made()
	for range 10 {
		restedClass.New(nil).Release()
	}
	if n := made() - before; n != 10 {
		t.Errorf("the allocator was asked for %d of 10 objects", n)
	}
}

// Goroutines take objects from each other's releases, while others read and walk, and the collector runs.
func TestObjectsMadeAnewByManyGoroutines(t *testing.T) {
	live := restedBalanced(t)
	stop := collectAllTheTime()
	shared := restedClass.New(nil)
	var wg, walker sync.WaitGroup
	done := make(chan struct{})
	spawn(&walker, func() {
		for {
			select {
			case <-done:
				return
			default:
				selfsame.LiveHandles()
				live()
			}
		}
	})
	for g := range 8 {
		spawn(&wg, func() {
			var kept [4]*selfsame.Handle[rested]
			for i := range 2000 {
				h := restedClass.New(func(r *rested) { r.N = int64(g)<<32 | int64(i) })
				if h.UseCount() != 1 || h.Get().N != int64(g)<<32|int64(i) {
					t.Errorf("a new object has %d owners and %#x", h.UseCount(), h.Get().N)
				}
				switch i % 4 {
				case 0, 1:
					h.Release()
				case 2: // two goroutines release, and one of them does it
					var both sync.WaitGroup
					spawn(&both, h.Release)
					h.Release()
					both.Wait()
				default: // released in another order, or left to the collector
					if last := kept[i/4%4]; last != nil && i%8 == 3 {
						last.Release()
					}
					h.Get().Next.Set(shared)
					kept[i/4%4] = h
				}
			}
		})
	}
	wg.Wait()
	close(done)
	walker.Wait()
	stop()
	selfsame.Collect()
	if shared.UseCount() != 1 {
		t.Errorf("the shared object's use count is %d", shared.UseCount())
	}
	shared.Release()
}
