package containers

import (
	"iter"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// The code that Map and Dict share: look-up of keys, and loops over entries in order of insertion.

// lookUp finds the entry of a key in a native map. The caller borrows the pair, until the map changes. For a key whose class
// has a hash hook the runtime does the look-up and returns only the value, which the caller owns, as alone. Both are nil
// when there is no such entry.
func lookUp[K any](object unsafe.Pointer, key K) (pair *container.Pair, alone *abi.Any, err error) {
	switch k := any(&key).(type) {
	case *int64:
		v := abi.Int(*k)
		return container.FindWithoutHooks(object, &v), nil, nil
	case *int:
		v := abi.Int(int64(*k))
		return container.FindWithoutHooks(object, &v), nil, nil
	case *string:
		// A key that is not UTF-8 is in no map.
		return container.FindContent(object, abi.IndexStr, unsafe.Slice(unsafe.StringData(*k), len(*k))), nil, nil
	}
	return lookUpByConv(object, key)
}

// lookUpByConv does lookUp's work without a fast path.
func lookUpByConv[K any](object unsafe.Pointer, key K) (pair *container.Pair, alone *abi.Any, err error) {
	v, err := convert.WriteElement(key)
	if err != nil {
		return nil, nil, err
	}
	defer values.Release(v)
	if hooks().NoneFor(&v) {
		return container.FindWithoutHooks(object, &v), nil, nil
	}
	found, ok, err := getHooked(object, v)
	if err != nil || !ok {
		return nil, nil, err
	}
	return nil, &found, nil
}

// MapGet returns the value of a key; ok is false when there is none. It panics with a TypeError when the value is not a V.
func MapGet[K, V any](typeName string, object unsafe.Pointer, key K) (value V, ok bool) {
	if object == nil {
		return value, false
	}
	pair, alone, err := lookUp(object, key)
	var r convert.Reader[V]
	switch {
	case err != nil:
		panic(err)
	case pair != nil:
		if value, err = r.Read(&pair.Value); err != nil {
			panic(wrongEntry[K, V](typeName, "value", &pair.Key, err))
		}
	case alone != nil:
		value, err = r.Read(alone)
		values.Release(*alone)
		if err != nil {
			panic(wrongEntry[K, V](typeName, "value", new(abi.Any), err))
		}
	default:
		return value, false
	}
	return value, true
}

// entryReader converts the entries of one map.
type entryReader[K, V any] struct {
	typeName string // in messages
	key      convert.Reader[K]
	value    convert.Reader[V]
}

func (r *entryReader[K, V]) readKey(pair *container.Pair) K {
	k, err := r.key.Read(&pair.Key)
	if err != nil {
		panic(wrongEntry[K, V](r.typeName, "key", &pair.Key, err))
	}
	return k
}

func (r *entryReader[K, V]) readValue(pair *container.Pair) V {
	v, err := r.value.Read(&pair.Value)
	if err != nil {
		panic(wrongEntry[K, V](r.typeName, "value", &pair.Key, err))
	}
	return v
}

// wrongEntry returns the error of an entry whose key is not a K or whose value is not a V (part), from the error of its
// conversion.
func wrongEntry[K, V any](typeName, part string, key *abi.Any, err error) error {
	where := typeName + "[" + part + " at " + convert.KeyText(key) + "]"
	if m, ok := err.(*convert.Mismatch); ok {
		return fault.New("TypeError", "Cannot convert from type `%s[%s at %s: %s]` to `%s<%s, %s>`", typeName, part,
			convert.KeyText(key), m.Got, typeName, convert.MustFor(reflect.TypeFor[K]()).Name(), convert.MustFor(reflect.TypeFor[V]()).Name())
	}
	return convert.InElement(where, err)
}

// Why a loop over a Dict may change it. A Go map may be changed in a range loop, and users expect that of `for k, v :=
// range dict.All() { dict.Set(k, v+1) }`. In the ABI's table a value that is set again moves to the end, so following
// the order of insertion would skip or repeat. The loop remembers the bits of the keys it has seen, and after a change
// continues with a copy of the entries that it has not. A loop that changes nothing pays one comparison and 16 bytes
// per entry.

// AllEntries makes the iterator of All. r is nil for a nil Map or Dict, which has no entries.
func AllEntries[K, V any](r *Ref, typeName string) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		e := entryReader[K, V]{typeName: typeName}
		r.eachEntry(typeName, func(pair *container.Pair) bool { return yield(e.readKey(pair), e.readValue(pair)) })
	}
}

// AllKeys makes the iterator of Keys; see AllEntries.
func AllKeys[K, V any](r *Ref, typeName string) iter.Seq[K] {
	return func(yield func(K) bool) {
		e := entryReader[K, V]{typeName: typeName}
		r.eachEntry(typeName, func(pair *container.Pair) bool { return yield(e.readKey(pair)) })
	}
}

// AllValues makes the iterator of Values; see AllEntries.
func AllValues[K, V any](r *Ref, typeName string) iter.Seq[V] {
	return func(yield func(V) bool) {
		e := entryReader[K, V]{typeName: typeName}
		r.eachEntry(typeName, func(pair *container.Pair) bool { return yield(e.readValue(pair)) })
	}
}

// eachEntry calls body with the borrowed entries of a Map or Dict until it returns false. It owns a reference to the
// container during the loop, so that body may set the field.
func (r *Ref) eachEntry(typeName string, body func(*container.Pair) bool) {
	if r == nil {
		return
	}
	object := r.Address(typeName)
	abi.IncRef(object)
	runtime.KeepAlive(r)
	defer handles.DecRef(object)
	if abi.TypeIndexOf(object) == abi.IndexDict {
		rangeDict(object, body)
	} else {
		container.MapOf(object).All(body) // a Map never changes
	}
}

// rangeDict calls body with the entries of a Dict, to which the caller must own a reference. body may change the Dict.
// The loop skips an entry that is removed before its turn, may skip one that is set or added, and visits none twice.
//
// While nothing changes, the loop follows the order of insertion. Once the current entry has moved, or the Dict's size,
// memory or ends have changed, the loop continues with a copy of the keys that it has not visited.
func rangeDict(object unsafe.Pointer, body func(*container.Pair) bool) {
	cell := container.MapOf(object)
	var seen []abi.Any // the bits of the keys, without references
	for at := cell.First(); at != container.NoBucket; {
		key, size, next := cell.At(at).Key, cell.Size, cell.Next(at)
		data, tail := cell.Data, cell.Tail
		seen = append(seen, key)
		if !body(cell.At(at)) {
			return
		}
		if cell.Size != size || cell.Data != data || !cell.IsSmall() && cell.Tail != tail || !cell.Holds(at, &key) ||
			cell.Next(at) != next {
			rangeUnseen(object, seen, body)
			return
		}
		at = next
	}
}

// rangeUnseen calls body with the entries whose keys are not in seen, except those that are removed before their turn.
func rangeUnseen(object unsafe.Pointer, seen []abi.Any, body func(*container.Pair) bool) {
	known := make(map[abi.Any]bool, len(seen))
	for _, key := range seen {
		known[key] = true
	}
	var keys []abi.Any
	defer func() { values.ReleaseAll(keys) }()
	for pair := range container.MapOf(object).All {
		if !known[pair.Key] {
			keys = append(keys, values.Retained(pair.Key))
		}
	}
	for i := range keys {
		if pair := stillThere(object, &keys[i]); pair != nil && !body(pair) {
			return
		}
	}
}

// stillThere returns the entry whose key has these bits, nil when there is none.
func stillThere(object unsafe.Pointer, key *abi.Any) *container.Pair {
	if hooks().NoneFor(key) {
		return container.FindWithoutHooks(object, key)
	}
	for pair := range container.MapOf(object).All {
		if pair.Key == *key {
			return pair
		}
	}
	return nil
}

// AppendEntry appends owned values of a key and a value to owned. On failure, and when it panics because a handle was
// released, it appends nothing.
func AppendEntry[K, V any](typeName string, owned []abi.Any, key K, value V) ([]abi.Any, error) {
	k, err := convert.WriteElement(key)
	if err != nil {
		return owned, convert.InElement(typeName+"[a key]", err)
	}
	done := false
	defer func() {
		if !done {
			values.Release(k)
		}
	}()
	v, err := convert.WriteElement(value)
	if err != nil {
		return owned, convert.InElement(typeName+"[value at "+convert.KeyText(&k)+"]", err)
	}
	done = true
	return append(owned, k, v), nil
}
