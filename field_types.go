package selfsame

import (
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// fieldType is implemented by pointers to the field types of this package.
type fieldType interface {
	// fieldConv is the conversion of the field's value.
	fieldConv() (*conv, error)
	// initial is the owned value of the field in a new object.
	initial() (abi.Any, error)
	// storage is the type index that reflection gives for the field. fresh: each new object gets a container of its own.
	storage() (index int32, fresh bool)
}

// String is a field that holds a String. A new object's is empty.
type String struct {
	_     noCopy
	value abi.Any
}

// Set stores a copy of s. It panics with a ValueError when s is not UTF-8.
func (c *String) Set(s string) {
	v, err := newText(s)
	if err != nil {
		panic(err)
	}
	swapValue(&c.value, v)
}

// Get copies the content.
func (c *String) Get() string {
	s, _ := c.value.Text()
	return s
}

// String is Get, for fmt.
func (c *String) String() string { return c.Get() }

func (c *String) fieldConv() (*conv, error) { return convFor(reflect.TypeFor[string]()) }
func (c *String) initial() (abi.Any, error) { return newText("") }
func (c *String) storage() (int32, bool)    { return abi.IndexAny, false }

// Bytes is a field that holds Bytes. A new object's is empty.
type Bytes struct {
	_     noCopy
	value abi.Any
}

// Set stores a copy of b.
func (c *Bytes) Set(b []byte) {
	v, err := newBytes(b)
	if err != nil {
		panic(err)
	}
	swapValue(&c.value, v)
}

// Get copies the content.
func (c *Bytes) Get() []byte {
	content, _, _ := c.value.Content()
	return append([]byte{}, content...)
}

// Len is the number of bytes.
func (c *Bytes) Len() int {
	content, _, _ := c.value.Content()
	return len(content)
}

func (c *Bytes) fieldConv() (*conv, error) { return convFor(reflect.TypeFor[[]byte]()) }
func (c *Bytes) initial() (abi.Any, error) { return newBytes(nil) }
func (c *Bytes) storage() (int32, bool)    { return abi.IndexAny, false }

// Any is a field that holds a value of any type. A new object's is nil.
type Any struct {
	_     noCopy
	value abi.Any
}

// Set stores a Go value of one of the types that the package documentation lists. It panics with a TypeError for any
// other.
func (c *Any) Set(value any) {
	var v abi.Any
	if err := fromGo(value, &v); err != nil {
		panic(err)
	}
	swapValue(&c.value, v)
}

// Get is the value, as [Function.Call] gives results.
func (c *Any) Get() any {
	value, err := toGo(&c.value)
	if err != nil {
		panic(err)
	}
	return value
}

func (c *Any) fieldConv() (*conv, error) { return convFor(anyType) }
func (c *Any) initial() (abi.Any, error) { return abi.None(), nil }
func (c *Any) storage() (int32, bool)    { return abi.IndexAny, false }

// Ref is a field that holds an object of class T, or of a class derived from it. A new object's is empty until it is set.
type Ref[T any] struct {
	_      noCopy
	_      [0]*T
	object uintptr
}

// Set stores the object of a handle. It panics with a ValueError when the handle is nil or released.
func (c *Ref[T]) Set(h *Handle[T]) {
	object := h.nativeObject()
	abi.IncRef(object)
	runtime.KeepAlive(h)
	swapObject(&c.object, object)
}

// Get is the handle of the object, nil when the field is empty.
func (c *Ref[T]) Get() *Handle[T] { return handleIn[T](c.object) }

// Ptr borrows the object from the field, nil when it is empty. It makes no handle.
func (c *Ref[T]) Ptr() *T { return (*T)(handles.Pointer(c.object)) }

func (c *Ref[T]) fieldConv() (*conv, error) { return convFor(reflect.TypeFor[*Handle[T]]()) }
func (c *Ref[T]) initial() (abi.Any, error) { return abi.None(), nil }
func (c *Ref[T]) storage() (int32, bool)    { return abi.IndexObject, false }

// Opt is a field that holds an object of class T, or of a class derived from it, or nothing.
type Opt[T any] struct {
	_      noCopy
	_      [0]*T
	object uintptr
}

// Set stores the object of a handle; nil empties the field. It panics when the handle was released.
func (c *Opt[T]) Set(h *Handle[T]) {
	if h == nil {
		swapObject(&c.object, nil)
		return
	}
	object := h.nativeObject()
	abi.IncRef(object)
	runtime.KeepAlive(h)
	swapObject(&c.object, object)
}

// Get is the handle of the object, nil when the field is empty.
func (c *Opt[T]) Get() *Handle[T] { return handleIn[T](c.object) }

// Ptr borrows the object from the field, nil when it is empty. It makes no handle.
func (c *Opt[T]) Ptr() *T { return (*T)(handles.Pointer(c.object)) }

func (c *Opt[T]) fieldConv() (*conv, error) {
	return convFor(reflect.TypeFor[Optional[*Handle[T]]]())
}
func (c *Opt[T]) initial() (abi.Any, error) { return abi.None(), nil }
func (c *Opt[T]) storage() (int32, bool)    { return abi.IndexObject, false }

func (a *Array[E]) fieldConv() (*conv, error)   { return convFor(reflect.TypeFor[*Array[E]]()) }
func (l *List[E]) fieldConv() (*conv, error)    { return convFor(reflect.TypeFor[*List[E]]()) }
func (m *Map[K, V]) fieldConv() (*conv, error)  { return convFor(reflect.TypeFor[*Map[K, V]]()) }
func (d *Dict[K, V]) fieldConv() (*conv, error) { return convFor(reflect.TypeFor[*Dict[K, V]]()) }

// initial is one empty array per class, which its new objects share until their fields are set; the same for maps.
func (a *Array[E]) initial() (abi.Any, error)   { return emptyContainer(abi.IndexArray) }
func (m *Map[K, V]) initial() (abi.Any, error)  { return emptyContainer(abi.IndexMap) }
func (l *List[E]) initial() (abi.Any, error)    { return abi.None(), nil }
func (d *Dict[K, V]) initial() (abi.Any, error) { return abi.None(), nil }

func (a *Array[E]) storage() (int32, bool)   { return abi.IndexArray, false }
func (l *List[E]) storage() (int32, bool)    { return abi.IndexList, true }
func (m *Map[K, V]) storage() (int32, bool)  { return abi.IndexMap, false }
func (d *Dict[K, V]) storage() (int32, bool) { return abi.IndexDict, true }

func emptyContainer(index int32) (abi.Any, error) {
	object, err := newContainer(index, nil)
	return abi.ObjectValue(object), err
}

func handleIn[T any](object uintptr) *Handle[T] {
	if object == 0 {
		return nil
	}
	return (*Handle[T])(unsafe.Pointer(handles.Fetch(handles.Pointer(object))))
}

// swapValue puts an owned value into a field and drops the one that was there.
func swapValue(field *abi.Any, v abi.Any) {
	old := *field
	*field = v
	releaseValue(old)
}
