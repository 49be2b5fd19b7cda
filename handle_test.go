package selfsame_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Requirement: D2
func TestOneHandlePerObject(t *testing.T) {
	balanced(t)
	p := PointClass.New(nil)
	q := PointClass.New(func(q *Point) { q.Next.Set(p) })
	if q.Get().Next.Get() != p || selfsame.HandleOf(p.Get()) != p {
		t.Error("two handles of one object")
	}
	seen := map[*PointHandle]int{p: 1, q: 2}
	if seen[q.Get().Next.Get()] != 1 {
		t.Error("a handle is no map key")
	}
	if n := p.UseCount(); n != 2 {
		t.Errorf("use count = %d", n)
	}
	runtime.KeepAlive(q)
}

// Requirement: D3
func TestReleaseDropsTheReference(t *testing.T) {
	balanced(t)
	p := PointClass.New(func(p *Point) { p.X = 1 })
	q := PointClass.New(func(q *Point) { q.Next.Set(p) })
	p.Release()
	p.Release()
	if !p.Released() {
		t.Error("not released")
	}
	const message = "Handle[selfsame_test.Point]: used after Release"
	wantPanic(t, "RuntimeError", message, func() { p.Get() })
	wantPanic(t, "RuntimeError", message, func() { p.TypeKey() })
	wantPanic(t, "RuntimeError", message, func() { q.Get().Next.Set(p) })
	wantPanic(t, "RuntimeError", message, func() { selfsame.As[Point](p) })
	f := must(selfsame.NewFunc(func(any) {}))(t)
	wantPanic(t, "RuntimeError", message, func() { _, _ = f.Call(p) })
	again := q.Get().Next.Get()
	if again == p || again.Get().X != 1 || again.UseCount() != 2 {
		t.Errorf("fetched again: %v", again)
	}
	var none *PointHandle
	none.Release()
	wantPanic(t, "ValueError", "nil handle", func() { none.Get() })
	if p.String() != "Handle[Point](released)" {
		t.Errorf("String = %s", p)
	}
	wantPanic(t, "ValueError", "expected an object made by its class", func() { selfsame.HandleOf(&Point{}) })
}

// Requirement: D3
func TestCollectedHandlesDropTheirReferences(t *testing.T) {
	balanced(t)
	p := PointClass.New(nil)
	q := PointClass.New(func(q *Point) { q.Next.Set(p) })
	inner := q.Get().Next.Ptr()
	if n := selfsame.HandleOf(inner).UseCount(); n != 2 {
		t.Errorf("use count = %d", n)
	}
	runtime.KeepAlive(p)
	p = nil
	selfsame.Collect()
	h := selfsame.HandleOf(inner)
	if n := h.UseCount(); n != 2 { // the field and the new handle
		t.Errorf("use count after collection = %d", n)
	}
	runtime.KeepAlive(h)
	runtime.KeepAlive(q)
}

// Requirement: D3
func TestAWholeTreeDies(t *testing.T) {
	balanced(t)
	head := PointClass.New(nil)
	for range 200_000 { // deeper than a recursive deleter's stack
		next := PointClass.New(func(p *Point) { p.Next.Set(head) })
		head.Release()
		head = next
	}
	if live, ok := PointClass.LiveObjects(); ok && live < 200_000 {
		t.Errorf("live points = %d", live)
	}
	head.Release()
}

// Goroutines fetch the same objects, drop and release their handles while the collector runs.
//
// Requirement: D2
func TestOneHandlePerObjectUnderStress(t *testing.T) {
	balanced(t)
	const objects, goroutines, rounds = 16, 8, 300
	roots := make([]*PointHandle, objects)
	for i := range roots {
		child := PointClass.New(func(p *Point) { p.X = float64(i) })
		roots[i] = PointClass.New(func(p *Point) { p.Next.Set(child) })
	}
	stop := collectAllTheTime()
	var wg sync.WaitGroup
	for g := range goroutines {
		spawn(&wg, func() {
			for r := range rounds {
				i := (g*7 + r) % objects
				a := roots[i].Get().Next.Get()
				b := roots[i].Get().Next.Get()
				if a != b {
					t.Error("two handles of one object at a time")
					return
				}
				if a.Get().X != float64(i) {
					t.Error("the handle of another object")
					return
				}
				if n := a.UseCount(); n < 2 {
					t.Errorf("use count = %d", n)
					return
				}
				runtime.KeepAlive(a)
				if r%16 == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	wg.Wait()
	stop()
	selfsame.Collect()
	for i, root := range roots {
		child := root.Get().Next.Get()
		if child.UseCount() != 2 || child.Get().X != float64(i) {
			t.Errorf("child %d: use count %d", i, child.UseCount())
		}
	}
}

// One goroutine releases, others fetch: each sees a handle that works or one that was released, never another object.
//
// Requirement: D8
func TestReleaseRacesWithFetch(t *testing.T) {
	balanced(t)
	child := PointClass.New(func(p *Point) { p.X = 5 })
	root := PointClass.New(func(p *Point) { p.Next.Set(child) })
	child.Release()
	var wg sync.WaitGroup
	for range 8 {
		spawn(&wg, func() {
			for range 2000 {
				h := root.Get().Next.Get()
				func() {
					defer func() {
						if r := recover(); r != nil && !h.Released() {
							t.Errorf("panic on a live handle: %v", r)
						}
					}()
					h.Release()
				}()
			}
		})
	}
	wg.Wait()
	if h := root.Get().Next.Get(); h.UseCount() != 2 || h.Get().X != 5 {
		t.Errorf("afterwards: use count %d", h.UseCount())
	}
}

// Requirement: D3
func TestNilHandlesAnswer(t *testing.T) {
	var none *PointHandle
	if h, ok := selfsame.As[Point](none); ok || h != nil {
		t.Errorf("As of a nil handle gave %v", h)
	}
	wantPanic(t, "TypeError", "Cannot convert from type `None` to `geo.Point`", func() { selfsame.Cast[Point](none) })
	p := PointClass.New(nil)
	if !selfsame.Same(none, nil) || !selfsame.Same(none, none) || selfsame.Same(none, p) || selfsame.Same(p, nil) {
		t.Error("nil handles are the same as each other and as nothing else")
	}
	// Release of nil or of a released handle does nothing.
	none.Release()
	(*selfsame.Function)(nil).Release()
	(*selfsame.Module)(nil).Release()
	(*selfsame.Array[int])(nil).Release()
	(*selfsame.List[int])(nil).Release()
	(*selfsame.Map[int, int])(nil).Release()
	(*selfsame.Dict[int, int])(nil).Release()
	(*selfsame.Tensor)(nil).Release()
	(*selfsame.Shape)(nil).Release()
}
