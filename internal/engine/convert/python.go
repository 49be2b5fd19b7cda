package selfsame

import (
	"math"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Values that the ABI has no type for, such as a datetime, cross in one of two forms. In a process with Python they are
// Python's own values, which the ABI carries as opaque objects: the Python package registers the global functions below, and
// Go asks them to take such a value apart or to make one. In a process without Python they have a native form, which each
// conversion documents: an Array of numbers, a Map, a Function.
//
// RATIONALE.md, "Why Go asks Python to make a datetime"

var (
	// pythonUnpack(kind, value) takes a value apart. It returns the parts, or a str: the name of the type of a value
	// that is not of the kind.
	pythonUnpack = pythonService{name: "selfsame.python.unpack"}
	// pythonPack(kind, parts...) returns a new value.
	pythonPack = pythonService{name: "selfsame.python.pack"}
	// pythonList(items...) and pythonDict(key, value, ...) return a new list and dict of the values.
	pythonList = pythonService{name: "selfsame.python.list"}
	pythonDict = pythonService{name: "selfsame.python.dict"}
	// pythonInts(address, n) and pythonFloats(address, n) return a list of n int64 or float64.
	pythonInts   = pythonService{name: "selfsame.python.ints"}
	pythonFloats = pythonService{name: "selfsame.python.floats"}
	// pythonPoll() raises the exception that the calling thread must end its call with, such as KeyboardInterrupt. It
	// returns whether such an exception can come later.
	pythonPoll = pythonService{name: "selfsame.python.poll"}
)

// function returns the service, nil in a process without Python.
func (s *pythonService) function() *handles.State {
	if f := s.known.Load(); f != nil {
		return f
	}
	if runtimeBound() != nil {
		return nil
	}
	object, failed := bridge.GetGlobal(s.name)
	if failed != nil || object == nil {
		handles.DecRef(failed)
		return nil
	}
	f := handles.Adopt(object)
	s.known.Store(f)
	return f
}

// kindValue makes the first argument of the services. Kinds have at most 7 letters.
func kindValue(kind string) abi.Any {
	v, ok := abi.SmallStr(kind)
	if !ok {
		panic("selfsame: the kind " + kind + " has more than 7 letters")
	}
	return v
}

// unpack asks Python to take a borrowed value apart and returns an owned value. A value of another kind is a *mismatch.
func unpack(kind string, v *abi.Any, more ...abi.Any) (abi.Any, error) {
	if v.TypeIndex != abi.IndexOpaquePyObject {
		return abi.Any{}, mismatched(v)
	}
	service := pythonUnpack.function()
	if service == nil {
		return abi.Any{}, mismatched(v)
	}
	parts, err := callValues(service, append([]abi.Any{kindValue(kind), *v}, more...))
	if err != nil {
		return abi.Any{}, err
	}
	if text, ok := parts.Text(); ok {
		text = string([]byte(text))
		releaseValue(parts)
		return abi.Any{}, &mismatch{got: text}
	}
	return parts, nil
}

// unpackItems does unpack's work for a value whose parts are a tuple. The native form is an Array of them, of at least
// least elements. It calls use with the borrowed parts.
func unpackItems(kind string, v *abi.Any, least int, use func(items []abi.Any) error) error {
	parts := *v
	if v.TypeIndex != abi.IndexArray && v.TypeIndex != abi.IndexList {
		made, err := unpack(kind, v)
		if err != nil {
			return err
		}
		parts = made
		defer releaseValue(made)
	}
	if parts.TypeIndex != abi.IndexArray && parts.TypeIndex != abi.IndexList {
		return mismatched(&parts)
	}
	items := abi.SeqOf(parts.Pointer()).Items()
	if len(items) < least {
		return mismatched(v)
	}
	return use(items)
}

// pack makes *v Python's value of the borrowed parts. ok is false in a process without Python; the caller then stores the
// native form.
func pack(v *abi.Any, kind string, parts ...abi.Any) (ok bool, err error) {
	service := pythonPack.function()
	if service == nil {
		return false, nil
	}
	made, err := callValues(service, append([]abi.Any{kindValue(kind)}, parts...))
	if err != nil {
		return true, err
	}
	*v = made
	return true, nil
}

// newPython makes Python's own list or dict, by the type index of the native container with the same views.
func newPython(index int32, views []abi.Any) (abi.Any, error) {
	service := &pythonList
	if index == abi.IndexMap {
		service = &pythonDict
	}
	if len(views) > math.MaxInt32 {
		return abi.Any{}, newError("ValueError", "selfsame: a container of %d values is too large", len(views))
	}
	return callViews(service.function(), views)
}

// newPythonNumbers makes Python's own list of n elements at first.
func newPythonNumbers(service *pythonService, first unsafe.Pointer, n int) (abi.Any, error) {
	made, err := callValues(service.function(), []abi.Any{abi.OpaquePtr(first), abi.Int(int64(n))})
	runtime.KeepAlive(first)
	return made, err
}

// packItems does pack's work, with an Array of the parts as the native form.
func packItems(v *abi.Any, kind string, parts ...abi.Any) error {
	if ok, err := pack(v, kind, parts...); ok {
		return err
	}
	object, err := newContainer(abi.IndexArray, parts)
	if err != nil {
		return err
	}
	*v = abi.ObjectValue(object)
	return nil
}

// repack replaces the owned value *v by Python's value of a kind. Without Python it stays.
func repack(v *abi.Any, kind string, more ...abi.Any) error {
	native := *v
	ok, err := pack(v, kind, append([]abi.Any{native}, more...)...)
	if ok {
		releaseValue(native)
	}
	return err
}

// pythonService is a global function that the Python package registers. Any goroutine may use it.
type pythonService struct {
	name  string
	known atomic.Pointer[handles.State]
}
