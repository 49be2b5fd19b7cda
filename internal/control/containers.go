package control

import (
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// owner returns a new object that C made, or errRaised when it made none.
func owner(handle unsafe.Pointer, ok bool) (abi.Any, error) {
	return orRaised(abi.ObjectValue(handle), ok)
}

// orRaised returns an owned value that C made, or errRaised when ok is false.
func orRaised(made abi.Any, ok bool) (abi.Any, error) {
	if !ok {
		return abi.Any{}, errRaised
	}
	return made, nil
}

// newMapOf makes a Map or Dict of borrowed entries. A later entry replaces the value of an equal key. The caller must own
// references to them: a hook of a key may run any code.
func newMapOf(typeIndex int32, entries []container.Pair) (abi.Any, error) {
	return owner(plane.MapOf(typeIndex, unsafe.Slice((*abi.Any)(unsafe.Pointer(unsafe.SliceData(entries))), 2*len(entries))))
}

// newList makes a List and takes ownership of the values, even if it fails.
func newList(values []abi.Any) (abi.Any, error) { return owner(plane.ListOf(values)) }

// newArray makes an Array and takes ownership of the values, even if it fails.
func newArray(values []abi.Any) (abi.Any, error) { return owner(plane.ArrayOf(values)) }

// newShape makes a Shape.
func newShape(dimensions []int64) (abi.Any, error) { return owner(plane.NewShape(dimensions)) }

// ownedItems returns the elements of an Array or List with a reference to each.
func ownedItems(sequence unsafe.Pointer) []abi.Any {
	all := slices.Clone(abi.SeqOf(sequence).Items())
	for _, item := range all {
		graph.Retain(item)
	}
	return all
}

// ownedAll converts views to owned values. On an error it releases those that it made.
func ownedAll(views []abi.Any) ([]abi.Any, error) {
	values := make([]abi.Any, 0, len(views))
	for i := range views {
		v, err := owned(&views[i])
		if err != nil {
			for _, made := range values {
				graph.Release(made)
			}
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}
