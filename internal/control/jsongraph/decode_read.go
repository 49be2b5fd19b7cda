package jsongraph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
)

// property returns the value of a string key in a Map, borrowed, nil when there is none.
func property(m unsafe.Pointer, name string) *abi.Any {
	c := container.MapOf(m)
	if key, ok := abi.SmallStr(name); ok && c.IsSmall() {
		for i := c.First(); i != container.NoBucket; i = c.Next(i) {
			if p := c.At(i); container.Equal(&p.Key, &key) {
				return &p.Value
			}
		}
		return nil
	}
	key, err := graph.String(name)
	if err != nil {
		return nil
	}
	defer graph.Release(key)
	return lookUp(m, &key)
}

// lookUp returns the value of a key in a Map or Dict, borrowed, nil when there is none.
func lookUp(m unsafe.Pointer, key *abi.Any) *abi.Any {
	p, err := graph.Find(m, key)
	if err != nil || p == nil {
		return nil
	}
	return &p.Value
}

// need returns the property as property does, with a KeyError when the Map does not have the key.
func need(m unsafe.Pointer, name string) (*abi.Any, error) {
	v := property(m, name)
	if v == nil {
		return nil, failure.New("KeyError", "key is not in Map")
	}
	return v, nil
}

func cannotConvert(v *abi.Any, to string) error {
	return failure.Type("Cannot convert from type `%s` to `%s`", graph.Key(v), to)
}

func toInt(v *abi.Any) (int64, error) {
	if v.TypeIndex == abi.IndexInt || v.TypeIndex == abi.IndexBool {
		return v.Int64(), nil
	}
	return 0, cannotConvert(v, "int")
}

func toFloat(v *abi.Any) (float64, error) {
	switch v.TypeIndex {
	case abi.IndexFloat:
		return v.Float64(), nil
	case abi.IndexInt, abi.IndexBool:
		return float64(v.Int64()), nil
	}
	return 0, cannotConvert(v, "float")
}

func toText(v *abi.Any) ([]byte, error) {
	content, isBytes, ok := v.Content()
	if !ok || isBytes {
		return nil, cannotConvert(v, "str")
	}
	return content, nil
}

// toItems returns a view of the elements of an Array or List.
func toItems(v *abi.Any, to string) ([]abi.Any, error) {
	if v.TypeIndex != abi.IndexArray && v.TypeIndex != abi.IndexList {
		return nil, cannotConvert(v, to)
	}
	return abi.SeqOf(v.Pointer()).Items(), nil
}

// toInts reads an Array of integers.
func toInts(v *abi.Any) ([]int64, error) {
	const to = "Array<int>"
	items, err := toItems(v, to)
	if err != nil {
		return nil, err
	}
	numbers := make([]int64, len(items))
	for i := range items {
		if numbers[i], err = toInt(&items[i]); err != nil {
			return nil, failure.Type("Cannot convert from type `Array[index %d: %s]` to `%s`", i, graph.Key(&items[i]), to)
		}
	}
	return numbers, nil
}
