package graph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
)

// NewMap makes a Map or Dict of keys and values in turn. It takes over the owned values, also when it fails.
func NewMap(index int32, items []abi.Any) (unsafe.Pointer, error) {
	plan := container.PlanFor(len(items) / 2)
	made := [1]plane.Make{{TypeIndex: int64(index), Size: int64(plan.Object), BufferSize: int64(plan.Buffer)}}
	if !plane.NewObjects(made[:]) {
		ReleaseAll(items)
		return nil, fault.ErrRaised
	}
	h := made[0].Object()
	if err := Containers.Fill(h, made[0].Buffer(), plan, items); err != nil {
		plane.DecRef(h)
		return nil, err
	}
	return h, nil
}

// NewArray makes an Array that takes over owned values, also when it fails.
func NewArray(items []abi.Any) (unsafe.Pointer, error) {
	made := [1]plane.Make{{TypeIndex: int64(abi.IndexArray), Size: int64(len(items))}}
	if !plane.NewObjects(made[:]) {
		ReleaseAll(items)
		return nil, fault.ErrRaised
	}
	FillArray(made[0].Object(), items)
	return made[0].Object(), nil
}

// FillArray moves owned values into a new Array that has room for them.
func FillArray(array unsafe.Pointer, items []abi.Any) {
	cell := abi.SeqOf(array)
	cell.Size = int64(len(items))
	copy(cell.Items(), items)
}

// FillString copies the content into a new String of its length.
func FillString(str unsafe.Pointer, content []byte) {
	body := (*abi.ByteArray)(unsafe.Add(str, abi.BodyOffset))
	copy(body.Bytes(), content)
}

// NewText makes an owned string of bytes.
func NewText(content []byte) (abi.Any, error) {
	if v, ok := abi.SmallStr(unsafe.String(unsafe.SliceData(content), len(content))); ok {
		return v, nil
	}
	made := [1]plane.Make{{TypeIndex: int64(abi.IndexStr), Size: int64(len(content))}}
	if !plane.NewObjects(made[:]) {
		return abi.Any{}, fault.ErrRaised
	}
	FillString(made[0].Object(), content)
	return abi.ObjectValue(made[0].Object()), nil
}

// Containers is what Map, Dict and List need of the runtime. Set by package runtime.
var Containers *container.Host

// NewList makes a List that takes over owned values, also when it fails. Set by package runtime.
var NewList func(items []abi.Any) (unsafe.Pointer, error)
