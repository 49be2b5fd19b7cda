package convert

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// FastKind says which fast path the values of a Go type take. Adapters and bound funcs of package call convert such
// values without reflection and without allocation. Values of other types, and values that do not fit, take the type's
// Conv.
type FastKind uint8

const (
	NoFastPath FastKind = iota
	FastInt64           // int, int64
	FastFloat64
	FastBool
	FastString
	FastBorrowed    // *T of a class struct
	FastBytes       // []byte
	FastLent        // Lent, of parameters only
	fastLentTensor  // LentTensor, of parameters only
	fastNumbers     // a slice of numbers, of parameters only
	fastLentNumbers // LentSlice, of parameters only
	FastHandle      // *Handle[T], *Function and other types that are the address of a handle state
	fastContainer   // *Array[E], *List[E], *Map[K, V], *Dict[K, V], of arguments only
	FastPointer     // a pointer with LoadPointer and StorePointer: that of a wrapped type
)

// fastKindOf chooses the fast path of a conversion's Go type.
func fastKindOf(c *Conv) FastKind {
	if c.HandleOf != nil {
		return FastHandle
	}
	if c.container {
		return fastContainer
	}
	if c.LoadPointer != nil && c.GoType.Kind() == reflect.Pointer {
		return FastPointer
	}
	if c.lendsBytes {
		return FastLent
	}
	if c.LendsTensor {
		return fastLentTensor
	}
	if c.LendsNumbers && c.GoType.Elem().Kind() != reflect.Bool {
		if c.Borrows {
			return fastLentNumbers
		}
		return fastNumbers
	}
	if c.CallsOnly {
		return NoFastPath
	}
	switch t := c.GoType; t.Kind() {
	default:
		return scalarKindOf(t)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return FastBytes
		}
	case reflect.Pointer:
		if typetable.IsClassStruct(t.Elem()) {
			return FastBorrowed
		}
	}
	return NoFastPath
}

// Load returns the Go value of a borrowed value. It is small enough to be inlined.
func Load[T any](c *Conv, v *abi.Any) (value T, err error) {
	if v.TypeIndex == c.BitsIndex {
		return *(*T)(unsafe.Pointer(&v.Bits)), nil
	}
	return loadOther[T](c, v)
}

// loadOther does Load's work for values whose 8 bytes are not the Go value. The compiler makes it for each type, so that what does not need
// the type is in loadFast.
func loadOther[T any](c *Conv, v *abi.Any) (value T, err error) {
	if done, err := c.loadFast(v, unsafe.Pointer(&value)); done {
		return value, err
	}
	return loadByConv[T](c, v)
}

// loadFast stores the Go value of a borrowed value at dst if the conversion has a fast path for it; otherwise done is false.
func (c *Conv) loadFast(v *abi.Any, dst unsafe.Pointer) (done bool, err error) {
	switch c.Fast {
	case FastInt64, FastFloat64, FastBool, FastString:
		return loadScalar(c.Fast, v, dst), nil
	case FastBytes:
		if b, ok := values.CopiedBytes(v); ok {
			*(*[]byte)(dst) = b
			return true, nil
		}
	case FastLent:
		if b, ok := lentBytes(v); ok {
			*(*[]byte)(dst) = b
			return true, nil
		}
	case fastLentTensor:
		if tensor, ok := TensorIn(v); ok && tensor.Data != nil {
			*(*LentTensor)(dst) = Lent(v, tensor)
			return true, nil
		}
	case fastNumbers, fastLentNumbers:
		if first, n, ok := AdjacentNumbers(v, c.Elements); ok {
			numbers := SliceHeader{first, n, n}
			if c.Fast == fastNumbers {
				numbers = copyElements(first, n, uintptr(c.Elements.Bits/8))
			}
			*(*SliceHeader)(dst) = numbers
			return true, nil
		}
	case FastBorrowed:
		if v.IsObject() && c.Classes[0].IsInstance(v.TypeIndex) {
			*(*unsafe.Pointer)(dst) = v.Pointer()
			return true, nil
		}
	case FastHandle:
		if v.IsObject() && c.HandleOf.IsInstance(v.TypeIndex) {
			*(*unsafe.Pointer)(dst) = unsafe.Pointer(handles.Fetch(v.Pointer()))
			return true, nil
		}
	case FastPointer:
		*(*unsafe.Pointer)(dst), err = c.LoadPointer(v)
		return true, err
	}
	return false, nil
}

// loadByConv does Load's work without a fast path. It allocates.
func loadByConv[T any](c *Conv, v *abi.Any) (T, error) {
	memory := new(T)
	err := c.From(v, unsafe.Pointer(memory))
	return *memory, err
}

// Store makes *v an owned value of a Go value. As in loadOther, what does not need the type is in a method.
func Store[T any](c *Conv, value T, v *abi.Any) error {
	if done, err := c.storeFast(unsafe.Pointer(&value), v); done {
		return err
	}
	return storeByConv(c, value, v)
}

// storeFast makes *v an owned value of the Go value at src if the conversion has a fast path for it; otherwise done is false.
func (c *Conv) storeFast(src unsafe.Pointer, v *abi.Any) (done bool, err error) {
	switch c.Fast {
	case FastInt64, FastFloat64, FastBool:
		*v, _ = storeScalar(c.Fast, src)
		return true, nil
	case FastString:
		return true, values.PutText(*(*string)(src), v)
	case FastBytes:
		return true, values.PutBytes(*(*[]byte)(src), v)
	case FastHandle:
		if k := *(**handles.State)(src); k != nil {
			if object := k.Address(); object != nil {
				abi.IncRef(object)
				*v = abi.ObjectValue(object)
				return true, nil
			}
		}
	case FastBorrowed:
		if object := *(*unsafe.Pointer)(src); object != nil && c.Classes[0].IsLive(object) {
			abi.IncRef(object)
			*v = abi.ObjectValue(object)
			return true, nil
		}
	case FastPointer:
		return true, c.StorePointer(*(*unsafe.Pointer)(src), v)
	}
	return false, nil
}

// storeByConv does Store's work without a fast path. It allocates.
func storeByConv[T any](c *Conv, value T, v *abi.Any) error {
	memory := new(T)
	*memory = value
	return c.To(unsafe.Pointer(memory), v)
}

// Direct returns a borrowed argument for a value that needs no argument frame: a number, a bool, a short text or a handle,
// which the caller must keep alive as held until the call returns. ok is false for all other values.
func Direct[T any](c *Conv, value T) (v abi.Any, held *handles.State, ok bool) {
	switch c.Fast {
	case FastInt64, FastFloat64, FastBool:
		v, ok = storeScalar(c.Fast, unsafe.Pointer(&value))
		return v, nil, ok
	case FastHandle, fastContainer:
		if k := *(**handles.State)(unsafe.Pointer(&value)); k != nil {
			if object := k.Address(); object != nil {
				return abi.ObjectValue(object), k, true
			}
		} else if c.Required == "" && (c.Nilable || c.Fast == fastContainer) {
			return abi.None(), nil, true
		}
	case FastString:
		if s := *(*string)(unsafe.Pointer(&value)); len(s) <= abi.SmallMax && values.CheckUTF8(s) == nil {
			v, ok = abi.SmallStr(s)
			return v, nil, ok
		}
	}
	return v, nil, false
}

// Put converts argument i of a call into the frame. It fails for a released handle, and for a nil one where the argument is
// required. On failure the caller must abandon the frame.
func Put[T any](f *values.Frame, i int, c *Conv, value T) error {
	v := &f.Args[i]
	switch c.Fast {
	case FastInt64, FastFloat64, FastBool:
		return Store(c, value, v)
	case FastString:
		return f.Argument(f.Text(*(*string)(unsafe.Pointer(&value)), v), i)
	case FastHandle, fastContainer:
		if k := *(**handles.State)(unsafe.Pointer(&value)); k != nil {
			if object := k.Address(); object != nil {
				f.Held[i], f.Holds = k, true
				*v = abi.ObjectValue(object)
				return nil
			}
		}
	}
	return putByConv(f, i, c, value)
}

// putByConv does Put's work without a fast path.
func putByConv[T any](f *values.Frame, i int, c *Conv, value T) (err error) {
	if c.Required != "" {
		if err := c.CheckGiven(value); err != nil {
			return err
		}
	}
	done := false
	defer func() {
		if !done { // a panic, because a handle was released
			err = Released(f, recover())
		}
	}()
	err = storeByConv(c, value, &f.Args[i])
	done = true
	if err != nil {
		return f.Argument(err, i)
	}
	f.Own(f.Args[i])
	return nil
}

// CheckGiven returns an error when an argument that is required is nil.
func (c *Conv) CheckGiven(value any) error {
	if value == nil {
		return fault.New("TypeError", "%s: expected an object, got nil", c.Required)
	}
	if v := reflect.ValueOf(value); v.Kind() == reflect.Pointer && v.IsNil() {
		return fault.New("TypeError", "%s: expected %s, got nil", c.Required, v.Type())
	}
	return nil
}

// Released returns the error of an argument whose conversion has panicked because a handle was released. After any other panic it
// abandons the frame and goes on panicking.
func Released(f *values.Frame, panicked any) error {
	if err, ok := panicked.(*fault.Error); ok {
		return err
	}
	f.Abandon()
	panic(panicked)
}
