package convert

import (
	"math"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// A Go map whose values are struct{} is a set: Python's set in both directions, always by copy. A parameter accepts any set,
// and a list or tuple of the elements too; their order and what occurs twice are lost. The native form is an Array of the
// elements. A slice accepts a set as well, its elements in the set's order, and any other sequence, such as a range or a deque.

var emptyType = reflect.TypeFor[struct{}]()

// emptyConv makes the conversion of struct{}, which is None.
func emptyConv() *Conv {
	return CallConv("None", "None",
		func(_ unsafe.Pointer, v *abi.Any) error {
			if v.TypeIndex != abi.IndexNone {
				return Mismatched(v)
			}
			return nil
		},
		func(_ unsafe.Pointer, v *abi.Any) error {
			*v = abi.None()
			return nil
		})
}

// setConv makes the conversion of a Go map type that is a set.
func setConv(t reflect.Type, lookup Lookup) (*Conv, error) {
	key, err := ForKey(t.Key(), lookup)
	if err != nil {
		return nil, err
	}
	list, err := SliceConv(reflect.SliceOf(t.Key()), func(reflect.Type) (*Conv, error) { return key, nil })
	if err != nil {
		return nil, err
	}
	list.GoType = reflect.SliceOf(t.Key())
	c := CallConv("", "", nil, nil)
	c.Traits = TraitsOf(list)
	c.CallsOnly, c.Lends = true, list.Lends
	c.Name = func() string { return "Set<" + key.Name() + ">" }
	c.Schema = func() string { return NestedSchema("go.Set", key.Schema()) }
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		if _, isTensor := TensorIn(v); isTensor {
			return Mismatched(v)
		}
		keys := reflect.New(list.GoType).Elem()
		if err := list.From(v, keys.Addr().UnsafePointer()); err != nil {
			return err
		}
		set := reflect.NewAt(t, dst).Elem()
		if err := fillSet(key, keys, set); err != nil || set.Len() == keys.Len() {
			return err
		}
		return withElements(v, func(elements []abi.Any) error {
			return collisionInGo(t, elements, key.converting(t.Key()), equalElements(v))
		})
	}
	c.To = func(src unsafe.Pointer, v *abi.Any) error {
		set := reflect.NewAt(t, src).Elem()
		if set.Len() > math.MaxInt32 {
			return fault.New("ValueError", "selfsame: a set of %d elements is too large to convert", set.Len())
		}
		keys := keysOf(key, set)
		if loops := key.loops(); loops != nil && pythonSet.Function() != nil {
			made, ok, err := loops.writeArray(keys.UnsafePointer(), keys.Len(), newPythonSet)
			if ok {
				*v = made
				return err
			}
		}
		memory := reflect.New(list.GoType)
		memory.Elem().Set(keys)
		if err := list.To(memory.UnsafePointer(), v); err != nil {
			return err
		}
		if pythonSet.Function() == nil {
			return nil
		}
		native := *v
		made, err := newPythonSet(abi.IndexArray, abi.SeqOf(native.Pointer()).Items())
		values.Release(native)
		*v = made
		return err
	}
	return c, nil
}

// newPythonSet makes Python's own set of borrowed views.
func newPythonSet(_ int32, views []abi.Any) (abi.Any, error) {
	return values.CallViews(pythonSet.Function(), views)
}

// fillSet makes a set of a slice of its keys. The most frequent keys need no reflection for each.
func fillSet(key *Conv, keys, set reflect.Value) error {
	at, dst := keys.Addr().UnsafePointer(), set.Addr().UnsafePointer()
	switch key.Fast {
	case FastString:
		fill[string](at, dst)
		return nil
	case FastInt64:
		fill[int64](at, dst)
		return nil
	}
	made, empty := reflect.MakeMapWithSize(set.Type(), keys.Len()), reflect.Zero(emptyType)
	for i := range keys.Len() {
		k := keys.Index(i)
		if !k.Comparable() {
			return fault.New("TypeError", "the element at [%d] is not comparable, so it cannot be in a %s", i, set.Type())
		}
		made.SetMapIndex(k, empty)
	}
	set.Set(made)
	return nil
}

// fill stores at dst the set of the keys in the slice at keys; slices and maps of any types of that kind have this layout.
func fill[K comparable](keys, dst unsafe.Pointer) {
	made := make(map[K]struct{}, len(*(*[]K)(keys)))
	for _, k := range *(*[]K)(keys) {
		made[k] = struct{}{}
	}
	*(*map[K]struct{})(dst) = made
}

// keysOf returns the keys of a set as a slice.
func keysOf(key *Conv, set reflect.Value) reflect.Value {
	made := reflect.MakeSlice(reflect.SliceOf(set.Type().Key()), set.Len(), set.Len())
	src := set.Addr().UnsafePointer()
	switch key.Fast {
	case FastString:
		collect[string](src, made.UnsafePointer())
	case FastInt64:
		collect[int64](src, made.UnsafePointer())
	default:
		i := 0
		for k := range set.Seq() {
			made.Index(i).Set(k)
			i++
		}
	}
	return made
}

// collect stores the keys of the set at src from first on.
func collect[K comparable](src, first unsafe.Pointer) {
	set := *(*map[K]struct{})(src)
	keys := unsafe.Slice((*K)(first), len(set))
	i := 0
	for k := range set {
		keys[i] = k
		i++
	}
}

// throughElements converts a set, a sequence or a view of a dict's values: with from, of an Array of its elements, which is
// released afterwards. Any other value is a mismatch.
func throughElements(v *abi.Any, from func(v *abi.Any) error) error {
	elements, err := Unpack("items", v)
	if err != nil {
		return err
	}
	defer values.Release(elements)
	if elements.TypeIndex != abi.IndexArray {
		return Mismatched(v)
	}
	return from(&elements)
}

// withElements calls use with the borrowed elements of a value that a slice was made of.
func withElements(v *abi.Any, use func(elements []abi.Any) error) error {
	switch v.TypeIndex {
	case abi.IndexLentItems:
		return throughContainer(abi.IndexArray, (*abi.LentValues)(v.Pointer()).Views(), func(v *abi.Any) error {
			return use(abi.SeqOf(v.Pointer()).Items())
		})
	case abi.IndexArray, abi.IndexList:
		return use(abi.SeqOf(v.Pointer()).Items())
	}
	return throughElements(v, func(v *abi.Any) error { return use(abi.SeqOf(v.Pointer()).Items()) })
}
