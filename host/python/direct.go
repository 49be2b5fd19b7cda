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
	heads uint64 // as bridge.CallWords takes them, without their number
	bits  [4]uint64
	n     int
}

// set makes words of a call of an object; false where an argument needs a frame.
func (w *words) set(o *Object, args []any) bool { return w.addObject(o) && w.addAll(args) }

// setNamed does set's work for a call with a name behind the object.
func (w *words) setNamed(o *Object, name string, args []any) bool {
	return len(args)+2 <= len(w.bits) && w.addObject(o) && w.addObject(nameOf(name)) && w.addAll(args)
}

func (w *words) addAll(args []any) bool {
	if w.n+len(args) > len(w.bits) {
		return false
	}
	for _, arg := range args {
		var v abi.Any
		switch x := arg.(type) {
		case int:
			v = abi.Int(int64(x))
		case int64:
			v = abi.Int(x)
		case float64:
			v = abi.Float(x)
		case bool:
			v = abi.Bool(x)
		case nil:
			v = abi.None()
		case string:
			short := false
			if v, short = abi.SmallStr(x); !short || values.CheckUTF8(x) != nil {
				return false
			}
		case *Object:
			if !w.addObject(x) {
				return false
			}
			continue
		default:
			return false
		}
		w.add(v)
	}
	return true
}

func (w *words) add(v abi.Any) {
	w.heads |= uint64(uint32(v.TypeIndex)|v.Len<<8) << (12 * w.n)
	w.bits[w.n] = v.Bits
	w.n++
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
	w.add(abi.Any{TypeIndex: abi.IndexOpaquePyObject, Bits: uint64(uintptr(object))})
	return true
}

// name is an attribute's name, with the interned str: Python finds attributes fastest by these, and names of any length fit
// into a word.
type name struct {
	text   string
	object *Object
}

// names has each name that was used, at most maxNames of them.
var names struct {
	recent [256]atomic.Pointer[name] // by the address of the text: constants of a program are found here
	known  sync.Map                  // string -> *name
	n      atomic.Int64
}

const maxNames = 1 << 14

// nameOf returns the interned str of a name; nil when there are too many or there is none.
func nameOf(text string) *Object {
	at := uintptr(unsafe.Pointer(unsafe.StringData(text)))
	recent := &names.recent[(at^at>>8)%uintptr(len(names.recent))]
	if n := recent.Load(); n != nil && n.text == text {
		return n.object
	}
	known, ok := names.known.Load(text)
	if !ok {
		if names.n.Load() >= maxNames {
			return nil
		}
		made, err := object(services.interned, text)
		if err != nil {
			return nil
		}
		copied := strings.Clone(text)
		if known, ok = names.known.LoadOrStore(copied, &name{copied, made}); !ok {
			names.n.Add(1)
		}
	}
	recent.Store(known.(*name))
	return known.(*name).object
}

func stateOf(o *Object) *handles.State { return (*handles.State)(unsafe.Pointer(o)) }

// direct calls a service with words that were made of an object and arguments, with a place in Python.
func direct[R any](service *selfsame.Function, w *words, o *Object, args []any) (made R, err error) {
	if err = places.enter(context.Background()); err != nil {
		return made, err
	}
	defer places.leave()
	function := (*handles.State)(unsafe.Pointer(service))
	v := bridge.CallWords(values.FunctionObject(function), w.heads|uint64(w.n)<<48, w.bits[0], w.bits[1], w.bits[2], w.bits[3])
	runtime.KeepAlive(o)
	runtime.KeepAlive(args)
	if v.TypeIndex == bridge.Failed {
		return made, fromPython(fault.Take(v.Pointer()))
	}
	return quickly[R](v)
}

// quickly does goValue's work, at once for the results that are most frequent.
func quickly[R any](v abi.Any) (made R, err error) {
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

// numbered is the native object of a Python object, as the core of selfsame_ffi makes it: it says which number that is.
type numbered struct {
	abi.Object
	abi.OpaqueCell
	number abi.Any // None for what is no int of 64 bits and no float
}

// numberOf returns the number that an object is, without a call; false for other objects, nil and one that was released.
func numberOf(o *Object) (number abi.Any, ok bool) {
	if o == nil || o == None {
		return number, false
	}
	if n := (*numbered)(stateOf(o).Address()); n != nil && n.Deleter == services.deleter {
		number = n.number
	}
	runtime.KeepAlive(o)
	return number, number.TypeIndex != abi.IndexNone
}
