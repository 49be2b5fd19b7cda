package selfsame

import (
	"iter"
	"maps"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Map refers to a Map of the ABI: keys and values in order of insertion, which do not change. K and V are types
// that may stand in a function's signature.
//
// As a field of a class struct it owns the map it holds; a new object's field is empty. A *Map[K, V] that comes from
// [NewMap] or from a call is a handle: one per native map, released like a [Handle]. A nil *Map[K, V] is None, and has no
// entries. [Dict] is the one that changes.
//
// Strings and bytes are equal by content, numbers by type and value, objects by identity unless their class has an equality
// of its own.
type Map[K, V any] struct {
	_ [0]*K
	_ [0]*V
	containerRef
}

// NewMap makes a map with converted copies of the entries, in no particular order; see [CollectMap].
// It fails with an *Error that names the entry that cannot be converted.
func NewMap[K comparable, V any](entries map[K]V) (*Map[K, V], error) {
	return CollectMap(maps.All(entries))
}

// CollectMap makes a map of the entries of an iterator, in their order, as maps.Collect makes a Go map. Of equal keys the
// last value counts.
func CollectMap[K, V any](entries iter.Seq2[K, V]) (*Map[K, V], error) {
	object, err := collectEntries("Map", abi.IndexMap, entries)
	if err != nil {
		return nil, err
	}
	return (*Map[K, V])(unsafe.Pointer(handles.Adopt(object))), nil
}

func collectEntries[K, V any](what string, index int32, entries iter.Seq2[K, V]) (unsafe.Pointer, error) {
	for _, t := range []reflect.Type{reflect.TypeFor[K](), reflect.TypeFor[V]()} {
		if _, err := convFor(t); err != nil {
			return nil, err
		}
	}
	var owned []abi.Any
	defer func() { releaseAll(owned) }() // whatever the iterator does
	for k, v := range entries {
		var err error
		if owned, err = appendEntry(what, owned, k, v); err != nil {
			return nil, err
		}
	}
	return newContainer(index, owned)
}

// Len is the number of entries.
func (m *Map[K, V]) Len() int { return entriesIn(m.nativeObject(), m) }

// Get is the value of a key; ok is false when there is none. It panics with a TypeError when the value, put there by
// another language, is not a V.
func (m *Map[K, V]) Get(key K) (value V, ok bool) {
	value, ok = mapGet[K, V]("Map", m.nativeObject(), key)
	runtime.KeepAlive(m)
	return value, ok
}

// All ranges over the entries in order of insertion, as maps.All. When the loop body sets the
// field, the loop continues with the map it began with. It panics with a TypeError at a key that is not a K or a value that is not a V.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		r := entryReader[K, V]{what: "Map"}
		m.each(func(pair *container.Pair) bool { return yield(r.readKey(pair), r.readValue(pair)) })
	}
}

// Keys ranges over the keys, as maps.Keys. See [Map.All].
func (m *Map[K, V]) Keys() iter.Seq[K] {
	return func(yield func(K) bool) {
		r := entryReader[K, V]{what: "Map"}
		m.each(func(pair *container.Pair) bool { return yield(r.readKey(pair)) })
	}
}

// Values ranges over the values, as maps.Values. See [Map.All].
func (m *Map[K, V]) Values() iter.Seq[V] {
	return func(yield func(V) bool) {
		r := entryReader[K, V]{what: "Map"}
		m.each(func(pair *container.Pair) bool { return yield(r.readValue(pair)) })
	}
}

// Assign puts the map of b into the field; both then hold the same native map, if its entries are as declared, else a
// converted copy. A nil b leaves an empty one. It panics with a TypeError when an entry is not of K and V, and when m is
// not a field.
func (m *Map[K, V]) Assign(b *Map[K, V]) {
	m.assign("a Map", reflect.TypeFor[*Map[K, V]](), abi.IndexMap, b.nativeObject())
	runtime.KeepAlive(b)
}

// Release gives the reference of a handle back now; the map must not be used afterwards. It panics when m is a field.
func (m *Map[K, V]) Release() {
	if m != nil {
		m.release("a Map")
	}
}

func (m *Map[K, V]) nativeObject() unsafe.Pointer {
	if m == nil {
		return nil
	}
	return m.address("a Map")
}

func (m *Map[K, V]) each(body func(*container.Pair) bool) {
	held := m.nativeObject()
	if held == nil {
		return
	}
	abi.IncRef(held)
	runtime.KeepAlive(m)
	defer handles.DecRef(held)
	rangeMap(held, body)
}

func entriesIn(object unsafe.Pointer, keep any) int {
	if object == nil {
		return 0
	}
	n := int(container.MapOf(object).Size)
	runtime.KeepAlive(keep)
	return n
}
