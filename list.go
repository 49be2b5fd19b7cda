package selfsame

import (
	"iter"
	"math"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/containers"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// List refers to a List of the ABI: a sequence that every language can change. E is a type that may stand in a function's
// signature.
//
// As a field of a class struct it owns a reference to its list; each new object begins with a new, empty one. A *List[E]
// that comes from [NewList] or from a call is a handle: one per native list, released like a [Handle]. A nil *List[E] is
// None, and has no elements.
//
// Elements are read, set and appended within the list's room in place, without a call into C. Like a Go slice, a list has
// no lock: a list that one goroutine or another language changes while others use it needs the program's own lock. Methods
// that store an E panic with an *Error when it cannot be converted: a string that is not UTF-8, an unsigned number above the
// largest int64, or, for E = any, a type that the ABI does not know.
type List[E any] struct {
	_   [0]*E
	ref containers.Ref
}

// NewList makes a list with converted copies of the elements. It fails with an *Error that names the first element that
// cannot be converted.
func NewList[E any](elems []E) (*List[E], error) {
	if _, err := convert.For(reflect.TypeFor[E]()); err != nil {
		return nil, err
	}
	object, err := newSequence(abi.IndexList, elems)
	if err != nil {
		return nil, err
	}
	return (*List[E])(unsafe.Pointer(handles.FetchOwned(object))), nil
}

// CollectList makes a list of the values of an iterator, as slices.Collect makes a slice. It fails as [NewList] does.
func CollectList[E any](values iter.Seq[E]) (*List[E], error) {
	l, err := NewList[E](nil)
	if err != nil {
		return nil, err
	}
	for e := range values {
		if err := l.append(e); err != nil {
			l.Release()
			return nil, err
		}
	}
	return l, nil
}

// Len returns the number of elements.
func (l *List[E]) Len() int {
	n := len(l.items())
	runtime.KeepAlive(l)
	return n
}

// At returns element i. It panics with an IndexError when there is no such element, and with a TypeError when the element,
// put there by another language, is not an E.
func (l *List[E]) At(i int) E {
	items := l.items()
	if uint(i) >= uint(len(items)) {
		panic(fault.New("IndexError", "Index %d out of bounds %d", i, len(items)))
	}
	var r convert.Reader[E]
	e, err := r.Read(&items[i])
	if err != nil {
		panic(convert.WrongElement[E]("List", i, err))
	}
	runtime.KeepAlive(l)
	return e
}

// All ranges over index and element, as slices.All. The loop body may change the list: each iteration reads the element at
// the next index of the list as it is then. When the body sets the field, the loop continues over the list it began with,
// which the loop keeps alive. It panics like [List.At].
func (l *List[E]) All() iter.Seq2[int, E] { return containers.AllElements[E](l.elements(), "List") }

// Values ranges over the elements, as slices.Values. See [List.All].
func (l *List[E]) Values() iter.Seq[E] { return containers.ElementValues[E](l.elements(), "List") }

// Backward ranges over index and element, the last one first, as slices.Backward. See [List.All].
func (l *List[E]) Backward() iter.Seq2[int, E] {
	return containers.ElementsBackward[E](l.elements(), "List")
}

// Slice copies the elements into a new slice. It panics like [List.At].
func (l *List[E]) Slice() []E {
	out := containers.SliceOf[E]("List", l.items())
	runtime.KeepAlive(l)
	return out
}

// SetAt replaces element i. It panics with an IndexError when there is no such element.
func (l *List[E]) SetAt(i int, e E) {
	list := l.changeable()
	v := fault.Must(convert.WriteElement(e))
	if n := abi.SeqOf(list).Size; i < 0 || int64(i) >= n {
		values.Release(v)
		panic(fault.New("IndexError", "Index %d out of bounds %d", i, n))
	}
	item := convert.ItemAt(abi.SeqOf(list), i)
	old := *item
	*item = v
	values.Release(old)
	runtime.KeepAlive(l)
}

// Append adds elements at the end. When one cannot be converted, it panics after those before it were added.
func (l *List[E]) Append(elems ...E) {
	for _, e := range elems {
		fault.Check(l.append(e))
	}
}

func (l *List[E]) append(e E) error {
	list := l.changeable()
	v, err := convert.WriteElement(e)
	if err != nil {
		return err
	}
	cell := abi.SeqOf(list)
	if n := cell.Size; n < cell.Capacity && n >= 0 {
		*convert.ItemAt(cell, int(n)) = v
		cell.Size = n + 1
		runtime.KeepAlive(l)
		return nil
	}
	err = containers.AppendToList(list, v)
	runtime.KeepAlive(l)
	values.Release(v)
	return err
}

// Insert puts elements before element i, or at the end when i is the list's length. It panics with an IndexError for any
// other i; the list is then unchanged.
func (l *List[E]) Insert(i int, elems ...E) { l.Replace(i, i, elems...) }

// Delete removes the elements from i up to, but not including, j, as slices.Delete. It panics with an IndexError when
// the range is not inside the list.
func (l *List[E]) Delete(i, j int) { l.Replace(i, j) }

// Replace replaces the elements from i up to, but not including, j, as slices.Replace. It panics with an
// IndexError when the range is not inside the list; the list is then unchanged.
func (l *List[E]) Replace(i, j int, elems ...E) {
	list := l.changeable()
	owned := fault.Must(convert.WriteAll("List", elems))
	if n := abi.SeqOf(list).Size; i < 0 || j < i || int64(j) > n {
		values.ReleaseAll(owned)
		panic(fault.New("IndexError", "selfsame: List: the range [%d, %d) is out of bounds %d", i, j, n))
	}
	err := containers.ReplaceInList(list, i, j, owned)
	runtime.KeepAlive(l)
	values.ReleaseAll(owned)
	fault.Check(err)
}

// Grow makes room for n more elements, as slices.Grow. It panics with a ValueError when n is negative.
func (l *List[E]) Grow(n int) {
	list := l.changeable()
	if n < 0 {
		panic(fault.New("ValueError", "selfsame: List.Grow: argument 'n': expected at least 0, got %d", n))
	}
	size := abi.SeqOf(list).Size
	l.must(containers.ReserveInList(list, size+min(int64(n), math.MaxInt64-size)))
}

// Clear removes all elements.
func (l *List[E]) Clear() { l.must(containers.ClearList(l.changeable())) }

// Reverse reverses the order of the elements in place, as slices.Reverse.
func (l *List[E]) Reverse() { l.must(containers.ReverseList(l.changeable())) }

// must panics with the error of a change, during which it keeps the list alive.
func (l *List[E]) must(err error) {
	runtime.KeepAlive(l)
	fault.Check(err)
}

// Set puts a new list with the elements into the field. Other owners of the list before keep it unchanged. It panics when an
// element cannot be converted, and when l is not a field.
func (l *List[E]) Set(elems ...E) {
	l.ref.CheckField("List")
	object := fault.Must(newSequence(abi.IndexList, elems))
	l.ref.Replace(object)
}

// Assign puts b's list into the field. Both then refer to the same native list, unless an element needs a conversion to E:
// the field then gets a converted copy. A nil b gives a new, empty list. It panics with a TypeError when an element is not
// an E, and with a RuntimeError when l is not a field.
func (l *List[E]) Assign(b *List[E]) {
	l.ref.Assign("List", reflect.TypeFor[*List[E]](), abi.IndexList, b.nativeObject())
	runtime.KeepAlive(b)
}

// Release releases a handle's reference now; any later use but a second Release panics. It panics when l is a field.
func (l *List[E]) Release() {
	if l != nil {
		l.ref.Release("List")
	}
}

func (l *List[E]) nativeObject() unsafe.Pointer {
	if l == nil {
		return nil
	}
	return l.ref.Address("List")
}

// changeable returns the native list. It panics when l is nil: None cannot be changed.
func (l *List[E]) changeable() unsafe.Pointer {
	if l == nil {
		panic(fault.New("ValueError", "selfsame: List: a nil list cannot be changed"))
	}
	return l.ref.Address("List")
}

// elements returns the container reference of l, nil for a nil List, which has no elements.
func (l *List[E]) elements() *containers.Ref {
	if l == nil {
		return nil
	}
	return &l.ref
}

func (l *List[E]) items() []abi.Any {
	object := l.nativeObject()
	if object == nil {
		return nil
	}
	return abi.SeqOf(object).Items()
}

func (l *List[E]) newConv() (*convert.Conv, error) {
	return convert.SequenceHandleConv(abi.IndexList, bridge.KindList, reflect.TypeFor[E](),
		func(src unsafe.Pointer) unsafe.Pointer { return (*(**List[E])(src)).nativeObject() })
}
