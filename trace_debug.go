//go:build debug

package selfsame

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

func (c *core) traceMade() { c.trace.made = callers() }

func (c *core) traceReleased() {
	s := &story{made: c.trace.made, released: callers()}
	key := uintptr(unsafe.Pointer(c))
	stories.Store(key, s)
	runtime.AddCleanup(c, func(s *story) { stories.CompareAndDelete(key, s) }, s)
}

// madeAt is the stack of where the core was made.
func (c *core) madeAt() string { return stackText(c.trace.made) }

// storyOf is where a released handle was made and released, as the end of a message; empty for any other address.
func storyOf(handle unsafe.Pointer) string {
	known, ok := stories.Load(uintptr(handle))
	if !ok {
		return ""
	}
	s := known.(*story)
	return "\nIt was released at:\n" + stackText(s.released) + "It was made at:\n" + stackText(s.made)
}

// traceNative remembers where a native object was made, which the caller has just done.
func traceNative(object unsafe.Pointer) {
	if object != nil {
		bridge.Trace(object, callers())
	}
}

// liveNatives lists the objects of traceNative that are alive.
func liveNatives() []LiveNative {
	var live []LiveNative
	for _, n := range bridge.Traced() {
		if n.Counts&abi.StrongMask == 0 { // it is just dying
			continue
		}
		live = append(live, LiveNative{
			TypeKey:  typeInfo(n.TypeIndex).Key.String(),
			Address:  n.Address,
			UseCount: int(n.Counts & abi.StrongMask),
			Made:     stackText(n.Stack),
		})
	}
	return live
}

func callers() []uintptr {
	pcs := make([]uintptr, 32)
	return pcs[:runtime.Callers(3, pcs)]
}
