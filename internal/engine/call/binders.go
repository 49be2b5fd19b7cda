package call

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Only source that names a func type makes a func of it without reflection. `selfsame-ffi build` adds such source for the func types
// of parameters, as it adds adapters of funcs; see adapters.go. Other bound funcs are made by reflection.

// binders has a func(f *Callee, dst unsafe.Pointer) for each reflect.Type of a func that has a binder.
var binders sync.Map

// bound is the function that a bound func calls.
type bound struct {
	callee Callee
	ready  readyCallee
}

// AddBinder does the work of Binder of the public package.
func AddBinder[F any](bind func(*Callee) F) {
	binders.Store(reflect.TypeFor[F](), func(f *Callee, dst unsafe.Pointer) { *(*F)(dst) = bind(f) })
}

// bindAt stores at dst a func of type t, of the signature, that calls f.
func bindAt(f *handles.State, t reflect.Type, sig *Signature, dst unsafe.Pointer) {
	bind, ok := binders.Load(t)
	if !ok {
		reflect.NewAt(t, dst).Elem().Set(bindByReflection(f, t, sig))
		return
	}
	b := &bound{ready: readyCallee{handle: f, sig: sig}}
	b.callee.ready.Store(&b.ready)
	bind.(func(*Callee, unsafe.Pointer))(&b.callee, dst)
}
