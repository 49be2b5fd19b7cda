package selfsame

import (
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// outFrame is the memory of one call out of Go. It lies in the heap, since a call back into Go may move the goroutine's
// stack.
type outFrame struct {
	bridge.Frame
	owned []abi.Any      // temporary values to release after the call
	pins  runtime.Pinner // Go strings and bytes that C copies
}

var outFrames = sync.Pool{New: func() any { return new(outFrame) }}

func putFrame(f *outFrame) {
	f.Result = abi.None()
	outFrames.Put(f)
}

// finish releases what was made for the call.
func (f *outFrame) finish() {
	f.pins.Unpin()
	for i := range f.owned {
		releaseValue(f.owned[i])
	}
	f.owned = f.owned[:0]
}

// call calls the function; on success the owned result is in the frame, which the caller gives back.
func (f *Function) call(args []any) (*outFrame, error) {
	function := f.nativeObject()
	frame := outFrames.Get().(*outFrame)
	cells := frame.Args[:]
	if len(args) > len(cells) {
		cells = make([]abi.Any, len(args))
	}
	for i, arg := range args {
		if err := frame.view(arg, &cells[i], i); err != nil {
			frame.finish()
			putFrame(frame)
			if e, ok := err.(*Error); ok && e.object == nil {
				return nil, newError(e.Kind, "%s (argument #%d)", e.Message, i)
			}
			return nil, err
		}
	}
	failed := bridge.Call(function, unsafe.SliceData(cells), len(args), &frame.Frame)
	frame.finish()
	runtime.KeepAlive(args)
	runtime.KeepAlive(f)
	if failed != nil {
		putFrame(frame)
		return nil, takeError(failed)
	}
	return frame, nil
}

// view makes a borrowed value of a Go value. What must be made for it is released when the call is over.
func (f *outFrame) view(arg any, v *abi.Any, i int) error {
	switch x := arg.(type) {
	case nil:
		*v = abi.None()
		return nil
	case int64:
		*v = abi.Int(x)
		return nil
	case int:
		*v = abi.Int(int64(x))
		return nil
	case float64:
		*v = abi.Float(x)
		return nil
	case bool:
		*v = abi.Bool(x)
		return nil
	case string:
		if err := checkUTF8(x); err != nil {
			return err
		}
		if small, ok := abi.SmallStr(x); ok {
			*v = small
			return nil
		}
		if i < 64 && uint64(len(x)) <= 1<<31 {
			*v = f.pinned(bridge.GoStr, unsafe.StringData(x), len(x))
			return nil
		}
	case []byte:
		if small, ok := abi.SmallBytes(x); ok {
			*v = small
			return nil
		}
		if i < 64 && uint64(len(x)) <= 1<<31 {
			*v = f.pinned(bridge.GoBytes, unsafe.SliceData(x), len(x))
			return nil
		}
	case Native:
		if rv := reflect.ValueOf(arg); rv.Kind() == reflect.Pointer && rv.IsNil() {
			*v = abi.None()
			return nil
		}
		object := x.nativeObject()
		if object != nil && abi.StrongCount(object) == 0 {
			return newError("ValueError", "a %T that was not made by its class cannot leave Go: use Class.New", arg)
		}
		*v = abi.ObjectValue(object)
		return nil
	}
	if err := fromGo(arg, v); err != nil {
		return err
	}
	if v.IsObject() {
		f.owned = append(f.owned, *v)
	}
	return nil
}

func (f *outFrame) pinned(index int32, data *byte, size int) abi.Any {
	f.pins.Pin(data)
	return abi.Any{TypeIndex: index, Len: uint32(size), Bits: uint64(uintptr(unsafe.Pointer(data)))}
}
