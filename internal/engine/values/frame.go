package selfsame

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// outFrame is the argument frame of one call out of Go, with arguments and result in C memory. One goroutine uses it at a
// time.
type outFrame struct {
	*bridge.Frame
	held  [8]*handles.State // the handles among the arguments of bound funcs, kept alive during the call
	holds bool              // held has elements
	texts bool              // some arguments are Go strings or bytes, which C copies
	owned []abi.Any         // temporary values to release after the call
	pins  runtime.Pinner    // Go strings and bytes too long for the frame's own memory
	used  int               // bytes used of the frame's own memory, Texts
}

var outFrames = sync.Pool{New: func() any {
	f := &outFrame{Frame: bridge.NewFrame()}
	runtime.AddCleanup(f, bridge.FreeFrame, f.Frame)
	return f
}}

// newFrame takes a frame from the pool for a call of f. It panics when f is nil or released.
func newFrame(f *handles.State) *outFrame {
	functionObject(f)
	return outFrames.Get().(*outFrame)
}

// functionObject returns the native function of a handle, which the caller borrows. It panics when the handle is nil or
// released.
func functionObject(f *handles.State) unsafe.Pointer {
	if f == nil {
		panic(newError("ValueError", "selfsame: Function: a nil function was used"))
	}
	p := f.Address()
	if p == nil {
		panic(newError("RuntimeError", "selfsame: Function: used after Release%s", storyOf(unsafe.Pointer(f))))
	}
	return p
}

// globalFunction returns the handle of the global function with a name. It fails with a ValueError when there is none.
func globalFunction(name string) (*handles.State, error) {
	if err := runtimeBound(); err != nil {
		return nil, err
	}
	object, failed := bridge.GetGlobal(name)
	if err := takeError(failed); err != nil {
		return nil, err
	}
	if object == nil {
		return nil, newError("ValueError", "Cannot find global function `%s`", name)
	}
	return handles.Adopt(object), nil
}

func putFrame(f *outFrame) { outFrames.Put(f) }

// finish releases the values that were made for the call's arguments.
func (f *outFrame) finish() {
	if f.texts {
		f.pins.Unpin()
		f.texts, f.used = false, 0
	}
	if f.holds {
		clear(f.held[:])
		f.holds = false
	}
	if len(f.owned) != 0 {
		for i := range f.owned {
			releaseValue(f.owned[i])
		}
		f.owned = f.owned[:0]
	}
}

// abandon releases the arguments of a frame that was not used for a call, and puts it back into the pool.
func (f *outFrame) abandon() {
	f.finish()
	putFrame(f)
}

// own takes over an owned value and releases it after the call.
func (f *outFrame) own(v abi.Any) {
	if v.IsObject() {
		f.owned = append(f.owned, v)
	}
}

// argument adds the index of an argument to the error of its conversion. It leaves nil and native errors as they are.
func (f *outFrame) argument(err error, i int) error {
	if e, ok := madeInGo(err); ok {
		return newError(e.Kind, "%s (argument #%d)", e.Message, i)
	}
	return err
}

// run calls the function with the frame's n arguments. On success the owned result is in the frame; on failure run puts the
// frame back into the pool.
func (f *outFrame) run(function *handles.State, n int) error {
	failed := bridge.Call(functionObject(function), f.Frame, nil, n, f.texts)
	f.finish()
	runtime.KeepAlive(function)
	if failed != nil {
		putFrame(f)
		return takeError(failed)
	}
	return nil
}

// callValues calls f with borrowed values and returns an owned result.
func callValues(f *handles.State, args []abi.Any) (abi.Any, error) {
	frame := newFrame(f)
	values := frame.Args[:]
	if len(args) > len(values) {
		values = bridge.NewArgs(len(args))
		defer bridge.FreeArgs(values)
	}
	copy(values, args)
	failed := bridge.Call(functionObject(f), frame.Frame, unsafe.SliceData(values), len(args), false)
	runtime.KeepAlive(f)
	result := frame.Result
	putFrame(frame)
	return result, takeError(failed)
}

// callViews does callValues' work for many values, which it does not copy. They must be on the heap: the callee may
// call Go, which moves stacks.
func callViews(f *handles.State, args []abi.Any) (abi.Any, error) {
	frame := newFrame(f)
	failed := bridge.Call(functionObject(f), frame.Frame, unsafe.SliceData(args), len(args), false)
	runtime.KeepAlive(f)
	runtime.KeepAlive(args)
	result := frame.Result
	putFrame(frame)
	return result, takeError(failed)
}

// text makes *v a String argument. Only the first bridge.MaxTexts arguments may be such.
func (f *outFrame) text(s string, v *abi.Any) error {
	if err := checkUTF8(s); err != nil {
		return err
	}
	if small, ok := abi.SmallStr(s); ok {
		*v = small
		return nil
	}
	if uint64(len(s)) > 1<<31 {
		err := putText(s, v)
		f.own(*v)
		return err
	}
	*v = f.content(bridge.GoStr, s)
	return nil
}

// content returns an argument of which C makes a String or Bytes (by index) before the call. C copies the bytes from the
// frame's memory, or from pinned Go memory when they do not fit there.
func (f *outFrame) content(index int32, s string) abi.Any {
	f.texts = true
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
