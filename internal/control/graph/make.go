package graph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// NewMap makes a Map (abi.IndexMap) or Dict (abi.IndexDict) of owned keys and values in turn, which it takes over even
// if it fails.
//
// Errors: MemoryError, and those of a key's hash or equality.
func NewMap(index int32, items []abi.Any) (unsafe.Pointer, error) {
	made := [1]plane.Make{{TypeIndex: int64(index), Size: int64(len(items) / 2)}}
	if !plane.NewObjects(made[:]) {
		ReleaseAll(items)
		return nil, failure.ErrRaised
	}
	h := made[0].Object()
	if !plane.FillMaps([]plane.Filling{{Map: uintptr(h), Pairs: int64(len(items) / 2)}}, items) {
		plane.DecRef(h)
		return nil, failure.ErrRaised
	}
	return h, nil
}

// NewArray makes an Array of owned values, which it takes over even if it fails with a MemoryError.
func NewArray(items []abi.Any) (unsafe.Pointer, error) {
	made := [1]plane.Make{{TypeIndex: int64(abi.IndexArray), Size: int64(len(items))}}
	if !plane.NewObjects(made[:]) {
		ReleaseAll(items)
		return nil, failure.ErrRaised
	}
	FillArray(made[0].Object(), items)
	return made[0].Object(), nil
}

// FillArray moves owned values into a new Array that has the capacity for them.
func FillArray(array unsafe.Pointer, items []abi.Any) {
	cell := abi.SeqOf(array)
	cell.Size = int64(len(items))
	copy(cell.Items(), items)
}

// FillString copies content into a new string of that length.
func FillString(str unsafe.Pointer, content []byte) {
	body := (*abi.ByteArray)(unsafe.Add(str, abi.BodyOffset))
	copy(body.Bytes(), content)
}

// NewText makes a string with a copy of content; the caller owns it. Content need not be UTF-8.
func NewText(content []byte) (abi.Any, error) {
	if v, ok := abi.SmallStr(View(content)); ok {
		return v, nil
	}
	made := [1]plane.Make{{TypeIndex: int64(abi.IndexStr), Size: int64(len(content))}}
	if !plane.NewObjects(made[:]) {
		return abi.Any{}, failure.ErrRaised
	}
	FillString(made[0].Object(), content)
	return abi.ObjectValue(made[0].Object()), nil
}

// NewList makes a List of owned values, which it takes over even if it fails with a MemoryError.
func NewList(items []abi.Any) (unsafe.Pointer, error) {
	h, ok := plane.ListOf(items)
	if !ok {
		return nil, failure.ErrRaised
	}
	return h, nil
}
