package convert

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// The types of parameters through which a func writes, which package gen names and describes.
type (
	WrittenArgument[T any]      struct{ written[T] }
	MaybeWrittenArgument[T any] struct{ written[T] }
	CopiedArgument[T any]       struct{ written[T] }
)

// NewConv implements Converter.
func (WrittenArgument[T]) NewConv() (*Conv, error) { return writtenConv[T](Writing{Surely: true}) }

// NewConv implements Converter.
func (MaybeWrittenArgument[T]) NewConv() (*Conv, error) { return writtenConv[T](Writing{}) }

// NewConv implements Converter.
func (CopiedArgument[T]) NewConv() (*Conv, error) { return writtenConv[T](Writing{Copies: true}) }

func writtenConv[T any](how Writing) (*Conv, error) {
	return WrittenConv(reflect.TypeFor[T](), unsafe.Offsetof(written[T]{}.back), how)
}

type written[T any] struct {
	value T
	back  *Written
}

// Go returns what the func gets.
func (w *written[T]) Go() T { return w.value }

// GiveBack gives the Python object what the call changed. A call defers it, so that it happens too when the func fails or panics. It
// panics with an exception that names the func and the parameter.
func (w *written[T]) GiveBack(function, parameter string) {
	raise(w.back.GiveBack(), function, parameter)
}

// SyncAt does for some elements of a slice what GiveBack does for all, before a callback that gets their indices.
func (w *written[T]) SyncAt(function, parameter string, indices ...int) {
	raise(w.back.SyncAt(indices), function, parameter)
}

// raise panics with an error that is not nil.
func raise(err error, function, parameter string) {
	if err == nil {
		return
	}
	if e, ok := fault.MadeInGo(err); ok {
		err = fault.New(e.Kind, "%s: argument '%s': %s", function, parameter, e.Message)
	}
	panic(err)
}
