package python

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// words are the arguments of a call that needs no argument frame: an object and up to three numbers, short texts or objects,
// which its function gets in the processor's registers.
type words struct {
	args [4]abi.Any
	n    int
}

// set makes words of a call of an object; false where an argument needs a frame.
func (w *words) set(o *Object, args []any) bool { return w.addObject(o) && w.addAll(args) }

// setNamed does set's work for a call with a name behind the object.
func (w *words) setNamed(o *Object, name string, args []any) bool {
	return len(args)+2 <= len(w.args) && w.addObject(o) && w.addObject(nameOf(name)) && w.addAll(args)
}

func (w *words) addAll(args []any) bool {
	if w.n+len(args) > len(w.args) {
		return false
	}
	for _, arg := range args {
		if !w.add(arg) {
			return false
		}
	}
	return true
}

func (w *words) add(arg any) (ok bool) {
	at := &w.args[w.n]
	switch x := arg.(type) {
	case int:
		*at = abi.Int(int64(x))
	case int64:
		*at = abi.Int(x)
	case float64:
		*at = abi.Float(x)
	case bool:
		*at = abi.Bool(x)
	case nil:
		*at = abi.None()
	case string:
		if values.CheckUTF8(x) != nil {
			return false
		}
		if *at, ok = abi.SmallStr(x); !ok {
			return false
		}
	case *Object:
		return w.addObject(x)
	default:
		return false
	}
	w.n++
	return true
}

// addObject adds an object; false for nil, None and one that was released, of which the call with a frame says so.
func (w *words) addObject(o *Object) bool {
	if o == nil || o == None {
		return false
	}
	object := stateOf(o).Address()
	if object == nil {
		return false
	}
	w.args[w.n] = abi.ObjectValue(object)
	w.n++
	return true
}

// names has the interned str of each name of an attribute that was used, at most maxNames of them: Python finds attributes
// fastest by these, and names of any length fit into a word.
var names struct {
	known sync.Map // string -> *Object
	n     atomic.Int64
}

const maxNames = 1 << 14

// nameOf returns the interned str of a name; nil when there are too many or there is none.
func nameOf(name string) *Object {
	if known, ok := names.known.Load(name); ok {
		return known.(*Object)
	}
	if names.n.Load() >= maxNames {
		return nil
	}
	made, err := object(services.interned, name)
	if err != nil {
		return nil
	}
	if _, known := names.known.LoadOrStore(strings.Clone(name), made); !known {
		names.n.Add(1)
	}
	return made
}

func stateOf(o *Object) *handles.State { return (*handles.State)(unsafe.Pointer(o)) }

// direct calls a service with words that were made of an object and arguments, with a place in Python.
func direct[R any](service *selfsame.Function, w *words, o *Object, args []any) (made R, err error) {
	if err = places.enter(context.Background()); err != nil {
		return made, err
	}
	defer places.leave()
	function := (*handles.State)(unsafe.Pointer(service))
	var v abi.Any
	if w.n <= 2 {
		v = bridge.Call2(values.FunctionObject(function), w.n, w.args[0], w.args[1])
	} else {
		v = bridge.Call4(values.FunctionObject(function), w.n, w.args[0], w.args[1], w.args[2], w.args[3])
	}
	runtime.KeepAlive(o)
	runtime.KeepAlive(args)
	if v.TypeIndex == bridge.Failed {
		return made, fromPython(fault.Take(v.Pointer()))
	}
	switch at := any(&made).(type) {
	case *int:
		if v.TypeIndex == abi.IndexInt {
			*at = int(v.Int64())
			return made, nil
		}
	case *float64:
		if v.TypeIndex == abi.IndexFloat {
			*at = v.Float64()
			return made, nil
		}
	case **Object:
		if v.TypeIndex == abi.IndexOpaquePyObject {
			*at = (*Object)(unsafe.Pointer(handles.FetchOwned(v.Pointer())))
			return made, nil
		}
	}
	return goValue[R](v)
}
