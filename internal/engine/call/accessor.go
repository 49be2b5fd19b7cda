package call

import (
	"reflect"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Accessor reads and sets a field of a class through its reflection. The first use looks the field up.
type Accessor struct {
	key, name string
	fieldType reflect.Type

	ready atomic.Pointer[readyAccessor]
}

type readyAccessor struct {
	info  *abi.FieldInfo // for the life of the process
	class int32
	depth int32
	sig   *Signature // whose result is the field
}

// NewAccessor makes the accessor of a field, of Go type t, that a class registers itself. It looks nothing up.
func NewAccessor(t reflect.Type, key, name string) *Accessor {
	return &Accessor{key: key, name: name, fieldType: t}
}

func (a *Accessor) prepare() (*readyAccessor, error) {
	c, err := convert.For(a.fieldType)
	if err == nil {
		err = CheckOwns(c)
	}
	if err != nil {
		return nil, fault.New("TypeError", "selfsame: %s.%s: %s", a.key, a.name, fault.Reason(err))
	}
	index := bridge.TypeIndex(a.key)
	if index < 0 {
		return nil, notRegistered(a.key+"."+a.name, a.key)
	}
	class := typetable.TypeInfo(index)
	fields := class.OwnFields()
	for i := range fields {
		if string(fields[i].Name.Bytes()) == a.name {
			ready := &readyAccessor{info: &fields[i], class: index, depth: class.Depth, sig: &Signature{Result: c, context: -1}}
			a.ready.Store(ready)
			return ready, nil
		}
	}
	return nil, fault.New("AttributeError", "selfsame: %s.%s: class `%s` has no field `%s`; %s", a.key, a.name, a.key, a.name, otherLibrary)
}

// field returns the field, when the object is of the class.
func (a *Accessor) field(object unsafe.Pointer) (*readyAccessor, error) {
	ready := a.ready.Load()
	if ready == nil {
		var err error
		if ready, err = a.prepare(); err != nil {
			return nil, err
		}
	}
	if index := abi.TypeIndexOf(object); index != ready.class {
		info := typetable.TypeInfo(index)
		if info.Depth <= ready.depth || info.Ancestor(ready.depth).TypeIndex != ready.class {
			return nil, fault.New("TypeError", "selfsame: %s.%s: expected an object of the class, got a `%s`", a.key, a.name,
				info.Key.String())
		}
	}
	return ready, nil
}

// ReadField returns the field of the object of a handle.
func ReadField[V any](a *Accessor, h *handles.State, object unsafe.Pointer) (value V, err error) {
	ready, err := a.field(object)
	if err != nil {
		return value, err
	}
	v := bridge.GetFieldWords(ready.info, object)
	runtime.KeepAlive(h)
	return taken[V](ready.sig, v)
}

// SetField sets the field of the object of a handle.
func SetField[V any](a *Accessor, h *handles.State, object unsafe.Pointer, value V) error {
	ready, err := a.field(object)
	if err != nil {
		return err
	}
	if ready.info.Flags&abi.FlagWritable == 0 || ready.info.Setter == nil {
		return fault.New("AttributeError", "selfsame: %s.%s: the field is read only", a.key, a.name)
	}
	var v abi.Any
	if err := convert.Store(ready.sig.Result, value, &v); err != nil {
		return err
	}
	failed := bridge.SetField(ready.info, object, v)
	values.Release(v)
	runtime.KeepAlive(h)
	return fault.Take(failed)
}
