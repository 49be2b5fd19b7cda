package structural

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// ErrorContextType is the class ffi.VisitErrorContext. Set by package runtime.
var ErrorContextType *abi.TypeInfo

// ErrorContextSize is the size of its objects.
const ErrorContextSize = 40

// errorContext is the body of a VisitErrorContext: the objects on the way to where an error came up.
type errorContext struct {
	reversed unsafe.Pointer // owned List, the innermost object first
	previous unsafe.Pointer // owned: what the error carried before, or nil
}

func errorContextOf(h unsafe.Pointer) *errorContext {
	return (*errorContext)(unsafe.Add(h, abi.BodyOffset))
}

// ErrorValue makes the Error object of a Go error. Set by package runtime.
var ErrorValue func(error) abi.Any

// addToContext notes in an Error (borrowed) that it passed an object. Out of memory, it is not noted.
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

// discard drops an error that nobody can be told of.
func discard(error) {
	if handle := plane.TakeRaised(); handle != nil {
		plane.DecRef(handle)
	}
}
