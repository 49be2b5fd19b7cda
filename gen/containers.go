package gen

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/engine/live"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// View is a result that shows a slice, an array or a map where Go has it, instead of a copy: internal/engine/live says why.
type View[T any] = live.View[T]

// The classes of objects that show containers.
type (
	sequenceObject struct {
		selfsame.Object
		Wrapped[*live.Container]
	}
	numbersObject struct {
		selfsame.Object
		Wrapped[*live.Container]
	}
	mappingObject struct {
		selfsame.Object
		Wrapped[*live.Container]
	}
	setObject struct {
		selfsame.Object
		Wrapped[*live.Container]
	}
)

// ShowContainers registers the classes of the objects that show slices, arrays and maps of a package, under keys with its
// name. It must come before the registration of what returns a [View]. `selfsame-ffi wrap` writes the call. It returns true.
func ShowContainers(name string) bool {
	showContainers[sequenceObject]("selfsame."+name+".Sequence", live.Sequence)
	showContainers[numbersObject]("selfsame."+name+".Numbers", live.Numbers)
	showContainers[mappingObject]("selfsame."+name+".Mapping", live.Mapping)
	showContainers[setObject]("selfsame."+name+".Set", live.Set)
	return true
}

func showContainers[C any](key string, is live.Shape) {
	if live.HasClass(is) { // another package of the library has registered them
		return
	}
	wrapped(live.SetClass(is, reflect.TypeFor[C](), reflect.TypeFor[Wrapped[*live.Container]](), key))
	registry.Extend(reflect.TypeFor[C](), func(o *registry.ClassOptions) { live.Add[C](o, is, nil) })
	selfsame.MustRegister[C](key)
}

// ViewIn shows a container that lies within the Go value of an object of the class C. It panics as [Wrapped.Go] does.
func ViewIn[C, T any](object *C, at *T) View[T] {
	return fault.Must(live.Within(unsafe.Pointer(object), at))
}

// ViewOf shows a container in a package variable.
func ViewOf[T any](at *T) View[T] { return live.Variable(at) }

// ViewOfResult shows a container that a Go func returned and that Go goes on using: elements change for both, the length does not.
func ViewOfResult[T any](value T) View[T] { return live.Returned(value) }

// ViewByMethod does what [ViewOfResult] does for the result of a method of an object of the class C.
func ViewByMethod[C, T any](object *C, value T) View[T] {
	return fault.Must(live.ReturnedBy(unsafe.Pointer(object), value))
}

// Items gives the class C, which stands for the slice, array or map type T and is registered afterwards, what a list, a dict or a set
// has. It returns true.
func Items[C, T any]() bool {
	registry.Extend(reflect.TypeFor[C](), func(o *registry.ClassOptions) {
		live.Add[C](o, live.ShapeOf(reflect.TypeFor[T]()), live.SchemaOf(reflect.TypeFor[T]()))
	})
	return true
}
