package control

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// containers gives package container the allocation, release and hook functions of the data plane.
var containers container.Host

// startContainers sets containers.
func startContainers() error {
	containers = container.Host{
		NewBuffer:     raisedToError1(plane.NewBuffer),
		BufferDeleter: plane.BufferDeleter(),
		CallDeleter:   plane.CallDeleter,
		NewObject:     raisedToError2(plane.NewMapObject),
		ObjectDeleter: plane.MapDeleter(),
		DecRef:        plane.DecRef,
		HashColumn:    plane.FindColumn("__any_hash__").Attr(),
		EqualColumn:   plane.FindColumn("__any_equal__").Attr(),
		HashHook:      raisedToError2(plane.HashHook),
		EqualHook: func(hook, a, b *abi.Any) (bool, error) {
			same, ok := plane.EqualHook(hook, a, b)
			if !ok {
				return false, errRaised
			}
			return same, nil
		},
	}
	return nil
}

// raisedToError1 and raisedToError2 convert functions that return ok false after raising an error into functions that
// return errRaised.
func raisedToError1[A, R any](f func(A) (R, bool)) func(A) (R, error) {
	return func(a A) (R, error) {
		r, ok := f(a)
		if !ok {
			return r, errRaised
		}
		return r, nil
	}
}

func raisedToError2[A, B, R any](f func(A, B) (R, bool)) func(A, B) (R, error) {
	return func(a A, b B) (R, error) {
		r, ok := f(a, b)
		if !ok {
			return r, errRaised
		}
		return r, nil
	}
}

// pair is the key and value of an entry of a Map or Dict.
type pair = container.Pair

// newMapOf makes a Map or Dict of entries and takes ownership of them, even if it fails. A later entry replaces the
// value of an equal key.
func newMapOf(typeIndex int32, entries []pair) (abi.Any, error) {
	handle, err := containers.NewMap(typeIndex)
	for _, p := range entries {
		if err != nil {
			containers.Release(p.Key)
			containers.Release(p.Value)
			continue
		}
		err = containers.Set(handle, p.Key, p.Value)
	}
	if err != nil {
		plane.DecRef(handle)
		return abi.Any{}, err
	}
	return abi.ObjectValue(handle), nil
}

// newList makes a List and takes ownership of the values, even if it fails.
func newList(values []abi.Any) (abi.Any, error) {
	handle, ok := plane.NewList(int64(len(values)))
	if !ok {
		for _, v := range values {
			containers.Release(v)
		}
		return abi.Any{}, errRaised
	}
	if err := containers.Replace(handle, 0, 0, values); err != nil {
		plane.DecRef(handle)
		return abi.Any{}, err
	}
	return abi.ObjectValue(handle), nil
}

// newArray makes an Array and takes ownership of the values, even if it fails.
func newArray(values []abi.Any) (abi.Any, error) {
	handle, ok := plane.ArrayOf(values)
	if !ok {
		return abi.Any{}, errRaised
	}
	return abi.ObjectValue(handle), nil
}

// newShape makes a Shape.
func newShape(dimensions []int64) (abi.Any, error) {
	handle, ok := plane.NewShape(dimensions)
	if !ok {
		return abi.Any{}, errRaised
	}
	return abi.ObjectValue(handle), nil
}

// items returns a copy of the elements of an Array or List; they are borrowed.
func items(sequence unsafe.Pointer) []abi.Any {
	return append([]abi.Any(nil), abi.SeqOf(sequence).Items()...)
}

// entries returns a copy of the entries of a Map or Dict in order of insertion; they are borrowed.
func entries(m unsafe.Pointer) []pair { return container.MapOf(m).Pairs() }

// ownedAll converts views to owned values. On an error it releases those that it made.
func ownedAll(views []abi.Any) ([]abi.Any, error) {
	values := make([]abi.Any, 0, len(views))
	for i := range views {
		v, err := owned(&views[i])
		if err != nil {
			for _, made := range values {
				containers.Release(made)
			}
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// keyView converts a view to the form of an owned value, as a look-up needs it. It takes no reference if the view has
// that form already. The caller must call release after the look-up.
func keyView(view *abi.Any) (key abi.Any, release func(), err error) {
	if view.IsObject() && view.Bits != 0 || view.TypeIndex == abi.IndexInt {
		key = *view
		key.Len = 0
		return key, func() {}, nil
	}
	key, err = owned(view)
	return key, func() { containers.Release(key) }, err
}
