package values

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// Frame is the argument frame of one call out of Go, with arguments and result in C memory. One goroutine uses it at a
// time.
type Frame struct {
	*bridge.Frame
	Held     [8]*handles.State // the handles among the arguments of bound funcs, kept alive during the call
	Holds    bool              // held has elements
	HasTexts bool              // some arguments are Go strings or bytes, which C copies
	owned    []abi.Any         // temporary values to release after the call
	pins     runtime.Pinner    // Go strings and bytes too long for the frame's own memory
	used     int               // bytes used of the frame's own memory, Texts
}

var Frames = sync.Pool{New: func() any {
	f := &Frame{Frame: bridge.NewFrame()}
	runtime.AddCleanup(f, bridge.FreeFrame, f.Frame)
	return f
}}

// NewFrame takes a frame from the pool for a call of f. It panics when f is nil or released.
func NewFrame(f *handles.State) *Frame {
	FunctionObject(f)
	return Frames.Get().(*Frame)
}

// FunctionObject returns the native function of a handle, which the caller borrows. It panics when the handle is nil or
// released.
func FunctionObject(f *handles.State) unsafe.Pointer {
	if f == nil {
		panic(fault.New("ValueError", "selfsame: Function: a nil function was used"))
	}
	p := f.Address()
	if p == nil {
		panic(fault.New("RuntimeError", "selfsame: Function: used after Release%s", fault.StoryOf(unsafe.Pointer(f))))
	}
	return p
}

// GlobalFunction returns the handle of the global function with a name. It fails with a ValueError when there is none.
func GlobalFunction(name string) (*handles.State, error) {
	object, err := GlobalObject(name)
	if err != nil {
		return nil, err
	}
	return handles.FetchOwned(object), nil
}

// GlobalObject returns an owned reference to the global function with a name. It fails as GlobalFunction does.
func GlobalObject(name string) (unsafe.Pointer, error) {
	if err := link.Bound(); err != nil {
		return nil, err
	}
	object, failed := bridge.GetGlobal(name)
	if err := fault.Take(failed); err != nil {
		return nil, err
	}
	if object == nil {
		return nil, fault.New("ValueError", "Cannot find global function `%s`", name)
	}
	return object, nil
}

func PutFrame(f *Frame) { Frames.Put(f) }

// Finish releases the values that were made for the call's arguments.
func (f *Frame) Finish() {
	if f.HasTexts {
		f.pins.Unpin()
		f.HasTexts, f.used = false, 0
	}
	if f.Holds {
		clear(f.Held[:])
		f.Holds = false
	}
	if len(f.owned) != 0 {
		for i := range f.owned {
			Release(f.owned[i])
		}
		f.owned = f.owned[:0]
	}
}

// Abandon releases the arguments of a frame that was not used for a call, and puts it back into the pool.
func (f *Frame) Abandon() {
	f.Finish()
	PutFrame(f)
}

// Own takes over an owned value and releases it after the call.
func (f *Frame) Own(v abi.Any) {
	if v.IsObject() {
		f.owned = append(f.owned, v)
	}
}

// Argument adds the index of an argument to the error of its conversion. It leaves nil and native errors as they are.
func (f *Frame) Argument(err error, i int) error {
	if e, ok := fault.MadeInGo(err); ok {
		return fault.OfArgument(e, i)
	}
	return err
}

// Run calls the function with the frame's n arguments. On success the owned result is in the frame; on failure run puts the
// frame back into the pool.
func (f *Frame) Run(function *handles.State, n int) error {
	err := f.RunObject(FunctionObject(function), n)
	runtime.KeepAlive(function)
	return err
}

// RunObject does Run's work for a native function, which the caller keeps alive.
func (f *Frame) RunObject(function unsafe.Pointer, n int) error {
	failed := bridge.Call(function, f.Frame, nil, n, f.HasTexts)
	f.Finish()
	if failed != nil {
		PutFrame(f)
		return fault.Take(failed)
	}
	return nil
}

// CallValues calls f with borrowed values and returns an owned result.
func CallValues(f *handles.State, args []abi.Any) (abi.Any, error) {
	frame := NewFrame(f)
	values := frame.Args[:]
	if len(args) > len(values) {
		values = bridge.NewArgs(len(args))
		defer bridge.FreeArgs(values)
	}
	copy(values, args)
	failed := bridge.Call(FunctionObject(f), frame.Frame, unsafe.SliceData(values), len(args), false)
	runtime.KeepAlive(f)
	result := frame.Result
	PutFrame(frame)
	return result, fault.Take(failed)
}

// CallViews does CallValues' work for many values, which it does not copy. They must be on the heap: the callee may
// call Go, which moves stacks.
func CallViews(f *handles.State, args []abi.Any) (abi.Any, error) {
	frame := NewFrame(f)
	failed := bridge.Call(FunctionObject(f), frame.Frame, unsafe.SliceData(args), len(args), false)
	runtime.KeepAlive(f)
	runtime.KeepAlive(args)
	result := frame.Result
	PutFrame(frame)
	return result, fault.Take(failed)
}

// Text makes *v a String argument. Only the first bridge.MaxTexts arguments may be such.
func (f *Frame) Text(s string, v *abi.Any) error {
	if err := CheckUTF8(s); err != nil {
		return err
	}
	if small, ok := abi.SmallStr(s); ok {
		*v = small
		return nil
	}
	if uint64(len(s)) > 1<<31 {
		err := PutText(s, v)
		f.Own(*v)
		return err
	}
	*v = f.Content(bridge.GoStr, s)
	return nil
}

// Content returns an argument of which C makes a String or Bytes (by index) before the call. C copies the bytes from the
// frame's memory, or from pinned Go memory when they do not fit there.
func (f *Frame) Content(index int32, s string) abi.Any {
	f.HasTexts = true
	data := unsafe.Pointer(unsafe.StringData(s))
	if len(s) <= len(f.Texts)-f.used {
		copied := f.Texts[f.used:]
		f.used += copy(copied, s)
		data = unsafe.Pointer(&copied[0])
	} else {
		f.pins.Pin(data)
	}
	return abi.Any{TypeIndex: index, Len: uint32(len(s)), Bits: uint64(uintptr(data))}
}
