package python

import (
	"reflect"
	"sync"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
)

// callbackType says what a type of Go funcs takes that a Function alone does not give it.
type callbackType struct {
	isFunc   bool         // false for an iter.Seq and its like
	objects  reflect.Type // the type with *Object in the place of each handle of a class; its values have the same layout
	handles  []any        // for each parameter nil, or for one of handles, which take any object, the containers around them
	rest     any          // the same for each of the variadic arguments
	keywords int          // the place of the keyword arguments, a Kw; -1: there is none
	isPlain  bool         // no parameter takes such things
}

var callbackTypes sync.Map // reflect.Type -> *callbackType

// callback returns what Python gets for a Go func: one whose results are Python's own containers, and whose parameters of handles
// take any object. A func that cannot be called stays as it is: the call says why.
func callback(fn any, t reflect.Type) any {
	known, ok := callbackTypes.Load(t)
	if !ok {
		known, _ = callbackTypes.LoadOrStore(t, callbackTypeOf(t))
	}
	of := known.(*callbackType)
	if !of.isFunc || reflect.ValueOf(fn).IsNil() {
		return fn
	}
	function, err := selfsame.NewFunc(asType(fn, of.objects), selfsame.Plain())
	if err != nil {
		return fn
	}
	if !of.isPlain {
		if made, err := object(services.callable, function, of.handles, of.rest, of.keywords); err == nil {
			return made
		}
	}
	return function
}

func callbackTypeOf(t reflect.Type) *callbackType {
	if _, iterates, _ := convert.Calls.Iterator(t, convert.ForPlain); iterates {
		return &callbackType{}
	}
	of := &callbackType{isFunc: true, keywords: -1, isPlain: true}
	var in, out []reflect.Type
	for i := range t.NumIn() {
		p := t.In(i)
		made, containers, ok := asObjects(p)
		if !ok {
			made = p
		}
		in = append(in, made)
		var handles any
		switch {
		case i == 0 && p == convert.ContextType: // callers do not pass it
			continue
		case p == reflect.TypeFor[Kw]():
			of.keywords, of.isPlain = len(of.handles), false
			continue
		case ok:
			handles, of.isPlain = containers, false
		}
		if !t.IsVariadic() || i < t.NumIn()-1 {
			of.handles = append(of.handles, handles)
		} else if ok {
			of.rest = containers[1:] // without the list that the variadic arguments are
		}
	}
	for i := range t.NumOut() {
		made, _, ok := asObjects(t.Out(i))
		if !ok {
			made = t.Out(i)
		}
		out = append(out, made)
	}
	of.objects = reflect.FuncOf(in, out, t.IsVariadic())
	return of
}
