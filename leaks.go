package selfsame

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// LiveObjects returns the number of live objects of exactly this class that the runtime's own allocator made; ok is false
// when the runtime does not count them.
func (c *Class[T]) LiveObjects() (n int64, ok bool) { return liveObjects(c.class.Native.Index()) }

// LiveObjects returns the number of live objects of exactly one class, such as "geo.Point" or "ffi.Array", that the
// runtime's own allocator made. ok is false when the runtime does not count them, or when there is no such class. The number
// includes objects whose handle is unreachable but not collected yet: see [Collect].
func LiveObjects(key string) (n int64, ok bool) {
	if link.Bound() != nil {
		return 0, false
	}
	index := bridge.TypeIndex(key)
	if index < 0 {
		return 0, false
	}
	return liveObjects(index)
}

func liveObjects(index int32) (int64, bool) {
	function := link.LiveObjects()
	if function == nil || index < abi.IndexStaticObjectBegin {
		return 0, false
	}
	return bridge.LiveObjects(function, index), true
}

// Collect runs the garbage collectors of all languages in the process (this library's, those of other Go libraries,
// Python's) until they find nothing more. Then the handles that were unreachable at the call have released their
// references, and the objects that only those kept alive are deleted, also where garbage hangs across several
// languages. It is for tests, for programs that measure memory, and for the end of main. While other goroutines make
// and drop handles, it may take some seconds. It waits for Python's GIL: a goroutine must not call it while Python code
// that holds the GIL waits for that goroutine.
func Collect() { handles.Collect() }

// LiveHandle describes a handle that has neither been released nor collected.
type LiveHandle struct {
	TypeKey  string  // the key of the object's own class
	Address  uintptr // of the object
	UseCount int     // strong references to the object, the handle's own included
	Made     string  // with the build tag debug: the stack that made the handle, as in [Error.Backtrace]
}

// String returns a line of a report, followed by the stack if there is one.
func (l LiveHandle) String() string {
	text := fmt.Sprintf("%s(%#x), use count %d", l.TypeKey, l.Address, l.UseCount)
	if l.Made != "" {
		text += ", made at:\n" + strings.TrimSuffix(l.Made, "\n")
	}
	return text
}

// LiveHandles lists the handles of all kinds that own a reference now, sorted by class and address. It includes handles that
// are unreachable but not collected yet: call [Collect] first to list only those that the program still refers to. It is for
// tests and for finding leaks; built with -tags debug, it says where each handle was made. It may be called from any
// goroutine, also while others make and release handles.
func LiveHandles() []LiveHandle {
	var live []LiveHandle
	handles.All(func(object unsafe.Pointer, made []uintptr) {
		live = append(live, LiveHandle{
			TypeKey:  typetable.TypeInfo(abi.TypeIndexOf(object)).Key.String(),
			Address:  uintptr(object),
			UseCount: int(abi.StrongCount(object)),
			Made:     fault.StackText(made),
		})
	})
	slices.SortFunc(live, func(a, b LiveHandle) int {
		return cmp.Or(cmp.Compare(a.TypeKey, b.TypeKey), cmp.Compare(a.Address, b.Address))
	})
	return live
}

// LiveNative describes a live native object that Go code made. Any language may own it.
type LiveNative struct {
	TypeKey  string  // the key of the object's own class
	Address  uintptr // of the object
	UseCount int     // strong references to the object
	Handle   bool    // whether a handle in Go owns one of them
	Made     string  // the stack that made it, as in [Error.Backtrace]; empty when another language called a constructor
}

// String returns a line of a report, followed by the stack if there is one.
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

// LiveNatives lists the live objects, containers, tensors and functions that Go code made, sorted by class and address:
// those that a handle, a field or a container owns, and those that only another language owns. Objects that are listed after
// the program dropped all its references are leaked, and Made says which code made them. Call [Collect] first, as for
// [LiveHandles].
//
// It lists nothing unless the program is built with -tags debug. It may be called from any goroutine; objects that are
// deleted during the call may be listed.
func LiveNatives() []LiveNative {
	var live []LiveNative
	for _, n := range handles.TracedNatives() {
		live = append(live, LiveNative{
			TypeKey:  typetable.TypeInfo(n.TypeIndex).Key.String(),
			Address:  n.Address,
			UseCount: n.UseCount,
			Made:     fault.StackText(n.Made),
		})
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
