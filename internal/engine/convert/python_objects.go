package convert

import (
	"runtime"
	"sync"
	"unsafe"
	"weak"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// pythonObject is a Python object that Go code of others keeps, as an any. A cache or a list returns it as the same object. There is
// one for each object, so that it is equal to itself. Code that looks into it gets its text, and an error where it is encoded.
type pythonObject struct {
	object *handles.State
	class  string
}

// pythonObjects are those alive, by the address of the Python object, which they keep alive.
var pythonObjects struct {
	sync.Mutex
	known map[unsafe.Pointer]weak.Pointer[pythonObject]
}

// pythonObjectOf returns the pythonObject of a borrowed opaque object of a class.
func pythonObjectOf(v *abi.Any, class string) *pythonObject {
	address := *(*unsafe.Pointer)(unsafe.Add(v.Pointer(), abi.BodyOffset)) // the one field of an opaque object
	if known := knownPythonObject(address); known != nil {
		return known
	}
	abi.IncRef(v.Pointer())
	made := &pythonObject{handles.FetchOwned(v.Pointer()), class}
	pythonObjects.Lock()
	defer pythonObjects.Unlock()
	if known := pythonObjects.known[address].Value(); known != nil { // another goroutine was faster
		return known
	}
	if pythonObjects.known == nil {
		pythonObjects.known = map[unsafe.Pointer]weak.Pointer[pythonObject]{}
	}
	pythonObjects.known[address] = weak.Make(made)
	runtime.AddCleanup(made, forgetPythonObject, address)
	return made
}

func knownPythonObject(address unsafe.Pointer) *pythonObject {
	pythonObjects.Lock()
	defer pythonObjects.Unlock()
	return pythonObjects.known[address].Value()
}

func forgetPythonObject(address unsafe.Pointer) {
	pythonObjects.Lock()
	defer pythonObjects.Unlock()
	if pythonObjects.known[address].Value() == nil { // another one may have been made
		delete(pythonObjects.known, address)
	}
}

// put makes *v an owned reference to the object.
func (o *pythonObject) put(v *abi.Any) {
	defer runtime.KeepAlive(o)
	object := o.object.Address()
	abi.IncRef(object)
	*v = abi.ObjectValue(object)
}

// String returns the str of the object, its class where that raises.
func (o *pythonObject) String() string {
	var v abi.Any
	o.put(&v)
	defer values.Release(v)
	if text, ok := pythonText("text", v); ok {
		return text
	}
	return "<" + o.class + ">"
}

// pythonText returns the str of a Python object, with the kind "repr" its repr; ok is false when that raises.
func pythonText(kind string, v abi.Any) (text string, ok bool) {
	service := pythonUnpack.Function()
	if service == nil {
		return "", false
	}
	made, err := values.CallValues(service, []abi.Any{KindValue(kind), v})
	if err != nil {
		return "", false
	}
	defer values.Release(made)
	text, ok = made.Text()
	return string([]byte(text)), ok
}

// MarshalBinary refuses to encode the object. Encoders of CBOR, MessagePack and gob call it.
func (o *pythonObject) MarshalBinary() ([]byte, error) { return o.MarshalText() }

// MarshalText refuses to encode the object. Encoders of JSON, YAML, TOML and XML call it.
func (o *pythonObject) MarshalText() ([]byte, error) {
	return nil, fault.New("TypeError", "expected a value with a counterpart in Go, got %s", o.class)
}
