package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/engine/live"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
)

// View is a result that shows a slice, an array or a map where Go has it, instead of a copy: internal/engine/live says why.
type View[T any] = live.View[T]

// The classes of objects that show containers.
type (
	sequenceObject struct {
		Object
		Wrapped[*live.Container]
	}
	numbersObject struct {
		Object
		Wrapped[*live.Container]
	}
	mappingObject struct {
		Object
		Wrapped[*live.Container]
	}
	setObject struct {
		Object
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
	if wrapped(live.SetClass(is, reflect.TypeFor[C](), reflect.TypeFor[Wrapped[*live.Container]](), key)) {
		MustRegister[C](key, classOption(func(o *registry.ClassOptions) { live.Add[C](o, is) }))
	}
}

// ViewIn shows a container that lies within the Go value of an object of the class C. It panics as [Wrapped.Go] does.
func ViewIn[C, T any](object *C, at *T) View[T] {
	view, err := live.Within(unsafe.Pointer(object), at)
	if err != nil {
		panic(err)
	}
	return view
}

// ViewOf shows a container in a package variable.
func ViewOf[T any](at *T) View[T] { return live.Variable(at) }

// ViewOfResult shows a container that a Go func returned and that Go goes on using: elements change for both, the length does not.
func ViewOfResult[T any](value T) View[T] { return live.Returned(value) }

// Items gives the class C, which stands for the slice, array or map type T, what a list, a dict or a set has.
func Items[C, T any]() ClassOption {
	return classOption(func(o *registry.ClassOptions) { live.Add[C](o, live.ShapeOf(reflect.TypeFor[T]())) })
}
