//go:build debug

package handles

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// trace has the stack of where a State was made. It is written once, before any other goroutine knows the State.
type trace struct {
	made []uintptr
}

// stories has the stacks of released States that Go code may still use, by the address of the State.
var stories sync.Map // uintptr -> *story

type story struct {
	made, released []uintptr
}

func (s *State) traceMade() { s.trace.made = callers() }

func (s *State) traceReleased() {
	told := &story{made: s.trace.made, released: callers()}
	key := uintptr(unsafe.Pointer(s))
	stories.Store(key, told)
	runtime.AddCleanup(s, func(told *story) { stories.CompareAndDelete(key, told) }, told)
}

func (s *State) madeAt() []uintptr { return s.trace.made }

// StoryOf gives the stacks of where a released handle was made and released; false for any other address.
func StoryOf(handle unsafe.Pointer) (made, released []uintptr, ok bool) {
	known, ok := stories.Load(uintptr(handle))
	if !ok {
		return nil, nil, false
	}
	told := known.(*story)
	return told.made, told.released, true
}

// TraceNative remembers the caller's stack as the place where a native object was made, until the object dies. nil is
// allowed.
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
