package convert

import (
	"cmp"
	"reflect"

	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// refused returns the error for a Go type that has no conversion. It says what to write instead.
func refused(t reflect.Type) error {
	if t == ContextType {
		return fault.New("TypeError", "%s can only be the first parameter", t)
	}
	return fault.New("TypeError", "%s has no counterpart in the ABI; %s", t, insteadOf(t))
}

// Why a func cannot take a channel or an interface of its own. Nobody could tell the goroutine that fills a channel
// from an iterable when to stop, and an exception of the iterable has no way to the func. iter.Seq has both, so a
// `<-chan T` crosses as a result only. An interface such as `interface{ Area() float64 }` needs a Go type with that
// method, and reflection makes no methods. So the refusal says to take a func for each method. any, error, io.Reader
// and their like cross because the frontend has a type for them.

func insteadOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Chan:
		if t.ChanDir() == reflect.SendDir {
			return "take a func(" + t.Elem().String() + ") that is called with each value"
		}
		return "return a <-chan " + t.Elem().String() + ", or use an iter.Seq[" + t.Elem().String() + "]"
	case reflect.Uintptr:
		return "use uint64 for a number, unsafe.Pointer for an address"
	case reflect.Interface:
		if t.Implements(ReaderType) || t.Implements(WriterType) {
			return "use io.Reader, io.Writer, io.ReadCloser, io.WriteCloser, io.ReadWriter or io.ReadWriteCloser"
		}
		return "use any, a class (*T or *selfsame.Handle[T]), or a func for each method that callers implement"
	case reflect.Struct:
		if typetable.IsClassStruct(t) {
			return "use *" + t.String() + " or *selfsame.Handle[" + t.String() + "]: objects of a class do not cross by value"
		}
		if IsFieldType(t) {
			return "it is a field type of class structs; use " +
				cmp.Or(Public.Field(t).Instead, "*"+t.String()+", or a pointer to the object's class")
		}
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Pointer {
			return "use " + t.Elem().String()
		}
		return "use " + t.Elem().String() + ", or a class: a struct that embeds selfsame.Object"
	case reflect.UnsafePointer:
		return "use unsafe.Pointer"
	}
	return "use a type that the documentation of package selfsame lists"
}
