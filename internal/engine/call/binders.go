package call

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Only source that names a func type makes a func of it without reflection. `selfsame-ffi build` adds such source for the func types
// of parameters, as it adds adapters of funcs; see adapters.go. Other bound funcs are made by reflection.

// binders has a binderOf for each reflect.Type of a func that has a binder.
var binders sync.Map

// bound is the function that a bound func calls.
type bound struct {
	callee Callee
	ready  readyCallee
}

// AddBinder does the work of Binder of the public package. It is no generic func, as AddAdapter.
func AddBinder(binder any) {
	t := reflect.TypeOf(binder)
	if t == nil || t.Kind() != reflect.Func || t.NumIn() != 1 || t.In(0) != reflect.TypeFor[*Callee]() || t.NumOut() != 1 ||
		t.Out(0).Kind() != reflect.Func {
		panic(fault.New("TypeError", "overlay: Binder: expected a func(f *overlay.Bound) F, got %T", binder))
	}
	word := wordOf(binder)
	binders.Store(t.Out(0), *(*binderOf)(unsafe.Pointer(&word)))
}

// binderOf makes the func that calls a callee, as the word that it is.
type binderOf = func(f *Callee) unsafe.Pointer

// bindAt stores at dst a func of type t, of the signature, that calls f.
func bindAt(f *handles.State, t reflect.Type, sig *Signature, dst unsafe.Pointer) {
	bind, ok := binders.Load(t)
	if !ok || sig.shown != nil || sig.failsAs != nil {
		reflect.NewAt(t, dst).Elem().Set(bindByReflection(f, t, sig))
		return
	}
	b := &bound{ready: readyCallee{handle: f, sig: sig}}
	b.callee.ready.Store(&b.ready)
	*(*unsafe.Pointer)(dst) = bind.(binderOf)(&b.callee)
}
