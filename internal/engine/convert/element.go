package convert

import (
	"reflect"
	"strconv"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Reading and writing the elements of containers. The most frequent Go types and handles are converted without allocation;
// the others go through their conversion and one heap variable, which a loop uses for all its elements.

// Reader converts elements to E. The zero value is ready for use, by one goroutine at a time.
type Reader[E any] struct {
	conv *Conv
	to   *E // memory for the conversion
}

// Read returns the Go value of a borrowed element. The error may be a *mismatch, to which the caller must add the element's
// place.
func (r *Reader[E]) Read(item *abi.Any) (e E, err error) {
	if loadScalar(staticKind[E](), item, unsafe.Pointer(&e)) {
		return e, nil
	}
	return r.convert(item)
}

// convert does Read's work without a fast path.
func (r *Reader[E]) convert(item *abi.Any) (e E, err error) {
	if r.conv == nil {
		r.conv = MustFor(reflect.TypeFor[E]())
	}
	if r.conv.HandleOf != nil {
		if err := r.conv.Check(item); err != nil || item.TypeIndex == abi.IndexNone {
			return e, err
		}
		c := handles.Fetch(item.Pointer())
		return *(*E)(unsafe.Pointer(&c)), nil
	}
	if r.conv.Fast == FastBorrowed && item.IsObject() && r.conv.Classes[0].IsInstance(item.TypeIndex) {
		object := item.Pointer()
		return *(*E)(unsafe.Pointer(&object)), nil
	}
	if r.to == nil {
		r.to = new(E)
	}
	err = r.conv.From(item, unsafe.Pointer(r.to))
	e = *r.to
	*r.to = *new(E)
	return e, err
}

// WriteElement returns an owned value of a Go value.
func WriteElement[E any](e E) (abi.Any, error) {
	kind := staticKind[E]()
	if v, ok := storeScalar(kind, unsafe.Pointer(&e)); ok {
		return v, nil
	}
	if kind == FastString {
		text := *(*string)(unsafe.Pointer(&e))
		if small, ok := abi.SmallStr(text); ok && values.CheckUTF8(text) == nil {
			return small, nil
		}
		return values.NewText(text)
	}
	return writeByConv(e)
}

// writeByConv does WriteElement's work for types that the compiler does not know here.
func writeByConv[E any](e E) (v abi.Any, err error) {
	c, err := For(reflect.TypeFor[E]())
	if err != nil {
		return v, err
	}
	err = Store(c, e, &v)
	return v, err
}

// WriteAll returns owned values of all elements. typeName is the container's in errors. On failure it releases the values
// that it made.
func WriteAll[E any](typeName string, elems []E) ([]abi.Any, error) {
	owned := make([]abi.Any, len(elems))
	done := false
	defer func() {
		if !done { // an error, or a panic because a handle was released
			values.ReleaseAll(owned)
		}
	}()
	for i := range elems {
		v, err := WriteElement(elems[i])
		if err != nil {
			return nil, AtIndex(typeName, i, err)
		}
		owned[i] = v
	}
	done = true
	return owned, nil
}

func SequenceName(index int32) string {
	if index == abi.IndexList {
		return "List"
	}
	return "Array"
}

// WrongElement returns the error of element i, which is not an E, from the error of its conversion.
func WrongElement[E any](typeName string, i int, err error) error {
	if m, ok := err.(*Mismatch); ok {
		return fault.New("TypeError", "Cannot convert from type `%s[index %d: %s]` to `%s<%s>`", typeName, i, m.Got, typeName,
			MustFor(reflect.TypeFor[E]()).Name())
	}
	return AtIndex(typeName, i, err)
}

// MustFor returns the conversion of a type that was accepted when its class or function was registered; it panics for
// others.
func MustFor(t reflect.Type) *Conv {
	c, err := For(t)
	if err != nil {
		panic(err)
	}
	return c
}

// KeyText returns a key for messages.
func KeyText(key *abi.Any) string {
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
	case abi.IndexBool:
		return []string{"False", "True"}[key.Bits&1]
	case abi.IndexOpaquePyObject:
		if text, ok := pythonText("repr", *key); ok {
			return text
		}
	}
	return "<" + ValueTypeKey(key) + ">"
}

// ItemAt returns the address of element i. The caller has checked that i is in range.
func ItemAt(cell *abi.SeqCell, i int) *abi.Any {
	return (*abi.Any)(unsafe.Add(cell.Data, uintptr(i)*unsafe.Sizeof(abi.Any{})))
}

// At reads element i. It panics with a TypeError that names the container (what) when the element is not an E.
func (r *Reader[E]) At(what string, cell *abi.SeqCell, i int) E {
	e, err := r.Read(ItemAt(cell, i))
	if err != nil {
		panic(WrongElement[E](what, i, err))
	}
	return e
}
