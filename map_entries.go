package selfsame

import (
	"reflect"
	"strconv"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
)

// The common part of Map and Dict: looking up keys, and ranging over entries in order of insertion.

// lookUp finds the entry of a key in a native map. The pair is borrowed from the map and good until that changes. A key with
// a hash of its own is left to the runtime, which gives the owned value alone.
func lookUp[K any](object unsafe.Pointer, key K) (pair *container.Pair, alone *abi.Any, err error) {
	switch k := any(&key).(type) {
	case *int64:
		v := abi.Int(*k)
		return container.FindPlain(object, &v), nil, nil
	case *int:
		v := abi.Int(int64(*k))
		return container.FindPlain(object, &v), nil, nil
	case *string:
		// A key that is not UTF-8 is in no map.
		return container.FindContent(object, abi.IndexStr, unsafe.Slice(unsafe.StringData(*k), len(*k))), nil, nil
	}
	return lookUpByConv(object, key)
}

func lookUpByConv[K any](object unsafe.Pointer, key K) (pair *container.Pair, alone *abi.Any, err error) {
	v, err := writeElement(key)
	if err != nil {
		return nil, nil, err
	}
	defer releaseValue(v)
	if host().IsPlain(&v) {
		return container.FindPlain(object, &v), nil, nil
	}
	found, ok, err := slowGet(object, v)
	if err != nil || !ok {
		return nil, nil, err
	}
	return nil, &found, nil
}

// mapGet is the value of a key as a V. It panics with a TypeError when it is not one.
func mapGet[K, V any](what string, object unsafe.Pointer, key K) (value V, ok bool) {
	if object == nil {
		return value, false
	}
	pair, alone, err := lookUp(object, key)
	var r reader[V]
	switch {
	case err != nil:
		panic(err)
	case pair != nil:
		if value, err = r.read(&pair.Value); err != nil {
			panic(wrongEntry[K, V](what, "value", &pair.Key, err))
		}
	case alone != nil:
		value, err = r.read(alone)
		releaseValue(*alone)
		if err != nil {
			panic(wrongEntry[K, V](what, "value", new(abi.Any), err))
		}
	default:
		return value, false
	}
	return value, true
}

// entryReader reads the entries of one map.
type entryReader[K, V any] struct {
	what  string
	key   reader[K]
	value reader[V]
}

func (r *entryReader[K, V]) readKey(pair *container.Pair) K {
	k, err := r.key.read(&pair.Key)
	if err != nil {
		panic(wrongEntry[K, V](r.what, "key", &pair.Key, err))
	}
	return k
}

func (r *entryReader[K, V]) readValue(pair *container.Pair) V {
	v, err := r.value.read(&pair.Value)
	if err != nil {
		panic(wrongEntry[K, V](r.what, "value", &pair.Key, err))
	}
	return v
}

// wrongEntry is the error of an entry whose key is not a K or whose value is not a V.
func wrongEntry[K, V any](what, part string, key *abi.Any, err error) error {
	where := what + "[" + part + " at " + keyText(key) + "]"
	if m, ok := err.(*mismatch); ok {
		return newError("TypeError", "Cannot convert from type `%s[%s at %s: %s]` to `%s<%s, %s>`", what, part, keyText(key), m.got,
			what, mustConv(reflect.TypeFor[K]()).name(), mustConv(reflect.TypeFor[V]()).name())
	}
	return inElement(where, err)
}

// keyText is a key as it stands in messages.
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

// rangeMap calls body with the entries of a Map, which does not change while the caller holds it.
func rangeMap(held unsafe.Pointer, body func(*container.Pair) bool) {
	container.MapOf(held).All(body)
}

// rangeDict calls body with the entries of a Dict, which body may change: an entry that is removed before the loop gets to
// it is left out, one that is set or added may come or not, and none comes twice.
//
// As long as nothing changes, the loop follows the order of insertion. Once the entry at which it stands is not where it
// was, or the Dict's size, memory or ends are others, what it has not seen is copied and the loop goes by that.
func rangeDict(held unsafe.Pointer, body func(*container.Pair) bool) {
	cell := container.MapOf(held)
	var seen []abi.Any // the bits of the keys, which own nothing
	for at := cell.First(); at != container.NoBucket; {
		key, size, next := cell.At(at).Key, cell.Size, cell.Next(at)
		data, tail := cell.Data, cell.Tail
		seen = append(seen, key)
		if !body(cell.At(at)) {
			return
		}
		if cell.Size != size || cell.Data != data || !cell.IsSmall() && cell.Tail != tail || !cell.Holds(at, &key) || cell.Next(at) != next {
			rangeUnseen(held, seen, body)
			return
		}
		at = next
	}
}

// rangeUnseen goes over the entries whose keys were not seen, as far as they are still there when their turn comes.
func rangeUnseen(held unsafe.Pointer, seen []abi.Any, body func(*container.Pair) bool) {
	known := make(map[abi.Any]bool, len(seen))
	for _, key := range seen {
		known[key] = true
	}
	var keys []abi.Any
	defer func() { releaseAll(keys) }()
	for pair := range container.MapOf(held).All {
		if !known[pair.Key] {
			keys = append(keys, retained(pair.Key))
		}
	}
	for i := range keys {
		if pair := stillThere(held, &keys[i]); pair != nil && !body(pair) {
			return
		}
	}
}

// stillThere finds an entry by the bits of its key.
func stillThere(held unsafe.Pointer, key *abi.Any) *container.Pair {
	if host().IsPlain(key) {
		return container.FindPlain(held, key)
	}
	for pair := range container.MapOf(held).All {
		if pair.Key == *key {
			return pair
		}
	}
	return nil
}

// appendEntry adds owned values of a key and a value. On failure, and when a handle was released, nothing is added.
func appendEntry[K, V any](what string, owned []abi.Any, key K, value V) ([]abi.Any, error) {
	k, err := writeElement(key)
	if err != nil {
		return owned, inElement(what+"[a key]", err)
	}
	done := false
	defer func() {
		if !done {
			releaseValue(k)
		}
	}()
	v, err := writeElement(value)
	if err != nil {
		return owned, inElement(what+"[value at "+keyText(&k)+"]", err)
	}
	done = true
	return append(owned, k, v), nil
}

// slowGet, slowSet and slowDelete leave a key with a hash of its own to the runtime's functions. All they get is borrowed.

func slowGet(object unsafe.Pointer, key abi.Any) (value abi.Any, ok bool, err error) {
	count, err := callForContainer(object, "Count", key)
	if err != nil || count.Int64() == 0 {
		return abi.Any{}, false, err
	}
	value, err = callForContainer(object, "GetItem", key)
	return value, err == nil, err
}

func slowSet(object unsafe.Pointer, key, value abi.Any) error {
	_, err := callForContainer(object, "SetItem", key, value)
	return err
}

func slowDelete(object unsafe.Pointer, key abi.Any) (bool, error) {
	before := container.MapOf(object).Size
	_, err := callForContainer(object, "Erase", key)
	return container.MapOf(object).Size != before, err
}

// callForContainer calls ffi.Map<what> or ffi.Dict<what> with the container and borrowed values; the result is owned.
func callForContainer(object unsafe.Pointer, what string, args ...abi.Any) (abi.Any, error) {
	name := "ffi.Map" + what
	if abi.TypeIndexOf(object) == abi.IndexDict {
		name = "ffi.Dict" + what
	}
	f, err := GetFunc(name)
	if err != nil {
		return abi.Any{}, err
	}
	return f.callValues(append([]abi.Any{abi.ObjectValue(object)}, args...))
}
