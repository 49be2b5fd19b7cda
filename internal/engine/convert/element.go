package selfsame

import (
	"fmt"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Reading and writing the elements of containers. The most frequent Go types and handles are converted without allocation;
// the others go through their conversion and one heap variable, which a loop uses for all its elements.

// reader converts elements to E. The zero value is ready for use, by one goroutine at a time.
type reader[E any] struct {
	conv *conv
	to   *E // memory for the conversion
}

// read returns the Go value of a borrowed element. The error may be a *mismatch, to which the caller must add the element's
// place.
func (r *reader[E]) read(item *abi.Any) (e E, err error) {
	switch p := any(&e).(type) {
	case *int64:
		if item.TypeIndex == abi.IndexInt {
			*p = item.Int64()
			return e, nil
		}
	case *int:
		if item.TypeIndex == abi.IndexInt {
			*p = int(item.Int64())
			return e, nil
		}
	case *float64:
		if item.TypeIndex == abi.IndexFloat {
			*p = item.Float64()
			return e, nil
		}
	case *bool:
		if item.TypeIndex == abi.IndexBool {
			*p = item.Int64() != 0
			return e, nil
		}
	case *string:
		if s, ok := item.Text(); ok {
			*p = s
			return e, nil
		}
	}
	return r.convert(item)
}

// convert does read's work without a fast path.
func (r *reader[E]) convert(item *abi.Any) (e E, err error) {
	if r.conv == nil {
		r.conv = mustConv(reflect.TypeFor[E]())
	}
	if r.conv.handleOf != nil {
		if err := r.conv.check(item); err != nil {
			return e, err
		}
		c := handles.Fetch(item.Pointer())
		return *(*E)(unsafe.Pointer(&c)), nil
	}
	if r.to == nil {
		r.to = new(E)
	}
	err = r.conv.from(item, unsafe.Pointer(r.to))
	e = *r.to
	*r.to = *new(E)
	return e, err
}

// writeElement returns an owned value of a Go value.
func writeElement[E any](e E) (abi.Any, error) {
	switch p := any(&e).(type) { // by address: an interface with a number allocates
	case *int64:
		return abi.Int(*p), nil
	case *int:
		return abi.Int(int64(*p)), nil
	case *float64:
		return abi.Float(*p), nil
	case *bool:
		return abi.Bool(*p), nil
	case *string:
		if small, ok := abi.SmallStr(*p); ok && checkUTF8(*p) == nil {
			return small, nil
		}
		return newText(*p)
	}
	return writeByConv(e)
}

// writeByConv does writeElement's work without a fast path.
func writeByConv[E any](e E) (v abi.Any, err error) {
	c, err := convFor(reflect.TypeFor[E]())
	if err != nil {
		return v, err
	}
	from := new(E)
	*from = e
	err = c.to(unsafe.Pointer(from), &v)
	return v, err
}

// writeAll returns owned values of all elements. typeName is the container's in errors. On failure it releases the values
// that it made.
func writeAll[E any](typeName string, elems []E) ([]abi.Any, error) {
	owned := make([]abi.Any, len(elems))
	done := false
	defer func() {
		if !done { // an error, or a panic because a handle was released
			releaseAll(owned)
		}
	}()
	for i := range elems {
		v, err := writeElement(elems[i])
		if err != nil {
			return nil, inElement(fmt.Sprintf("%s[index %d]", typeName, i), err)
		}
		owned[i] = v
	}
	done = true
	return owned, nil
}

func sequenceName(index int32) string {
	if index == abi.IndexList {
		return "List"
	}
	return "Array"
}

// wrongElement returns the error of element i, which is not an E, from the error of its conversion.
func wrongElement[E any](typeName string, i int, err error) error {
	if m, ok := err.(*mismatch); ok {
		return newError("TypeError", "Cannot convert from type `%s[index %d: %s]` to `%s<%s>`", typeName, i, m.got, typeName,
			mustConv(reflect.TypeFor[E]()).name())
	}
	return inElement(fmt.Sprintf("%s[index %d]", typeName, i), err)
}

// mustConv returns the conversion of a type that was accepted when its class or function was registered; it panics for
// others.
func mustConv(t reflect.Type) *conv {
	c, err := convFor(t)
	if err != nil {
		panic(err)
	}
	return c
}

// keyText returns a key for messages.
func keyText(key *abi.Any) string {
	const shown = 40
	if s, ok := key.Text(); ok {
		if len(s) > shown {
			return strconv.Quote(s[:shown]) + "..."
		}
		return strconv.Quote(s)
	}
	switch key.TypeIndex {
	case abi.IndexInt:
		return strconv.FormatInt(key.Int64(), 10)
	case abi.IndexFloat:
		return strconv.FormatFloat(key.Float64(), 'g', -1, 64)
	}
	return "a " + valueTypeKey(key)
}

// itemAt returns the address of element i. The caller has checked that i is in range.
func itemAt(cell *abi.SeqCell, i int) *abi.Any {
	return (*abi.Any)(unsafe.Add(cell.Data, uintptr(i)*unsafe.Sizeof(abi.Any{})))
}

// at reads element i. It panics with a TypeError that names the container (what) when the element is not an E.
func (r *reader[E]) at(what string, cell *abi.SeqCell, i int) E {
	e, err := r.read(itemAt(cell, i))
	if err != nil {
		panic(wrongElement[E](what, i, err))
	}
	return e
}
