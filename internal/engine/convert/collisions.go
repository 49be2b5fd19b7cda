package convert

import (
	"math"
	"reflect"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Keys that differ on one side can be equal on the other: 0.1 and its neighbour as float32, times within a microsecond as
// datetimes. A container made of them would lose entries, so it is an error that names two of them.

func collision(first, second *abi.Any, of string) error {
	of = strings.ReplaceAll(of, "interface {}", "any")
	return fault.New("ValueError", "the keys %s and %s become the same key of a %s", KeyText(first), KeyText(second), of)
}

// entryKeys returns the keys among borrowed keys and values in turn.
func entryKeys(entries []abi.Any) []abi.Any {
	keys := make([]abi.Any, 0, len(entries)/2)
	for i := 0; i < len(entries); i += 2 {
		keys = append(keys, entries[i])
	}
	return keys
}

// collisionInGo returns the error for borrowed keys that became fewer keys of a Go map type. convert returns the Go value of one.
// Keys for which equal is true may be one.
func collisionInGo(t reflect.Type, keys []abi.Any, convert func(key *abi.Any) (any, error), equal func(a, b *abi.Any) bool) error {
	seen := make(map[any]int, len(keys))
	for i := range keys {
		key, err := convert(&keys[i])
		if err != nil {
			return err
		}
		if known, ok := seen[key]; ok && !equal(&keys[known], &keys[i]) {
			return collision(&keys[known], &keys[i], t.String())
		}
		seen[key] = i
	}
	return nil
}

// never says that two keys of a map are not equal, since they differ.
func never(_, _ *abi.Any) bool { return false }

// converting returns how collisionInGo converts the keys of a conversion.
func (c *Conv) converting(t reflect.Type) func(key *abi.Any) (any, error) {
	return func(key *abi.Any) (any, error) {
		made := reflect.New(t)
		err := c.From(key, made.UnsafePointer())
		return made.Elem().Interface(), err
	}
}

// equalInPython says whether two borrowed values are equal, as Python compares them.
func equalInPython(a, b *abi.Any) bool {
	if x, ok := numberIn(a); ok {
		y, ok := numberIn(b)
		return ok && x == y
	}
	if b.TypeIndex == abi.IndexOpaquePyObject {
		return asksPython("same", a, *b)
	}
	return container.Equal(a, b)
}

// asksPython returns the answer to a question about a Python object, false for any other value.
func asksPython(question string, v *abi.Any, more ...abi.Any) bool {
	answer, err := Unpack(question, v, more...)
	if err != nil {
		return false
	}
	defer values.Release(answer)
	return answer.Int64() != 0
}

// equalElements returns how collisionInGo compares the elements of a borrowed value that became a set. The elements of Python's sets differ already.
func equalElements(v *abi.Any) func(a, b *abi.Any) bool {
	if asksPython("isset", v) {
		return never
	}
	return equalInPython
}

// numberIn returns a number as a pair of its whole part and the rest, so that an int equals a float only if it is the same.
func numberIn(v *abi.Any) (parts [2]float64, ok bool) {
	switch v.TypeIndex {
	case abi.IndexInt, abi.IndexBool:
		high := float64(v.Int64() >> 32 << 32)
		return [2]float64{high, float64(v.Int64() - v.Int64()>>32<<32)}, true
	case abi.IndexFloat:
		x := v.Float64()
		if math.IsInf(x, 0) {
			return [2]float64{x}, true
		}
		high := math.Floor(x/(1<<32)) * (1 << 32)
		return [2]float64{high, x - high}, true
	}
	return parts, false
}

// newContainer makes a container of borrowed values. The keys of a Map differ.
func newContainer(index int32, views []abi.Any) (unsafe.Pointer, error) {
	object, err := values.NewContainer(index, views)
	if err != nil || index != abi.IndexMap || int(container.MapOf(object).Size) == len(views)/2 {
		return object, err
	}
	defer handles.DecRef(object)
	seen := make(map[*container.Pair]int, len(views)/2)
	for i := 0; i < len(views); i += 2 {
		pair := container.FindWithoutHooks(object, &views[i])
		if known, ok := seen[pair]; ok && pair != nil {
			return nil, collision(&views[known], &views[i], "Map")
		}
		seen[pair] = i
	}
	return nil, fault.New("ValueError", "two keys become the same key of a Map")
}
