package convert

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Conversions of Map, Dict and Go maps. Where a Map is expected, a Dict is accepted and copied, and the other way round, as
// in C++.

// MapHandleConv makes the conversion of *Map[K, V] or *Dict[K, V]. get returns the native object of the handle at src, which
// the caller borrows.
func MapHandleConv(typeName string, index int32, kind bridge.Kind, key, value reflect.Type,
	get func(src unsafe.Pointer) unsafe.Pointer,
) (*Conv, error) {
	c, err := mapConv(typeName, kind, key, value, For)
	if err != nil {
		return nil, err
	}
	c.asHandle(index, BorrowedEntries, get)
	return c.Conv, nil
}

// BorrowedEntries returns the keys and values of a map in turn, as views.
func BorrowedEntries(object unsafe.Pointer) []abi.Any {
	cell := container.MapOf(object)
	views := make([]abi.Any, 0, 2*cell.Size)
	for pair := range cell.All {
		views = append(views, pair.Key, pair.Value)
	}
	return views
}

// goMapConv makes the conversion of a Go map type, by copy.
func goMapConv(t reflect.Type, lookup Lookup) (*Conv, error) {
	if t.Elem() == emptyType {
		return setConv(t, lookup)
	}
	c, err := mapConv("Map", bridge.KindMap, t.Key(), t.Elem(), lookup)
	if err != nil {
		return nil, err
	}
	c.Traits = TraitsOf(c.key, c.value)
	loops := mapLoopsFor(c.key, c.value)
	c.Lends = loops.read != nil
	c.toPython = func(src unsafe.Pointer) (abi.Any, bool, error) {
		if loops.write == nil {
			return abi.Any{}, false, nil
		}
		return loops.write(src, newPython)
	}
	var read func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error
	read = func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
		if v.TypeIndex == abi.IndexLentEntries {
			entries := (*abi.LentValues)(v.Pointer()).Views()
			if loops.read != nil && loops.read(mapEntries{lent: entries}, dst) {
				return nil
			}
			return throughContainer(abi.IndexMap, entries, func(v *abi.Any) error { return read(v, dst, lent) })
		}
		if v.TypeIndex == abi.IndexLentItems {
			return throughContainer(abi.IndexArray, (*abi.LentValues)(v.Pointer()).Views(), Mismatched)
		}
		if v.TypeIndex != abi.IndexMap && v.TypeIndex != abi.IndexDict {
			return Mismatched(v)
		}
		cell := container.MapOf(v.Pointer())
		if loops.read != nil && loops.read(mapEntries{cell: cell}, dst) {
			return nil
		}
		out := reflect.MakeMapWithSize(t, int(cell.Size))
		key, value := reflect.New(t.Key()), reflect.New(t.Elem())
		for pair := range cell.All {
			key.Elem().SetZero()
			value.Elem().SetZero()
			if err := c.key.Lend(&pair.Key, key.UnsafePointer(), lent); err != nil {
				return atEntry("Map", "key", &pair.Key, err)
			}
			if err := c.value.Lend(&pair.Value, value.UnsafePointer(), lent); err != nil {
				return atEntry("Map", "value", &pair.Key, err)
			}
			if !key.Elem().Comparable() {
				return fault.New("TypeError", "the key %s is not comparable, so it cannot be a key of a %s", KeyText(&pair.Key), t)
			}
			out.SetMapIndex(key.Elem(), value.Elem())
		}
		if out.Len() != int(cell.Size) {
			if err := collisionInGo(t, entryKeys(BorrowedEntries(v.Pointer())), c.key.converting(t.Key()), never); err != nil {
				return err
			}
		}
		reflect.NewAt(t, dst).Elem().Set(out)
		return nil
	}
	c.SetFrom(read, c.key, c.value)
	c.To = func(src unsafe.Pointer, v *abi.Any) error {
		entries := reflect.NewAt(t, src).Elem()
		if entries.Len() > 1<<29 {
			return fault.New("ValueError", "selfsame: a map of %d entries is too large to convert", entries.Len())
		}
		if loops.write != nil {
			if made, ok, err := loops.write(src, newNative); ok {
				*v = made
				return err
			}
		}
		owned := make([]abi.Any, 0, 2*entries.Len())
		defer func() { values.ReleaseAll(owned) }()
		key, value, depth := reflect.New(t.Key()), reflect.New(t.Elem()), depthOf(v)
		for entry := entries.MapRange(); entry.Next(); {
			key.Elem().SetIterKey(entry)
			value.Elem().SetIterValue(entry)
			k, item := below(depth), below(depth)
			if err := c.key.To(key.UnsafePointer(), &k); err != nil {
				return InElement("Map[a key]", err)
			}
			owned = append(owned, k)
			if err := c.value.To(value.UnsafePointer(), &item); err != nil {
				return InElement("Map[value at "+KeyText(&k)+"]", err)
			}
			owned = append(owned, item)
		}
		object, err := newContainer(abi.IndexMap, owned)
		if err != nil {
			return err
		}
		*v = abi.ObjectValue(object)
		return nil
	}
	return c.Conv, nil
}

// entryConv is the conversion of a map type with those of its keys and values.
type entryConv struct {
	*Conv
	key, value *Conv
}

// mapConv makes the part that the conversions of all map types share; typeName is "Map" or "Dict".
func mapConv(typeName string, kind bridge.Kind, keyType, valueType reflect.Type, lookup Lookup) (*entryConv, error) {
	key, err := ForKey(keyType, lookup)
	if err != nil {
		return nil, err
	}
	value, err := lookup(valueType)
	if err != nil {
		return nil, err
	}
	name := func() string { return typeName + "<" + key.Name() + ", " + value.Name() + ">" }
	return &entryConv{key: key, value: value, Conv: &Conv{
		Traits: KeptTraitsOf(key, value),
		Name:   name,
		Schema: func() string { return NestedSchema("ffi."+typeName, key.Schema(), value.Schema()) },
		Type:   TypeOnce(func() *bridge.Type { return bridge.NewMapType(kind, key.Type(), value.Type(), name()) }),
		Check: func(v *abi.Any) error {
			if v.TypeIndex != abi.IndexMap && v.TypeIndex != abi.IndexDict {
				return Mismatched(v)
			}
			if key.Check == nil && value.Check == nil {
				return nil
			}
			for pair := range container.MapOf(v.Pointer()).All {
				if key.Check != nil {
					if err := key.Check(&pair.Key); err != nil {
						return atEntry(typeName, "key", &pair.Key, err)
					}
				}
				if value.Check != nil {
					if err := value.Check(&pair.Value); err != nil {
						return atEntry(typeName, "value", &pair.Key, err)
					}
				}
			}
			return nil
		},
	}}, nil
}
