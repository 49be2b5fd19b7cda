package selfsame

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// LiveObjects is the number of live objects of exactly this class that the runtime's own allocator made; ok is false
// when the runtime does not count them.
func (c *Class[T]) LiveObjects() (n int64, ok bool) { return liveObjects(c.class.native.Index()) }

// LiveObjects is the number of live objects of exactly one class, such as "geo.Point" or "ffi.Array", that the runtime's
// own allocator made. ok is false when the runtime does not count them, or when there is no such class.
// Objects that only wait for the garbage collector count: see [Collect].
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

// Collect runs the garbage collector until handles that were unreachable when it was called have given their references
// back, and objects that only those kept alive are gone as well. It is for tests and for programs that measure memory; while
// other goroutines make and drop handles, it may take some seconds.
func Collect() { handles.Collect(collectLoops) }

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
	handles.All(func(object unsafe.Pointer, made []uintptr) {
		live = append(live, LiveHandle{
			TypeKey:  typeInfo(abi.TypeIndexOf(object)).Key.String(),
			Address:  uintptr(object),
			UseCount: int(abi.StrongCount(object)),
			Made:     stackText(made),
		})
	})
	slices.SortFunc(live, func(a, b LiveHandle) int {
		return cmp.Or(cmp.Compare(a.TypeKey, b.TypeKey), cmp.Compare(a.Address, b.Address))
	})
	return live
}

// LiveNative describes a native object that Go code made and that is alive, with any owner.
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
// It lists nothing unless the program is built with -tags debug. It may be called from any goroutine; objects that
// die during the call may be listed.
func LiveNatives() []LiveNative {
	var live []LiveNative
	for _, n := range handles.TracedNatives() {
		live = append(live, LiveNative{
			TypeKey:  typeInfo(n.TypeIndex).Key.String(),
			Address:  n.Address,
			UseCount: n.UseCount,
			Made:     stackText(n.Made),
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
