package selfsame

import (
	"sync/atomic"
	"time"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// LiveObjects is the number of live objects of exactly this class that the runtime's own allocator made; ok is false
// when the runtime does not count them.
func (c *Class[T]) LiveObjects() (n int64, ok bool) { return liveObjects(c.class.native.Index()) }

// LiveObjects is the number of live objects of exactly one class, such as "geo.Point" or "ffi.Array", that the runtime's
// own allocator made. ok is false when the runtime does not count them, or when there is no such class.
// What only waits for the garbage collector counts: see [Collect].
func LiveObjects(key string) (n int64, ok bool) {
	if runtimeBound() != nil {
		return 0, false
	}
	index := bridge.TypeIndex(key)
	if index < 0 {
		return 0, false
	}
	return liveObjects(index)
}

func liveObjects(index int32) (int64, bool) {
	function := liveObjectsFunction()
	if function == nil || index < abi.IndexStaticObjectBegin {
		return 0, false
	}
	return bridge.LiveObjects(function, index), true
}

// oldCores counts the old cores that own a reference: reachable, or waiting for the collector.
var oldCores atomic.Int64

// collections counts the cores that the collector has ended.
var collections atomic.Int64

// Collect runs the garbage collector until handles that were unreachable when it was called have given their references
// back, and what only those kept alive is gone as well. It is for tests and for programs that measure memory; other
// goroutines that make and drop handles meanwhile can make it take up to some seconds.
func Collect() {
	defer letRestingGo()
	for range 8 {
		before := collections.Load()
		youngCores.grow()
		collectLoops()
		// Cleanups run after a collection, in any order and on several goroutines.
		for wait := time.Duration(0); oldCores.Load() > handles.reachable() && wait < time.Second; wait += time.Millisecond {
			time.Sleep(time.Millisecond)
		}
		if swept := kept.sweep(); !swept && collections.Load() == before {
			return
		}
	}
}

// reachable counts the old cores that Go code can still use.
func (t *handleTable) reachable() int64 {
	n := int64(0)
	t.all(func(s *slot) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.object == 0 || s.young.Load() != nil {
			return
		}
		if c := s.weak.Value(); c != nil && atomic.LoadUintptr(&c.object) != 0 {
			n++
		}
	})
	return n
}
