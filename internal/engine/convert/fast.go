package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// fastKind is the fast path of a Go type: adapters (call_adapter.go) and bound funcs (bind.go) convert values of these types
// without reflection and without allocation. Values of other types, and values that do not fit, take the general
// conversion of conv.
type fastKind uint8

const (
	noFastPath fastKind = iota
	fastInt64           // int, int64
	fastFloat64
	fastBool
	fastString
	fastBorrowed    // *T of a class struct
	fastBytes       // []byte
	fastLent        // Lent, of parameters only
	fastNumbers     // a slice of numbers, of parameters only
	fastLentNumbers // LentSlice, of parameters only
	fastHandle      // *Handle[T], *Function and other types that are the address of a handle state
)

// fastKindOf chooses the fast path of a conversion's Go type.
func fastKindOf(c *conv) fastKind {
	if c.handleOf != nil {
		return fastHandle
	}
	if c.lendsBytes {
		return fastLent
	}
	if c.lendsNumbers && c.goType.Elem().Kind() != reflect.Bool {
		if c.borrows {
			return fastLentNumbers
		}
		return fastNumbers
	}
	if c.callsOnly {
		return noFastPath
	}
	switch t := c.goType; t.Kind() {
	case reflect.Int, reflect.Int64:
		return fastInt64
	case reflect.Float64:
		return fastFloat64
	case reflect.Bool:
		return fastBool
	case reflect.String:
		return fastString
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return fastBytes
		}
	case reflect.Pointer:
		if isClassStruct(t.Elem()) {
			return fastBorrowed
		}
	}
	return noFastPath
}

// noPlain is a type index that no value has.
const noPlain = -1 << 31

// plainIndexOf returns conv.plain for a fast path.
func plainIndexOf(kind fastKind) int32 {
	switch kind {
	case fastInt64:
		return abi.IndexInt
	case fastFloat64:
		return abi.IndexFloat
	}
	return noPlain
}

// load returns the Go value of a borrowed value. It is small enough to be inlined.
func load[T any](c *conv, v *abi.Any) (value T, err error) {
	if v.TypeIndex == c.plain {
		return *(*T)(unsafe.Pointer(&v.Bits)), nil
	}
	return loadOther[T](c, v)
}

// loadOther does load's work for values whose 8 bytes are not the Go value.
func loadOther[T any](c *conv, v *abi.Any) (value T, err error) {
	switch c.fast {
	case fastBool:
		if v.TypeIndex == abi.IndexBool {
			*(*bool)(unsafe.Pointer(&value)) = v.Int64() != 0
			return value, nil
		}
	case fastString:
		if s, ok := v.Text(); ok {
			*(*string)(unsafe.Pointer(&value)) = s
			return value, nil
		}
	case fastBytes:
		if b, ok := copiedBytes(v); ok {
			*(*[]byte)(unsafe.Pointer(&value)) = b
			return value, nil
		}
	case fastLent:
		if b, ok := lentBytes(v); ok {
			*(*[]byte)(unsafe.Pointer(&value)) = b
			return value, nil
		}
	case fastNumbers, fastLentNumbers:
		if first, n, ok := adjacentNumbers(v, c.elements); ok {
			numbers := sliceHeader{first, n, n}
			if c.fast == fastNumbers {
				numbers = copyElements(first, n, uintptr(c.elements.Bits/8))
			}
			*(*sliceHeader)(unsafe.Pointer(&value)) = numbers
			return value, nil
		}
	case fastBorrowed:
		if v.IsObject() && c.classes[0].isInstance(v.TypeIndex) {
			*(*unsafe.Pointer)(unsafe.Pointer(&value)) = v.Pointer()
			return value, nil
		}
	case fastHandle:
		if v.IsObject() && c.handleOf.isInstance(v.TypeIndex) {
			*(*unsafe.Pointer)(unsafe.Pointer(&value)) = unsafe.Pointer(handles.Fetch(v.Pointer()))
			return value, nil
		}
	}
	return loadByConv[T](c, v)
}

// loadByConv does load's work without a fast path. It allocates.
func loadByConv[T any](c *conv, v *abi.Any) (T, error) {
	memory := new(T)
	err := c.from(v, unsafe.Pointer(memory))
	return *memory, err
}

// store makes *v an owned value of a Go value.
func store[T any](c *conv, value T, v *abi.Any) error {
	switch c.fast {
	case fastInt64:
		*v = abi.Int(*(*int64)(unsafe.Pointer(&value)))
		return nil
	case fastFloat64:
		*v = abi.Float(*(*float64)(unsafe.Pointer(&value)))
		return nil
	case fastBool:
		*v = abi.Bool(*(*bool)(unsafe.Pointer(&value)))
		return nil
	case fastString:
		return putText(*(*string)(unsafe.Pointer(&value)), v)
	case fastBytes:
		return putBytes(*(*[]byte)(unsafe.Pointer(&value)), v)
	case fastHandle:
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

// storeByConv does store's work without a fast path. It allocates.
func storeByConv[T any](c *conv, value T, v *abi.Any) error {
	memory := new(T)
	*memory = value
	return c.to(unsafe.Pointer(memory), v)
}

// direct returns a borrowed argument for a value that needs no argument frame: a number, a bool or a handle, which the
// caller must keep alive as held until the call returns. ok is false for all other values.
func direct[T any](c *conv, value T) (v abi.Any, held *handles.State, ok bool) {
	switch c.fast {
	case fastInt64:
		return abi.Int(*(*int64)(unsafe.Pointer(&value))), nil, true
	case fastFloat64:
		return abi.Float(*(*float64)(unsafe.Pointer(&value))), nil, true
	case fastBool:
		return abi.Bool(*(*bool)(unsafe.Pointer(&value))), nil, true
	case fastHandle:
		if k := *(**handles.State)(unsafe.Pointer(&value)); k != nil {
			if object := k.Address(); object != nil {
				return abi.ObjectValue(object), k, true
			}
		}
	}
	return v, nil, false
}

// put converts argument i of a call into the frame. On failure the caller must abandon the frame; when a handle was
// released, put abandons it and panics.
func put[T any](f *outFrame, i int, c *conv, value T) error {
	v := &f.Args[i]
	switch c.fast {
	case fastInt64, fastFloat64, fastBool:
		return store(c, value, v)
	case fastString:
		return f.argument(f.text(*(*string)(unsafe.Pointer(&value)), v), i)
	case fastHandle:
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

// putByConv does put's work without a fast path.
func putByConv[T any](f *outFrame, i int, c *conv, value T) error {
	done := false
	defer func() {
		if !done { // a panic, because a handle was released
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
