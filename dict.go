package selfsame

import (
	"iter"
	"maps"
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

// Dict refers to a Dict of the ABI: keys and values in order of insertion, which all its owners, in every language, can
// change. K and V are types that may stand in a function's signature.
//
// As a field of a class struct it owns its dict; each new object has a new, empty one. A *Dict[K, V] that comes from
// [NewDict] or from a call is a handle: one per native dict, released like a [Handle]. A nil *Dict[K, V] is None, and has no
// entries.
//
// Entries are read in place, without a call into C. Like a Go map, a dict has no lock: while one goroutine changes it, no
// other may use it. Keys are compared as in a [Map]; a value that cannot be converted makes methods panic as
// those of a [List] do.
type Dict[K, V any] struct {
	_   [0]*K
	_   [0]*V
	ref containers.Ref
}

// NewDict makes a dict of converted copies of the entries, in no particular order, and returns its handle; see
// [CollectDict]. It fails with an *Error that names the entry that cannot be converted.
func NewDict[K comparable, V any](entries map[K]V) (*Dict[K, V], error) {
	return CollectDict(maps.All(entries))
}

// CollectDict makes a Dict of the entries of an iterator, in their order, as maps.Collect makes a Go map. The last
// value of equal keys counts. See [NewDict].
func CollectDict[K, V any](entries iter.Seq2[K, V]) (*Dict[K, V], error) {
	object, err := collectEntries("Dict", abi.IndexDict, entries)
	if err != nil {
		return nil, err
	}
	return (*Dict[K, V])(unsafe.Pointer(handles.FetchOwned(object))), nil
}

// Len returns the number of entries.
func (d *Dict[K, V]) Len() int { return entriesIn(d.nativeObject(), d) }

// Get returns the value of a key; ok is false when there is none. It panics with a TypeError when the value, which another
// language stored, is not a V.
func (d *Dict[K, V]) Get(key K) (value V, ok bool) {
	value, ok = containers.MapGet[K, V]("Dict", d.nativeObject(), key)
	runtime.KeepAlive(d)
	return value, ok
}

// Set stores converted copies of a key and a value, in place of the value that the key had. It panics with an *Error when
// one of them cannot be converted, and with a ValueError when d is nil.
func (d *Dict[K, V]) Set(key K, value V) {
	object := d.changeable()
	entry := fault.Must(containers.AppendEntry("Dict", make([]abi.Any, 0, 2), key, value))
	err := containers.SetInDict(object, entry[0], entry[1])
	values.ReleaseAll(entry)
	runtime.KeepAlive(d)
	fault.Check(err)
}

// Delete removes the entry of a key and reports whether there was one. It panics as [Dict.Set] does.
func (d *Dict[K, V]) Delete(key K) bool {
	object := d.changeable()
	k := fault.Must(convert.WriteElement(key))
	found, err := containers.DeleteInDict(object, k)
	values.Release(k)
	runtime.KeepAlive(d)
	fault.Check(err)
	return found
}

// Clear removes all entries. It panics with a ValueError when d is nil.
func (d *Dict[K, V]) Clear() {
	err := containers.ClearDict(d.changeable())
	runtime.KeepAlive(d)
	fault.Check(err)
}

// All ranges over the entries in order of insertion, as maps.All. The loop body may change the dict: the loop skips an entry
// that is removed before its turn, may skip one that is set or added, and visits none twice. When the body sets the field,
// the loop continues with the dict that it began with. It panics with a TypeError at a key that is not a K or a value that
// is not a V.
//
// internal/engine/containers/entries.go says why.
func (d *Dict[K, V]) All() iter.Seq2[K, V] { return containers.AllEntries[K, V](d.entries(), "Dict") }

// Keys ranges over the keys, as maps.Keys. See [Dict.All].
func (d *Dict[K, V]) Keys() iter.Seq[K] { return containers.AllKeys[K, V](d.entries(), "Dict") }

// Values ranges over the values, as maps.Values. See [Dict.All].
func (d *Dict[K, V]) Values() iter.Seq[V] { return containers.AllValues[K, V](d.entries(), "Dict") }

// Assign replaces the field's dict by that of b, which then has two owners. When the entries of b are of other types
// than K and V, a converted copy replaces it. A nil b stands for a new, empty dict. It panics with a TypeError when an
// entry cannot be converted, and with a RuntimeError when d is a handle.
func (d *Dict[K, V]) Assign(b *Dict[K, V]) {
	d.ref.Assign("Dict", reflect.TypeFor[*Dict[K, V]](), abi.IndexDict, b.nativeObject())
	runtime.KeepAlive(b)
}

// Release drops the reference of a handle now instead of at a garbage collection; the caller must not use the handle
// afterwards. It panics when d is a field.
func (d *Dict[K, V]) Release() {
	if d != nil {
		d.ref.Release("Dict")
	}
}

func (d *Dict[K, V]) nativeObject() unsafe.Pointer {
	if d == nil {
		return nil
	}
	return d.ref.Address("Dict")
}

// changeable returns the native dict, which the caller borrows. It panics when d is nil or released.
func (d *Dict[K, V]) changeable() unsafe.Pointer {
	if d == nil {
		panic(fault.New("ValueError", "selfsame: Dict: a nil dict cannot be changed"))
	}
	return d.ref.Address("Dict")
}

// entries returns the container reference of d, nil for a nil Dict, which has no entries.
func (d *Dict[K, V]) entries() *containers.Ref {
	if d == nil {
		return nil
	}
	return &d.ref
}

func (d *Dict[K, V]) newConv() (*convert.Conv, error) {
	return convert.MapHandleConv("Dict", abi.IndexDict, bridge.KindDict, reflect.TypeFor[K](), reflect.TypeFor[V](),
		func(src unsafe.Pointer) unsafe.Pointer { return (*(**Dict[K, V])(src)).nativeObject() })
}
