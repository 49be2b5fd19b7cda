package selfsame

import (
	"iter"
	"maps"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/engine/containers"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Map refers to a Map of the ABI: keys and values in order of insertion, which never change; [Dict] is the one that changes.
// K and V are types that may stand in a function's signature.
//
// As a field of a class struct it owns its map; a new object's field is empty, and Assign replaces the map. A *Map[K, V]
// that comes from [NewMap] or from a call is a handle: one per native map, released like a [Handle]. A nil *Map[K, V] is
// None, and has no entries.
//
// Keys that are strings or bytes are compared by content, numbers by type and value, objects by identity unless their class
// has an equality hook.
type Map[K, V any] struct {
	_   [0]*K
	_   [0]*V
	ref containers.Ref
}

// NewMap makes a map of converted copies of the entries, in no particular order, and returns its handle; see [CollectMap].
// It fails with an *Error that names the entry that cannot be converted.
func NewMap[K comparable, V any](entries map[K]V) (*Map[K, V], error) {
	return CollectMap(maps.All(entries))
}

// CollectMap makes a Map of the entries of an iterator, in their order, as maps.Collect makes a Go map. The last value
// of equal keys counts. See [NewMap].
func CollectMap[K, V any](entries iter.Seq2[K, V]) (*Map[K, V], error) {
	object, err := collectEntries("Map", abi.IndexMap, entries)
	if err != nil {
		return nil, err
	}
	return (*Map[K, V])(unsafe.Pointer(handles.FetchOwned(object))), nil
}

// collectEntries makes a Map or Dict (by type index) of converted copies of the entries and returns an owned reference.
func collectEntries[K, V any](typeName string, index int32, entries iter.Seq2[K, V]) (unsafe.Pointer, error) {
	for _, t := range []reflect.Type{reflect.TypeFor[K](), reflect.TypeFor[V]()} {
		if _, err := convert.For(t); err != nil {
			return nil, err
		}
	}
	var owned []abi.Any
	defer func() { values.ReleaseAll(owned) }() // also when the iterator panics
	for k, v := range entries {
		var err error
		if owned, err = containers.AppendEntry(typeName, owned, k, v); err != nil {
			return nil, err
		}
	}
	return values.NewContainer(index, owned)
}

// Len returns the number of entries.
func (m *Map[K, V]) Len() int { return entriesIn(m.nativeObject(), m) }

// Get returns the value of a key; ok is false when there is none. It panics with a TypeError when the value, which another
// language stored, is not a V.
func (m *Map[K, V]) Get(key K) (value V, ok bool) {
	value, ok = containers.MapGet[K, V]("Map", m.nativeObject(), key)
	runtime.KeepAlive(m)
	return value, ok
}

// All ranges over the entries in order of insertion, as maps.All. When the loop body sets the field, the loop continues with
// the map that it began with. It panics with a TypeError at a key that is not a K or a value that is not a V.
func (m *Map[K, V]) All() iter.Seq2[K, V] { return containers.AllEntries[K, V](m.entries(), "Map") }

// Keys ranges over the keys, as maps.Keys. See [Map.All].
func (m *Map[K, V]) Keys() iter.Seq[K] { return containers.AllKeys[K, V](m.entries(), "Map") }

// Values ranges over the values, as maps.Values. See [Map.All].
func (m *Map[K, V]) Values() iter.Seq[V] { return containers.AllValues[K, V](m.entries(), "Map") }

// Assign replaces the field's map by that of b, which then has two owners, or by a converted copy when the entries of b are
// of other types than K and V; a nil b stands for an empty map. It panics with a TypeError when an entry cannot be
// converted, and with a RuntimeError when m is a handle.
func (m *Map[K, V]) Assign(b *Map[K, V]) {
	m.ref.Assign("Map", reflect.TypeFor[*Map[K, V]](), abi.IndexMap, b.nativeObject())
	runtime.KeepAlive(b)
}

// Release drops the reference of a handle now instead of at a garbage collection; the caller must not use the handle
// afterwards. It panics when m is a field.
func (m *Map[K, V]) Release() {
	if m != nil {
		m.ref.Release("Map")
	}
}

func (m *Map[K, V]) nativeObject() unsafe.Pointer {
	if m == nil {
		return nil
	}
	return m.ref.Address("Map")
}

// entries returns the container reference of m, nil for a nil Map, which has no entries.
func (m *Map[K, V]) entries() *containers.Ref {
	if m == nil {
		return nil
	}
	return &m.ref
}

// entriesIn returns the number of entries of a Map or Dict, 0 for nil; keep owns the object.
func entriesIn(object unsafe.Pointer, keep any) int {
	if object == nil {
		return 0
	}
	n := int(container.MapOf(object).Size)
	runtime.KeepAlive(keep)
	return n
}

func (m *Map[K, V]) newConv() (*convert.Conv, error) {
	return convert.MapHandleConv("Map", abi.IndexMap, bridge.KindMap, reflect.TypeFor[K](), reflect.TypeFor[V](),
		func(src unsafe.Pointer) unsafe.Pointer { return (*(**Map[K, V])(src)).nativeObject() })
}
