package call

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// funcConv makes the conversion of a func type: a Go func becomes a new Function, and a Function becomes a func of the type,
// as [Bind] makes it.
func funcConv(t reflect.Type) (*convert.Conv, error) {
	return namedFuncConv(t, func() string { return "a callback" })
}

// namedFuncConv makes the conversion that funcConv makes, for an argument that messages give a name.
func namedFuncConv(t reflect.Type, what func() string) (*convert.Conv, error) {
	sig, err := SignatureOf("", t, SignatureOptions{Callback: true})
	if err != nil {
		return nil, err
	}
	function := typetable.Nearest(abi.IndexFunction)
	bound := sync.OnceValues(func() (*Signature, error) {
		sig, err := bindable(t)
		if err == nil {
			sig.callOf(t, what)
		}
		return sig, err
	})
	check := func(v *abi.Any) error {
		if v.TypeIndex != abi.IndexFunction {
			return convert.Mismatched(v)
		}
		return nil
	}
	c := &convert.Conv{
		Traits: convert.Traits{Classes: sig.Classes()},
		Named:  func(what func() string) *convert.Conv { return renamed(t, what) },
		Name:   function.TypeKey,
		Schema: func() string {
			if at := filled(t, what()); at >= 0 && convert.ShownArgument != nil {
				return sig.filling(at).callbackSchema()
			}
			return sig.callbackSchema()
		},
		Type: convert.TypeOnce(func() *bridge.Type {
			return bridge.NewType(bridge.KindObject, function.Native, nil, function.TypeKey())
		}),
		Check: check,
		To: func(src unsafe.Pointer, v *abi.Any) error {
			fn := reflect.NewAt(t, src).Elem()
			if fn.IsNil() {
				*v = abi.None()
				return nil
			}
			c, err := NewClosure("", fn.Interface(), SignatureOptions{Callback: true})
			if err != nil {
				return err
			}
			object, err := c.Function()
			if err != nil {
				return err
			}
			*v = abi.ObjectValue(object)
			return nil
		},
	}
	c.SetFrom(func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
		if err := check(v); err != nil {
			return err
		}
		sig, err := bound()
		if err != nil {
			return err
		}
		bindAt(convert.Fetch(v.Pointer(), lent), t, sig, dst)
		return nil
	})
	return c, nil
}

// renamed makes the conversion of a func type that has one already.
func renamed(t reflect.Type, what func() string) *convert.Conv {
	known := convert.MustFor(t)
	made, err := namedFuncConv(t, what)
	if err != nil {
		return known
	}
	return made.InPlaceOf(known)
}
