package tvm

import (
	"fmt"

	"github.com/selfsame-ffi/selfsame"
)

// Empty makes a tensor on a device, with elements that are not set. It fails for a negative extent.
func Empty(shape []int, elements selfsame.DataType, device selfsame.Device) (*selfsame.Tensor, error) {
	for i, extent := range shape {
		if extent < 0 {
			return nil, fmt.Errorf("tvm: Empty: dimension %d of the shape %v is negative", i, shape)
		}
	}
	extents, err := selfsame.NewShape(shape...)
	if err != nil {
		return nil, err
	}
	defer extents.Release()
	return call[*selfsame.Tensor]("runtime.TVMTensorAllocWithScope", extents, elements, device, nil)
}

// CopyTo copies the elements of a tensor to another one of the same shape and data type, on the same or another device, which
// may be one of a [Session]. It returns when the copy is done.
func CopyTo(to, from *selfsame.Tensor) error {
	if _, err := call[any]("runtime.TVMTensorCopyFromTo", from, to); err != nil {
		return err
	}
	for _, device := range []selfsame.Device{from.Device(), to.Device()} {
		if device.Type != selfsame.CPU.Type {
			if err := Sync(device); err != nil {
				return err
			}
		}
	}
	return nil
}

// OnDevice makes a copy of a tensor on a device.
func OnDevice(t *selfsame.Tensor, device selfsame.Device) (*selfsame.Tensor, error) {
	made, err := Empty(t.Shape(), t.DataType(), device)
	if err != nil {
		return nil, err
	}
	if err := CopyTo(made, t); err != nil {
		made.Release()
		return nil, err
	}
	return made, nil
}

// LoadParams reads tensors by name from a file that save_param_dict_to_file or [SaveParams] wrote. The tensors are on the CPU.
func LoadParams(path string) (map[string]*selfsame.Tensor, error) {
	params, err := call[*selfsame.Map[string, *selfsame.Tensor]]("runtime.LoadParamsFromFile", path)
	if err != nil {
		return nil, err
	}
	defer params.Release()
	named := make(map[string]*selfsame.Tensor, params.Len())
	for name, tensor := range params.All() {
		named[name] = tensor
	}
	return named, nil
}

// SaveParams writes tensors by name to a file, for [LoadParams] or TVM in Python.
func SaveParams(path string, params map[string]*selfsame.Tensor) error {
	entries, err := selfsame.NewMap(params)
	if err != nil {
		return err
	}
	defer entries.Release()
	_, err = call[any]("runtime.SaveParamsToFile", entries, path)
	return err
}
