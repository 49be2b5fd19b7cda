package registry

import (
	"slices"
	"sync"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Why generated code registers leniently. A package of a thousand funcs must not fail to load because of one that the
// frontend refuses, and the generator cannot ask the frontend, whose answer depends on types at run time. So the
// generator checks types first, then the frontend notes what it leaves out, and the tool prints both with their
// reasons. Hand-written registrations stay strict: there the error has a reader.

// refused has what lenient registrations left out.
var refused struct {
	mu  sync.Mutex
	all [][2]string // guarded by mu
}

// Refused returns the registered names of what lenient registrations left out, each with the reason.
func Refused() [][2]string {
	refused.mu.Lock()
	defer refused.mu.Unlock()
	return slices.Clone(refused.all)
}

func refuse(name string, err error) {
	refused.mu.Lock()
	defer refused.mu.Unlock()
	refused.all = append(refused.all, [2]string{name, fault.Reason(err)})
}
