package selfsame

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/selfsame-ffi/selfsame/abi"
)

// LiveHandle describes a handle that has neither been released nor collected.
type LiveHandle struct {
	TypeKey  string  // the key of the object's own class
	Address  uintptr // of the object
	UseCount int     // strong references to the object, the handle's own included
	Made     string  // with the build tag debug: the stack of where the handle was made, as in [Error.Backtrace]
}

// String is a line of a report, followed by the stack if there is one.
func (l LiveHandle) String() string {
	text := fmt.Sprintf("%s(%#x), use count %d", l.TypeKey, l.Address, l.UseCount)
	if l.Made != "" {
		text += ", made at:\n" + strings.TrimSuffix(l.Made, "\n")
	}
	return text
}

// LiveHandles lists the handles of all kinds that own a reference now, by class and then by address. Those that nothing
// refers to any more are among them until the garbage collector has found them: call [Collect] first to see only what
// the program still holds. It is for tests and for finding leaks; built with -tags debug, it says where each handle was
// made. It may be called from any goroutine, also while others make and release handles.
func LiveHandles() []LiveHandle {
	var live []LiveHandle
	handles.all(func(s *slot) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.object == 0 {
			return
		}
		c := s.currentLocked()
		if c == nil || atomic.LoadUintptr(&c.object) == 0 {
			return
		}
		// Whoever releases it now waits for the slot before it drops the reference.
		object := pointer(s.object)
		live = append(live, LiveHandle{
			TypeKey:  typeInfo(abi.TypeIndexOf(object)).Key.String(),
			Address:  s.object,
			UseCount: int(abi.StrongCount(object)),
			Made:     c.madeAt(),
		})
	})
	slices.SortFunc(live, func(a, b LiveHandle) int {
		return cmp.Or(cmp.Compare(a.TypeKey, b.TypeKey), cmp.Compare(a.Address, b.Address))
	})
	return live
}
