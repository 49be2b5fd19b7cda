package selfsame

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// LiveNative describes a native object that Go code made and that is alive, whoever holds it.
type LiveNative struct {
	TypeKey  string  // the key of the object's own class
	Address  uintptr // of the object
	UseCount int     // strong references to the object
	Handle   bool    // whether a handle in Go owns one of them
	Made     string  // the stack of where it was made, as in [Error.Backtrace]; empty when another language called a constructor
}

// String is a line of a report, followed by the stack if there is one.
func (l LiveNative) String() string {
	holder := "no handle in Go"
	if l.Handle {
		holder = "a handle in Go"
	}
	text := fmt.Sprintf("%s(%#x), use count %d, %s", l.TypeKey, l.Address, l.UseCount, holder)
	if l.Made != "" {
		text += ", made at:\n" + strings.TrimSuffix(l.Made, "\n")
	}
	return text
}

// LiveNatives lists the objects, containers, tensors and functions that Go code made and that are alive now, by class and
// then by address: those that a handle owns, those that are in a field or a container, and those that nothing but
// another language holds. What is listed though the program has let go of everything is leaked, and Made says where it
// comes from. Call [Collect] first, as for [LiveHandles].
//
// It lists nothing unless the program is built with -tags debug. It may be called from any goroutine; what dies meanwhile
// may be listed.
func LiveNatives() []LiveNative {
	live := liveNatives()
	if live == nil {
		return nil
	}
	owned := map[uintptr]bool{}
	for _, h := range LiveHandles() {
		owned[h.Address] = true
	}
	for i := range live {
		live[i].Handle = owned[live[i].Address]
	}
	slices.SortFunc(live, func(a, b LiveNative) int {
		return cmp.Or(cmp.Compare(a.TypeKey, b.TypeKey), cmp.Compare(a.Address, b.Address))
	})
	return live
}
