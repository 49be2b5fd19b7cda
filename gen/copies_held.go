package gen

import (
	"reflect"
	"strings"
	"sync"

	"github.com/selfsame-ffi/selfsame/internal/engine/wrapping"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// A value that came as an interface has a type of its own, which may have no name outside of its package. Such a type is known in this
// process by its path: that of a value that was written, or of one that an object stands for. The bytes of a value name it.

// met has the types of the values that were written, by their paths.
var met sync.Map

// pathOf names a type, with the path of its package.
func pathOf(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Pointer && t.Name() == "":
		return "*" + pathOf(t.Elem())
	case t.PkgPath() == "":
		return t.String()
	}
	return t.PkgPath() + "." + t.Name()
}

// meet makes a type known, and returns its path; "" where another type has that, as two in funcs may.
func meet(t reflect.Type) string {
	path := pathOf(t)
	if known, _ := met.LoadOrStore(path, t); known != t {
		return ""
	}
	return path
}

// metType returns the type of a path, nil where this process has met none.
func metType(path string) reflect.Type {
	if t, known := met.Load(path); known {
		return t.(reflect.Type)
	}
	return wrapping.TypeAlive(func(t reflect.Type) bool { return pathOf(t) == path })
}

// asPointer returns a pointer to the value of an interface: the value itself, where it is a pointer to one.
func asPointer(held any) any {
	v := reflect.ValueOf(held)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		v = addressable(v).Addr()
	}
	return v.Interface()
}

// DumpHeld returns the value of an object of an interface's class as [Dump] does. The form names the type of the value too; it is "" for an
// object whose Python class implements the interface. sharing is that of Dump. Generated code makes pickles and copies of it. Any goroutine may call it.
func DumpHeld[T any](w *Wrapped[T], sharing ...bool) (form string, data []byte, err error) {
	b, err := wrapping.BoxOf(&w.field)
	if err != nil || b == nil {
		return "", nil, err
	}
	defer w.Lock().Unlock()
	path := meet(reflect.TypeOf(b.Value()))
	if path == "" {
		return "", nil, fault.New("TypeError", "cannot copy or pickle a value of the Go type %T: two types have that name", b.Value())
	}
	if form, data, err = Dump(asPointer(b.Value()), sharing...); err != nil {
		return "", nil, err
	}
	return form + " of " + path, data, nil
}

// LoadHeld returns the value of the form and the bytes of [DumpHeld]. It fails with a ValueError for others, and where this process has not
// met the type. Any goroutine may call it.
func LoadHeld[T any](form string, data []byte) (value T, err error) {
	form, path, _ := strings.Cut(form, " of ")
	t := metType(path)
	if t == nil {
		return value, fault.New("ValueError", "the Go type %s has no class and this process has not met it: hold a value of it while you load the pickle", path)
	}
	made, isPointer := reflect.New(t), t.Kind() == reflect.Pointer
	if isPointer {
		made = reflect.New(t.Elem())
	}
	if err := Load(made.Interface(), form, data); err != nil {
		return value, err
	}
	if !isPointer {
		made = made.Elem()
	}
	value, fits := made.Interface().(T)
	if !fits {
		return value, fault.New("ValueError", "the Go type %s is no %s", path, reflect.TypeFor[T]())
	}
	return value, nil
}
