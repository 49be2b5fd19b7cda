package call

import (
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// CallWith converts the arguments and calls f. On success the owned result is in the frame, which the caller must put back.
func CallWith(f *handles.State, args []any) (*values.Frame, error) {
	frame := values.NewFrame(f)
	slots := frame.Args[:]
	if len(args) > len(slots) {
		slots = bridge.NewArgs(len(args))
		defer bridge.FreeArgs(slots)
	}
	if err := viewArguments(frame, args, slots); err != nil {
		return nil, err
	}
	failed := bridge.Call(values.FunctionObject(f), frame.Frame, unsafe.SliceData(slots), len(args), frame.HasTexts)
	frame.Finish()
	runtime.KeepAlive(args)
	runtime.KeepAlive(f)
	if failed != nil {
		values.PutFrame(frame)
		return nil, fault.Take(failed)
	}
	return frame, nil
}

// viewArguments makes borrowed values of the arguments. When it fails, or panics because a handle was released, it puts the frame
// back into the pool.
func viewArguments(f *values.Frame, args []any, slots []abi.Any) error {
	done := false
	defer func() {
		if !done {
			f.Abandon()
		}
	}()
	for i, arg := range args {
		if err := viewArgument(f, arg, &slots[i], i); err != nil {
			return f.Argument(err, i)
		}
	}
	done = true
	return nil
}

// viewArgument makes *v a borrowed value of argument i. The frame owns objects that are made for it, until finish.
func viewArgument(f *values.Frame, arg any, v *abi.Any, i int) error {
	switch x := arg.(type) {
	case nil, int64, int, float64, bool: // before Native, whose check is slower
		return convert.FromGo(arg, v)
	case string:
		if i < bridge.MaxTexts {
			return f.Text(x, v)
		}
	case []byte:
		if small, ok := abi.SmallBytes(x); ok {
			*v = small
			return nil
		}
		if i < bridge.MaxTexts && uint64(len(x)) <= 1<<31 {
			*v = f.Content(bridge.GoBytes, unsafe.String(unsafe.SliceData(x), len(x)))
			return nil
		}
	default:
		object, ok := convert.Public.Native(arg)
		if !ok {
			break
		}
		if object != nil && abi.StrongCount(object) == 0 {
			return fault.New("ValueError", "a %T that was not made by its class cannot leave Go; use Class.New", arg)
		}
		*v = abi.ObjectValue(object)
		return nil
	}
	if err := convert.ToArgument(arg, v); err != nil {
		return err
	}
	f.Own(*v)
	return nil
}
