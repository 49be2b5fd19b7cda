//go:build debug

package handles

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// trace remembers where a handle was made. It is written once, before anybody else knows the core.
type trace struct {
	made []uintptr
}

// stories has, by the address of its core, what happened to each released handle that somebody may still use.
var stories sync.Map // uintptr -> *story

type story struct {
	made, released []uintptr
}

func (c *State) traceMade() { c.trace.made = callers() }

func (c *State) traceReleased() {
	s := &story{made: c.trace.made, released: callers()}
	key := uintptr(unsafe.Pointer(c))
	stories.Store(key, s)
	runtime.AddCleanup(c, func(s *story) { stories.CompareAndDelete(key, s) }, s)
}

// madeAt is the stack of where the core was made.
func (c *State) madeAt() []uintptr { return c.trace.made }

// StoryOf is where a released handle was made and released; false for any other address.
func StoryOf(handle unsafe.Pointer) (made, released []uintptr, ok bool) {
	known, ok := stories.Load(uintptr(handle))
	if !ok {
		return nil, nil, false
	}
	s := known.(*story)
	return s.made, s.released, true
}

// TraceNative remembers where a native object was made, which the caller has just done.
func TraceNative(object unsafe.Pointer) {
	if object != nil {
		bridge.Trace(object, callers())
	}
}

// TracedNatives lists the objects of TraceNative that are alive.
func TracedNatives() []TracedNative {
	var live []TracedNative
	for _, n := range bridge.Traced() {
		if uses := n.Counts & abi.StrongMask; uses != 0 { // otherwise it is just dying
			live = append(live, TracedNative{Address: n.Address, TypeIndex: n.TypeIndex, UseCount: int(uses), Made: n.Stack})
		}
	}
	return live
}

func callers() []uintptr {
	pcs := make([]uintptr, 32)
	return pcs[:runtime.Callers(3, pcs)]
}
