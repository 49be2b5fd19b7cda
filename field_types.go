package selfsame

import (
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// field is implemented by pointers to the field types of this package.
type fieldInterface interface {
	// fieldConv returns the conversion of the field's value.
	fieldConv() (*convert.Conv, error)
	// initial returns the owned value of the field in a new object.
	initial() (abi.Any, error)
	// storage returns the type index that reflection gives for the field, and whether each new object gets a fresh
	// container.
	storage() (index int32, fresh bool)
}

// String is a field that owns a String. In a new object it is empty.
type String struct {
	_     values.NoCopy
	value abi.Any
}

// Set stores a copy of s. It panics with a ValueError when s is not UTF-8.
func (f *String) Set(s string) {
	v := fault.Must(values.NewText(s))
	values.SwapValue(&f.value, v)
}

// Get returns a copy of the text.
func (f *String) Get() string {
	s, _ := f.value.Text()
	return s
}

// String returns the text as Get does; it implements fmt.Stringer.
func (f *String) String() string { return f.Get() }

func (f *String) fieldConv() (*convert.Conv, error) { return convert.For(reflect.TypeFor[string]()) }
func (f *String) initial() (abi.Any, error)         { return values.NewText("") }
func (f *String) storage() (int32, bool)            { return abi.IndexAny, false }

// Bytes is a field that owns Bytes. In a new object it is empty.
type Bytes struct {
	_     values.NoCopy
	value abi.Any
}

// Set stores a copy of b.
func (f *Bytes) Set(b []byte) {
	v := fault.Must(values.NewBytes(b))
	values.SwapValue(&f.value, v)
}

// Get returns a copy of the bytes.
func (f *Bytes) Get() []byte {
	content, _, _ := f.value.Content()
	return append([]byte{}, content...)
}

// Len returns the number of bytes.
func (f *Bytes) Len() int {
	content, _, _ := f.value.Content()
	return len(content)
}

func (f *Bytes) fieldConv() (*convert.Conv, error) { return convert.For(reflect.TypeFor[[]byte]()) }
func (f *Bytes) initial() (abi.Any, error)         { return values.NewBytes(nil) }
func (f *Bytes) storage() (int32, bool)            { return abi.IndexAny, false }

// Any is a field that owns a value of any type. In a new object it is nil.
type Any struct {
	_     values.NoCopy
	value abi.Any
}

// Set stores a Go value of one of the types that the package documentation lists. It panics with a TypeError for any
// other.
func (f *Any) Set(value any) {
	var v abi.Any
	fault.Check(convert.FromGo(value, &v))
	values.SwapValue(&f.value, v)
}

// Get returns the value as a Go value of the same types as the results of [Function.Call]. It panics with a TypeError when
// the value has no Go form.
func (f *Any) Get() any {
	return fault.Must(convert.ToGo(&f.value))
}

func (f *Any) fieldConv() (*convert.Conv, error) { return convert.For(convert.AnyType) }
func (f *Any) initial() (abi.Any, error)         { return abi.None(), nil }
func (f *Any) storage() (int32, bool)            { return abi.IndexAny, false }

// Ref is a field that owns a reference to an object of class T, or of a class derived from it. In a new object it is empty.
type Ref[T any] struct {
	_      values.NoCopy
	_      [0]*T
	object uintptr
}

// Set takes a reference to the handle's object and releases the object before. It panics with a ValueError when the handle
// is nil, and with a RuntimeError when it was released.
func (f *Ref[T]) Set(h *Handle[T]) {
	object := h.nativeObject()
	abi.IncRef(object)
	runtime.KeepAlive(h)
	values.SwapObject(&f.object, object)
}

// Get returns the object's handle, nil when the field is empty.
func (f *Ref[T]) Get() *Handle[T] { return handleIn[T](f.object) }

// Ptr borrows the object from the field, without making a handle; nil when the field is empty. The pointer is valid while
// the field holds the object.
func (f *Ref[T]) Ptr() *T { return (*T)(handles.Pointer(f.object)) }

func (f *Ref[T]) fieldConv() (*convert.Conv, error) {
	return convert.For(reflect.TypeFor[*Handle[T]]())
}
func (f *Ref[T]) initial() (abi.Any, error) { return abi.None(), nil }
func (f *Ref[T]) storage() (int32, bool)    { return abi.IndexObject, false }

// Opt is a field that owns a reference to an object of class T, or of a class derived from it, or is empty, which
// is None in other languages.
type Opt[T any] struct {
	_      values.NoCopy
	_      [0]*T
	object uintptr
}

// Set takes a reference to the handle's object and releases the object before; nil empties the field. It panics with a
// RuntimeError when the handle was released.
func (f *Opt[T]) Set(h *Handle[T]) {
	if h == nil {
		values.SwapObject(&f.object, nil)
		return
	}
	object := h.nativeObject()
	abi.IncRef(object)
	runtime.KeepAlive(h)
	values.SwapObject(&f.object, object)
}

// Get returns the object's handle, nil when the field is empty.
func (f *Opt[T]) Get() *Handle[T] { return handleIn[T](f.object) }

// Ptr borrows the object from the field, without making a handle; nil when the field is empty. The pointer is valid while
// the field holds the object.
func (f *Opt[T]) Ptr() *T { return (*T)(handles.Pointer(f.object)) }

func (f *Opt[T]) fieldConv() (*convert.Conv, error) {
	return convert.For(reflect.TypeFor[Optional[*Handle[T]]]())
}
func (f *Opt[T]) initial() (abi.Any, error) { return abi.None(), nil }
func (f *Opt[T]) storage() (int32, bool)    { return abi.IndexObject, false }

func (a *Array[E]) fieldConv() (*convert.Conv, error) {
	return convert.For(reflect.TypeFor[*Array[E]]())
}
func (l *List[E]) fieldConv() (*convert.Conv, error) { return convert.For(reflect.TypeFor[*List[E]]()) }
func (m *Map[K, V]) fieldConv() (*convert.Conv, error) {
	return convert.For(reflect.TypeFor[*Map[K, V]]())
}
func (d *Dict[K, V]) fieldConv() (*convert.Conv, error) {
	return convert.For(reflect.TypeFor[*Dict[K, V]]())
}

// The initial value of an Array or Map is one empty container per class, which new objects share until the field is
// set. A List or Dict can be changed, so it is made with each object: two objects that shared one would be a bug in
// every program. If it were made at the first change, it would be None in Python until then.
func (a *Array[E]) initial() (abi.Any, error)   { return values.Container(abi.IndexArray, nil) }
func (m *Map[K, V]) initial() (abi.Any, error)  { return values.Container(abi.IndexMap, nil) }
func (l *List[E]) initial() (abi.Any, error)    { return abi.None(), nil }
func (d *Dict[K, V]) initial() (abi.Any, error) { return abi.None(), nil }

func (a *Array[E]) storage() (int32, bool)   { return abi.IndexArray, false }
func (l *List[E]) storage() (int32, bool)    { return abi.IndexList, true }
func (m *Map[K, V]) storage() (int32, bool)  { return abi.IndexMap, false }
func (d *Dict[K, V]) storage() (int32, bool) { return abi.IndexDict, true }

func handleIn[T any](object uintptr) *Handle[T] {
	if object == 0 {
		return nil
	}
	return (*Handle[T])(unsafe.Pointer(handles.Fetch(handles.Pointer(object))))
}

// Field is a field that holds a value of Go type E: any type that may stand in a function's signature, such as
// *Function, Optional[int64], Optional[*Tensor], *Handle[Node], Tuple2[string, int64] or a func type. It takes 16
// bytes. Numbers, and types that have a field type ([String], [Ref], [Opt], [Array], [List], [Map], [Dict], [Tensor],
// [Shape]), are cheaper as fields of those types.
//
// The field owns its value. In a new object it is empty, unless its tag gives a default; Get then returns the zero E.
type Field[E any] struct {
	_     values.NoCopy
	_     [0]*E
	value abi.Any
}

// Set stores a converted copy of a Go value and releases the value before. It panics with an *Error when the value cannot be
// converted.
func (f *Field[E]) Set(value E) {
	v := fault.Must(convert.WriteElement(value))
	values.SwapValue(&f.value, v)
}

// Get returns the value, the zero E when the field is empty. It panics with a TypeError when the field has a value
// that is not an E, which only code that ignores the field's type can put there.
func (f *Field[E]) Get() E {
	if f.value.TypeIndex == abi.IndexNone {
		return *new(E)
	}
	var r convert.Reader[E]
	value, err := r.Read(&f.value)
	if err != nil {
		panic(convert.ResultError(convert.MustFor(reflect.TypeFor[E]()), err))
	}
	return value
}

func (f *Field[E]) fieldConv() (*convert.Conv, error) {
	inner, err := convert.For(reflect.TypeFor[E]())
	if err != nil {
		return nil, err
	}
	if inner.Borrows {
		return nil, fault.New("TypeError", "selfsame: Field: expected a type that owns its value, got %s; use *Handle",
			inner.GoType)
	}
	// The storage is a value whatever E is, and so are its getter and setter.
	made := *inner
	made.Type = convert.TypeOnce(func() *bridge.Type { return bridge.NewValueType(inner.Type()) })
	return &made, nil
}

func (f *Field[E]) initial() (abi.Any, error) { return abi.None(), nil }

func (f *Field[E]) storage() (int32, bool) { return abi.IndexAny, false }

var _ = unsafe.Sizeof([1]struct{}{}[unsafe.Sizeof(Field[int64]{})-registry.UnsafeSizeofAny]) // 16 bytes, or this does not compile
