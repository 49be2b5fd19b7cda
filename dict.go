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

// Dict refers to a Dict of the ABI: keys and values in order of insertion, which every language that holds it
// can change. K and V are types that may stand in a function's signature.
//
// As a field of a class struct it owns the dict it holds; each new object begins with an empty one of its own. A
// *Dict[K, V] that comes from [NewDict] or from a call is a handle: one per native dict, released like a [Handle]. A nil
// *Dict[K, V] is None, and has no entries.
//
// Entries are read and changed in place, without a call into C. Like a Go map, a dict has no lock: goroutines that
// change it and others that use it need one of their own. Keys are equal as in a [Map]; a value that cannot be converted makes methods
// panic as those of a [List] do.
type Dict[K, V any] struct {
	_ [0]*K
	_ [0]*V
	containerRef
}

// NewDict makes a dict with converted copies of the entries, in no particular order; see [CollectDict].
// It fails with an *Error that names the entry that cannot be converted.
func NewDict[K comparable, V any](entries map[K]V) (*Dict[K, V], error) {
	return CollectDict(maps.All(entries))
}

// CollectDict makes a dict of the entries of an iterator, in their order, as maps.Collect makes a Go map. Of equal keys the
// last value counts.
func CollectDict[K, V any](entries iter.Seq2[K, V]) (*Dict[K, V], error) {
	object, err := collectEntries("Dict", abi.IndexDict, entries)
	if err != nil {
		return nil, err
	}
	return (*Dict[K, V])(unsafe.Pointer(handles.Adopt(object))), nil
}

// Len is the number of entries.
func (d *Dict[K, V]) Len() int { return entriesIn(d.nativeObject(), d) }

// Get is the value of a key; ok is false when there is none. It panics with a TypeError when the value, put there by
// another language, is not a V.
func (d *Dict[K, V]) Get(key K) (value V, ok bool) {
	value, ok = mapGet[K, V]("Dict", d.nativeObject(), key)
	runtime.KeepAlive(d)
	return value, ok
}

// Set stores a value under a key.
func (d *Dict[K, V]) Set(key K, value V) {
	object := d.changeable()
	entry, err := appendEntry("Dict", make([]abi.Any, 0, 2), key, value)
	if err != nil {
		panic(err)
	}
	k, v := entry[0], entry[1]
	if host().IsPlain(&k) {
		incRef(objectIn(k)) // for a second try: Set takes both over, whatever comes of it
		incRef(objectIn(v))
		err = host().Set(object, k, v)
		if err == errHooked { // a key that is in the way
			err = slowSet(object, k, v)
		}
	} else {
		err = slowSet(object, k, v)
	}
	releaseAll(entry)
	runtime.KeepAlive(d)
	if err != nil {
		panic(containerError(err))
	}
}

// Delete removes the entry of a key and says whether there was one.
func (d *Dict[K, V]) Delete(key K) bool {
	object := d.changeable()
	k, err := writeElement(key)
	if err != nil {
		panic(err)
	}
	defer releaseValue(k)
	found := false
	err = errHooked
	if host().IsPlain(&k) {
		found, err = host().Erase(object, &k)
	}
	if err == errHooked {
		found, err = slowDelete(object, k)
	}
	runtime.KeepAlive(d)
	if err != nil {
		panic(containerError(err))
	}
	return found
}

// Clear removes all entries.
func (d *Dict[K, V]) Clear() {
	host().Clear(d.changeable())
	runtime.KeepAlive(d)
}

// All ranges over the entries in order of insertion, as maps.All. The loop body may change the dict: an entry that is removed
// before the loop gets to it is left out, one that is set or added may come or not, and none comes twice. When the
// field is set, the loop continues with the dict it began with. It panics with a TypeError at a key that is not a K or a value that is
// not a V.
func (d *Dict[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		r := entryReader[K, V]{what: "Dict"}
		d.each(func(pair *container.Pair) bool { return yield(r.readKey(pair), r.readValue(pair)) })
	}
}

// Keys ranges over the keys, as maps.Keys. See [Dict.All].
func (d *Dict[K, V]) Keys() iter.Seq[K] {
	return func(yield func(K) bool) {
		r := entryReader[K, V]{what: "Dict"}
		d.each(func(pair *container.Pair) bool { return yield(r.readKey(pair)) })
	}
}

// Values ranges over the values, as maps.Values. See [Dict.All].
func (d *Dict[K, V]) Values() iter.Seq[V] {
	return func(yield func(V) bool) {
		r := entryReader[K, V]{what: "Dict"}
		d.each(func(pair *container.Pair) bool { return yield(r.readValue(pair)) })
	}
}

// Assign puts the dict of b into the field; both then hold the same native dict, if its entries are as declared, else a
// converted copy. A nil b leaves a new, empty one. It panics with a TypeError when an entry is not of K and V, and when d
// is not a field.
func (d *Dict[K, V]) Assign(b *Dict[K, V]) {
	d.assign("a Dict", reflect.TypeFor[*Dict[K, V]](), abi.IndexDict, b.nativeObject())
	runtime.KeepAlive(b)
}

// Release gives the reference of a handle back now; the dict must not be used afterwards. It panics when d is a field.
func (d *Dict[K, V]) Release() {
	if d != nil {
		d.release("a Dict")
	}
}

func (d *Dict[K, V]) nativeObject() unsafe.Pointer {
	if d == nil {
		return nil
	}
	return d.address("a Dict")
}

// changeable is the native dict; it panics for nil, which has none.
func (d *Dict[K, V]) changeable() unsafe.Pointer {
	if d == nil {
		panic(newError("ValueError", "selfsame: a nil Dict cannot be changed"))
	}
	return d.address("a Dict")
}

func (d *Dict[K, V]) each(body func(*container.Pair) bool) {
	held := d.nativeObject()
	if held == nil {
		return
	}
	abi.IncRef(held)
	runtime.KeepAlive(d)
	defer handles.DecRef(held)
	rangeDict(held, body)
}

// objectIn is the object of a value, nil when it is none.
func objectIn(v abi.Any) unsafe.Pointer {
	if !v.IsObject() {
		return nil
	}
	return v.Pointer()
}
