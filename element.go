package selfsame

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Reading and writing the elements of containers. The commonest Go types and handles are done in place; the others go by
// their conversion, through memory of the heap that a loop uses again and again.

// reader reads elements as Es. The zero reader is ready.
type reader[E any] struct {
	conv *conv
	to   *E
}

// read is the Go value of an element. The error may be a *mismatch: the caller says where the element stands.
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

// writeElement makes an owned value of a Go value.
func writeElement[E any](e E) (abi.Any, error) {
	switch p := any(&e).(type) { // through its address: a number in an interface would need memory
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

// writeAll makes owned values of all elements. what names the container in errors; on failure nothing is left.
func writeAll[E any](what string, elems []E) ([]abi.Any, error) {
	owned := make([]abi.Any, len(elems))
	done := false
	defer func() {
		if !done { // an error, or a panic: a handle was released
			releaseAll(owned)
		}
	}()
	for i := range elems {
		v, err := writeElement(elems[i])
		if err != nil {
			return nil, inElement(fmt.Sprintf("%s[index %d]", what, i), err)
		}
		owned[i] = v
	}
	done = true
	return owned, nil
}

// inElement says which element an error is about.
func inElement(where string, err error) error {
	if e, ok := err.(*Error); ok && e.object == nil {
		return newError(e.Kind, "%s: %s", where, e.Message)
	}
	return err
}

func releaseAll(owned []abi.Any) {
	for _, v := range owned {
		releaseValue(v)
	}
}
