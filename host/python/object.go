package python

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
)

// Object is a handle of a Python object. There is one *Object for each Python object, so handles compare with ==. It may
// stand in signatures of Go funcs that Python calls. A nil *Object is None as an argument; Python's None as a result is an
// Object. Any goroutine may use it. Its methods fail with an [*Exception] where Python raises one, and with a RuntimeError
// after [Interpreter.Close].
type Object struct{ gen.ObjectHandle }

var _ = gen.Declare[Object]("ffi.OpaquePyObject")

// Kw are keyword arguments: the last argument of a call.
type Kw map[string]any

// Import imports a module, as importlib.import_module does: its name may have dots.
func (py *Interpreter) Import(name string) (*Object, error) {
	return object(services.importModule, name)
}

// Value returns the Python object of a Go value.
func (py *Interpreter) Value(value any) (*Object, error) {
	return object(services.kept, argument(value))
}

// Call calls the object with arguments, of which the last may be [Kw].
func (o *Object) Call(args ...any) (*Object, error) {
	var w words
	if w.set(o, args) {
		return direct[*Object](services.call, &w, o, args)
	}
	if keywords, ok := lastKeywords(args); ok {
		return object(services.callKeywords, withKeywords([]any{o}, args, keywords)...)
	}
	return object(services.call, arguments([]any{o}, args)...)
}

// CallMethod calls a method of the object, as Call does.
func (o *Object) CallMethod(name string, args ...any) (*Object, error) {
	var w words
	if w.setNamed(o, name, args) {
		return direct[*Object](services.callMethod, &w, o, args)
	}
	if keywords, ok := lastKeywords(args); ok {
		return object(services.callMethodKeywords, withKeywords([]any{o, name}, args, keywords)...)
	}
	return object(services.callMethod, arguments([]any{o, name}, args)...)
}

// Attr returns an attribute.
func (o *Object) Attr(name string) (*Object, error) {
	var w words
	if w.setNamed(o, name, nil) {
		return direct[*Object](services.attr, &w, o, nil)
	}
	return object(services.attr, o, name)
}

// SetAttr sets an attribute.
func (o *Object) SetAttr(name string, value any) error {
	return do(services.setAttr, o, name, argument(value))
}

// DeleteAttr deletes an attribute.
func (o *Object) DeleteAttr(name string) error { return do(services.deleteAttr, o, name) }

// HasAttr reports whether the object has an attribute.
func (o *Object) HasAttr(name string) (bool, error) { return result[bool](services.hasAttr, o, name) }

// Item returns the item of a key: o[key] in Python.
func (o *Object) Item(key any) (*Object, error) { return object(services.item, o, argument(key)) }

// SetItem sets the item of a key.
func (o *Object) SetItem(key, value any) error {
	return do(services.setItem, o, argument(key), argument(value))
}

// DeleteItem deletes the item of a key.
func (o *Object) DeleteItem(key any) error { return do(services.deleteItem, o, argument(key)) }

// Contains reports whether a value is in the object: value in o.
func (o *Object) Contains(value any) (bool, error) {
	return result[bool](services.contains, o, argument(value))
}

// Len returns the object's length.
func (o *Object) Len() (int, error) { return result[int](services.length, o) }

// Equal reports whether the object is equal to a value, as Python's == says. The same object is the same *Object.
func (o *Object) Equal(value any) (bool, error) {
	return result[bool](services.equal, o, argument(value))
}

// TypeName returns the name of the object's class, with its module unless that is builtins.
func (o *Object) TypeName() (string, error) { return result[string](services.typeName, o) }

// String returns Python's str of the object, or says in angle brackets why there is none.
func (o *Object) String() string {
	if o == nil {
		return "None"
	}
	if o.Released() {
		return "<a released Object>"
	}
	text, err := result[string](services.text, o)
	if err != nil {
		return fmt.Sprintf("<%v>", err)
	}
	return text
}

// All iterates over the object, as Python's for does. An error ends the loop, with a nil object. A loop that ends early closes a
// generator that it began itself, but not one that o is.
func (o *Object) All() iter.Seq2[*Object, error] { return o.each(false) }

// each does All's work; closes says whether a loop that ends early closes o, too.
func (o *Object) each(closes bool) iter.Seq2[*Object, error] {
	return func(yield func(*Object, error) bool) {
		iterator, err := object(services.iterate, o)
		atEnd := err != nil
		defer func() {
			if !atEnd && (closes || iterator != o) {
				report(do(services.leave, iterator))
			}
		}()
		for err == nil {
			var next *Object
			if next, err = object(services.following, iterator); err != nil || next == nil {
				atEnd = true
				break
			}
			if !yield(next, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// report gives an error that ends no call to Python's sys.unraisablehook.
func report(err error) {
	if err != nil {
		_ = convert.Report(err, "")
	}
}

// With runs body as the body of a with statement of the object, with what the object's __enter__ returns. An error of body
// is raised in the statement: __exit__ may handle it. Otherwise With returns that error itself.
func (o *Object) With(body func(entered *Object) error) error { return do(services.with, o, body) }

// object calls a service whose result is an object.
func object(service *selfsame.Function, args ...any) (*Object, error) {
	return result[*Object](service, args...)
}

// do calls a service without a result.
func do(service *selfsame.Function, args ...any) error {
	_, err := result[any](service, args...)
	return err
}

// result calls a service, with a place in Python.
func result[R any](service *selfsame.Function, args ...any) (made R, err error) {
	if err = services.ready(); err != nil {
		return made, err
	}
	if err = places.enter(context.Background()); err != nil {
		return made, err
	}
	defer places.leave()
	made, err = plainResult[R](service, args)
	return made, fromPython(err)
}

// lastKeywords returns the keyword arguments of a call.
func lastKeywords(args []any) (Kw, bool) {
	if len(args) == 0 {
		return nil, false
	}
	keywords, ok := args[len(args)-1].(Kw)
	return keywords, ok
}

// arguments returns what a service gets before the arguments of a call, and these.
func arguments(before, args []any) []any {
	out := slices.Grow(before, len(args))
	for _, arg := range args {
		out = append(out, argument(arg))
	}
	return out
}

// withKeywords returns what a service gets before the arguments, their number without the keywords, and all of them.
func withKeywords(before, args []any, keywords Kw) []any {
	if keywords != nil {
		args = args[:len(args)-1]
	}
	out := arguments(append(before, len(args)), args)
	for _, name := range slices.Sorted(maps.Keys(keywords)) {
		out = append(out, name, argument(keywords[name]))
	}
	return out
}

// Pinned runs f on one operating system thread, so that context variables and thread-local values of Python are the same in all
// calls of f.
func Pinned(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return f()
}
