package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// passKind says that values of a Go type can go through the boundary without the general conversion: the typed funcs
// (typed.go, bind.go) then need neither reflection nor memory for them. What it does not cover, the conversion does.
type passKind uint8

const (
	passByConv passKind = iota
	passInt64           // int, int64
	passFloat64
	passBool
	passString
	passBorrowed // *T of a class struct
	passHandle   // *Handle[T], *Function and whatever else is a core's address
)

func passKindOf(c *conv) passKind {
	if c.handleOf != nil {
		return passHandle
	}
	switch t := c.goType; t.Kind() {
	case reflect.Int, reflect.Int64:
		return passInt64
	case reflect.Float64:
		return passFloat64
	case reflect.Bool:
		return passBool
	case reflect.String:
		return passString
	case reflect.Pointer:
		if isClassStruct(t.Elem()) {
			return passBorrowed
		}
	}
	return passByConv
}

// noPlain is the type index of no value.
const noPlain = -1 << 31

func plainIndexOf(pass passKind) int32 {
	switch pass {
	case passInt64:
		return abi.IndexInt
	case passFloat64:
		return abi.IndexFloat
	}
	return noPlain
}

// load is the Go value of a borrowed value of the ABI. It is small, to be inlined.
func load[T any](c *conv, v *abi.Any) (value T, err error) {
	if v.TypeIndex == c.plain {
		return *(*T)(unsafe.Pointer(&v.Bits)), nil
	}
	return loadOther[T](c, v)
}

func loadOther[T any](c *conv, v *abi.Any) (value T, err error) {
	switch c.pass {
	case passBool:
		if v.TypeIndex == abi.IndexBool {
			*(*bool)(unsafe.Pointer(&value)) = v.Int64() != 0
			return value, nil
		}
	case passString:
		if s, ok := v.Text(); ok {
			*(*string)(unsafe.Pointer(&value)) = s
			return value, nil
		}
	case passBorrowed:
		if v.IsObject() && c.classes[0].isInstance(v.TypeIndex) {
			*(*unsafe.Pointer)(unsafe.Pointer(&value)) = v.Pointer()
			return value, nil
		}
	case passHandle:
		if v.IsObject() && c.handleOf.isInstance(v.TypeIndex) {
			*(*unsafe.Pointer)(unsafe.Pointer(&value)) = unsafe.Pointer(handles.Fetch(v.Pointer()))
			return value, nil
		}
	}
	return loadByConv[T](c, v)
}

func loadByConv[T any](c *conv, v *abi.Any) (T, error) {
	place := new(T)
	err := c.from(v, unsafe.Pointer(place))
	return *place, err
}

// store makes *v an owned value of a Go value.
func store[T any](c *conv, value T, v *abi.Any) error {
	switch c.pass {
	case passInt64:
		*v = abi.Int(*(*int64)(unsafe.Pointer(&value)))
		return nil
	case passFloat64:
		*v = abi.Float(*(*float64)(unsafe.Pointer(&value)))
		return nil
	case passBool:
		*v = abi.Bool(*(*bool)(unsafe.Pointer(&value)))
		return nil
	case passString:
		return putText(*(*string)(unsafe.Pointer(&value)), v)
	case passHandle:
		if k := *(**handles.State)(unsafe.Pointer(&value)); k != nil {
			if object := k.Address(); object != nil {
				abi.IncRef(object)
				*v = abi.ObjectValue(object)
				return nil
			}
		}
	}
	return storeByConv(c, value, v)
}

func storeByConv[T any](c *conv, value T, v *abi.Any) error {
	place := new(T)
	*place = value
	return c.to(unsafe.Pointer(place), v)
}

// direct makes a borrowed argument of a value that needs no memory. held keeps its handle alive, if it is one. ok is false
// for all other values.
func direct[T any](c *conv, value T) (v abi.Any, held *handles.State, ok bool) {
	switch c.pass {
	case passInt64:
		return abi.Int(*(*int64)(unsafe.Pointer(&value))), nil, true
	case passFloat64:
		return abi.Float(*(*float64)(unsafe.Pointer(&value))), nil, true
	case passBool:
		return abi.Bool(*(*bool)(unsafe.Pointer(&value))), nil, true
	case passHandle:
		if k := *(**handles.State)(unsafe.Pointer(&value)); k != nil {
			if object := k.Address(); object != nil {
				return abi.ObjectValue(object), k, true
			}
		}
	}
	return v, nil, false
}

// taken is the Go value of an owned result, or the error of a call that failed.
func taken[T any](c *conv, result abi.Any) (value T, err error) {
	switch {
	case result.TypeIndex == bridge.Failed:
		return value, takeError(result.Pointer())
	case result.TypeIndex == abi.IndexInt && c.pass == passInt64, result.TypeIndex == abi.IndexFloat && c.pass == passFloat64:
		*(*uint64)(unsafe.Pointer(&value)) = result.Bits
		return value, nil
	case result.TypeIndex == abi.IndexBool && c.pass == passBool:
		*(*bool)(unsafe.Pointer(&value)) = result.Bits != 0
		return value, nil
	case c.pass == passHandle && result.IsObject() && c.handleOf.isInstance(result.TypeIndex):
		*(*unsafe.Pointer)(unsafe.Pointer(&value)) = unsafe.Pointer(handles.Adopt(result.Pointer()))
		return value, nil
	}
	frame := outFrames.Get().(*outFrame) // memory for the conversion
	frame.Result = result
	return take[T](c, frame)
}

// put makes argument i of a call.
func put[T any](f *outFrame, i int, c *conv, value T) error {
	v := &f.Args[i]
	switch c.pass {
	case passInt64, passFloat64, passBool:
		return store(c, value, v)
	case passString:
		return f.argument(f.text(*(*string)(unsafe.Pointer(&value)), v), i)
	case passHandle:
		if k := *(**handles.State)(unsafe.Pointer(&value)); k != nil {
			if object := k.Address(); object != nil {
				f.held[i], f.holds = k, true
				*v = abi.ObjectValue(object)
				return nil
			}
		}
	}
	return putByConv(f, i, c, value)
}

func putByConv[T any](f *outFrame, i int, c *conv, value T) error {
	done := false
	defer func() {
		if !done { // a panic: a handle was released
			f.abandon()
		}
	}()
	err := storeByConv(c, value, &f.Args[i])
	done = true
	if err != nil {
		return f.argument(err, i)
	}
	f.own(f.Args[i])
	return nil
}

// take is the result of a call, which leaves its frame.
func take[T any](c *conv, f *outFrame) (value T, err error) {
	if c.pass == passHandle && f.Result.IsObject() && c.handleOf.isInstance(f.Result.TypeIndex) {
		*(*unsafe.Pointer)(unsafe.Pointer(&value)) = unsafe.Pointer(handles.Adopt(f.Result.Pointer()))
		putFrame(f)
		return value, nil
	}
	value, err = load[T](c, &f.Result) // from the frame: a copy would go to the heap
	result := f.Result
	putFrame(f)
	releaseValue(result)
	return value, resultError(c, err)
}
