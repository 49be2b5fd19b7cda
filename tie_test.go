package selfsame_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// Two Go libraries in one process share the tie records, but a record has the Go handle id of one of them: the other must
// find its handles in another way.
//
// Requirement: D2
func TestHandlesBesideAnotherGoLibrary(t *testing.T) {
	balanced(t)
	table, failed := bridge.JoinTieTable()
	if table == nil {
		t.Fatalf("no tie table: %v", failed)
	}
	const other = 0xFFFF // the number of a library that this process does not have
	q := PointClass.New(func(q *Point) {
		p := PointClass.New(func(p *Point) { p.X = 8 })
		q.Next.Set(p)
		p.Release()
	})
	object := unsafe.Pointer(q.Get().Next.Ptr())
	record := table.Find(object)
	if record == nil {
		t.Fatal("a wrapped object has no record")
	}
	const word = uint64(other)<<48 | 1
	if !atomic.CompareAndSwapUint64(&record.Go, 0, word) {
		t.Fatalf("Release left the go word %#x", record.Go)
	}
	a, b := q.Get().Next.Get(), q.Get().Next.Get()
	if a != b || a.Get().X != 8 || a.UseCount() != 2 {
		t.Errorf("handles %v and %v, use count %d", a, b, a.UseCount())
	}
	a.Release()
	c := q.Get().Next.Get()
	if c == a || c.UseCount() != 2 {
		t.Errorf("after Release: %v, use count %d", c, c.UseCount())
	}
	a, b, c = nil, nil, nil
	selfsame.Collect()
	if d := q.Get().Next.Get(); d.UseCount() != 2 {
		t.Errorf("after collection: use count %d", d.UseCount())
	}
	if got := atomic.LoadUint64(&record.Go); got != word {
		t.Errorf("the other library's word became %#x", got)
	}
	atomic.StoreUint64(&record.Go, 0)
}

// A number in the padding that names no record, or another object's, means that the object has none.
func TestForeignPaddingIsNoRecord(t *testing.T) {
	balanced(t)
	table, _ := bridge.JoinTieTable()
	p := PointClass.New(nil)
	q := PointClass.New(nil)
	padding := (*uint32)(unsafe.Add(unsafe.Pointer(p.Get()), 12))
	own := *padding
	for _, foreign := range []uint32{*(*uint32)(unsafe.Add(unsafe.Pointer(q.Get()), 12)), 0xFFFFFFFF, 0x7FFFFFFF} {
		*padding = foreign
		if table.Find(unsafe.Pointer(p.Get())) != nil {
			t.Errorf("padding %#x gives a record", foreign)
		}
	}
	*padding = own
	if table.Find(unsafe.Pointer(p.Get())) == nil {
		t.Error("the object lost its record")
	}
	if !selfsame.Same(p, selfsame.HandleOf(p.Get())) {
		t.Error("the object lost its handle")
	}
	runtime.KeepAlive(p)
	_ = q.Get()
}
