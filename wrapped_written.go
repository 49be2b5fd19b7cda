package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Written is the type of a parameter of type T through which the func writes: a slice, a map, or a pointer to a struct that crosses by
// value. Python's list, dict or dataclass gets what changed when GiveBack is called, and memory that can be written, as that of a
// bytearray or of a NumPy array, is written in place. An object that cannot change is refused.
// `selfsame-ffi wrap` writes such calls. The value is good only during the call.
type Written[T any] struct{ written[T] }

// MaybeWritten is a [Written] of a func of which nobody knows whether it writes: it takes an object that cannot change too. GiveBack
// raises a TypeError when the func wrote into the copy of such an object.
type MaybeWritten[T any] struct{ written[T] }

// WrittenCopy is a [MaybeWritten] of a func that may keep the slice or map: it gets memory of its own.
type WrittenCopy[T any] struct{ written[T] }

type written[T any] struct {
	value T
	back  *convert.Written
}

// Go returns what the func gets.
func (w *written[T]) Go() T { return w.value }

// GiveBack gives the Python object what the call changed. A call defers it, so that it happens too when the func fails or panics. It
// panics with an exception that names the func and the parameter.
func (w *written[T]) GiveBack(function, parameter string) {
	give(w.back.GiveBack(), function, parameter)
}

func give(err error, function, parameter string) {
	if err == nil {
		return
	}
	if e, ok := fault.MadeInGo(err); ok {
		err = fault.New(e.Kind, "%s: argument '%s': %s", function, parameter, e.Message)
	}
	panic(err)
}

func (Written[T]) newConv() (*convert.Conv, error) {
	return writtenConv[T](convert.Writing{Surely: true})
}
func (MaybeWritten[T]) newConv() (*convert.Conv, error) {
	return writtenConv[T](convert.Writing{})
}
func (WrittenCopy[T]) newConv() (*convert.Conv, error) {
	return writtenConv[T](convert.Writing{Copies: true})
}

func writtenConv[T any](how convert.Writing) (*convert.Conv, error) {
	return convert.WrittenConv(reflect.TypeFor[T](), unsafe.Offsetof(written[T]{}.back), how)
}

// SyncAt does for some elements of a slice what GiveBack does for all, before a callback that gets their indices.
func (w *written[T]) SyncAt(function, parameter string, indices ...int) {
	give(w.back.SyncAt(indices), function, parameter)
}
