package structural

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// ErrorContextType is the type of ffi.VisitErrorContext. Set by package runtime.
var ErrorContextType *abi.TypeInfo

// ErrorContextSize is the size of a VisitErrorContext in bytes.
const ErrorContextSize = 40

// errorContext is the cell of a VisitErrorContext: the objects on the path to the place of an error.
type errorContext struct {
	reversed unsafe.Pointer // owned List, the innermost object first
	previous unsafe.Pointer // owned: the error's extra context before this one, or nil
}

func errorContextOf(h unsafe.Pointer) *errorContext {
	return (*errorContext)(unsafe.Add(h, abi.BodyOffset))
}

// ErrorValue makes an Error, owned by the caller, of a Go error; of fault.ErrRaised it takes the raised Error. Set by
// package runtime.
var ErrorValue func(error) abi.Any

// addToContext adds a value (borrowed) to the VisitErrorContext of an Error (borrowed) that passes it on its way to the
// root. The Error stays as it is when memory runs out.
func addToContext(failure unsafe.Pointer, v abi.Any) {
	if !v.IsObject() {
		return
	}
	cell := abi.ErrorOf(failure)
	if extra := cell.ExtraContext; extra != nil && abi.TypeIndexOf(extra) == ErrorContextType.TypeIndex {
		if list := errorContextOf(extra).reversed; list != nil {
			discard(graph.Containers.Append(list, graph.Retain(v)))
		}
		return
	}
	list, err := graph.NewList([]abi.Any{graph.Retain(v)})
	if err != nil {
		discard(err)
		return
	}
	context := plane.NewLayout(ErrorContextType, ErrorContextSize)
	if context == nil {
		plane.DecRef(list)
		discard(nil)
		return
	}
	*errorContextOf(context) = errorContext{reversed: list, previous: cell.ExtraContext}
	cell.ExtraContext = context
}

// discard drops an error that no caller can be told of, and the raised Error.
func discard(error) {
	if handle := plane.TakeRaised(); handle != nil {
		plane.DecRef(handle)
	}
}
