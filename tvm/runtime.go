package tvm

import (
	"fmt"

	"github.com/selfsame-ffi/selfsame"
)

// Load loads libraries of TVM's runtime in turn: libtvm_runtime.so, then those of devices, such as libtvm_runtime_cuda.so.
// It fails as [selfsame.LoadModule] does, and when the libraries have no virtual machine for Relax. Any goroutine may call
// it; a library that is loaded already is not loaded again.
func Load(paths ...string) error {
	for _, path := range paths {
		if _, err := selfsame.LoadModule(path); err != nil {
			return err
		}
	}
	_, err := global("ffi.Module.load_from_bytes.relax.VMExecutable")
	return err
}

// NumThreads returns how many threads TVM's runtime uses for a kernel that runs in parallel. TVM_NUM_THREADS in the
// environment says how many; else these are the cores of the machine.
func NumThreads() (int, error) { return call[int]("runtime.NumThreads") }

// HasDevice reports whether TVM's runtime can use a device, such as [selfsame.CPU] or the one that
// selfsame.ParseDevice("cuda:0") gives.
func HasDevice(device selfsame.Device) (bool, error) {
	const attributeExists = 0
	exists, err := call[any]("runtime.GetDeviceAttr", device.Type, device.ID, attributeExists)
	return exists == true || exists == int64(1), err
}

// Sync waits until a device has done what was asked of it. Kernels of devices other than the CPU run while Go code goes on.
func Sync(device selfsame.Device) error {
	_, err := call[any]("runtime.Device_StreamSync", device, 0)
	return err
}

func global(name string) (*selfsame.Function, error) {
	f, err := selfsame.GetFunc(name)
	if err != nil {
		return nil, fmt.Errorf("tvm: no function %s: TVM's runtime is not loaded, or another version; call tvm.Load with the "+
			"path of libtvm_runtime.so first: %w", name, err)
	}
	return f, nil
}

// call calls a function of TVM's runtime.
func call[R any](name string, args ...any) (R, error) {
	f, err := global(name)
	if err != nil {
		return *new(R), err
	}
	return selfsame.CallAs[R](f, args...)
}

// callIn calls a function of a module.
func callIn[R any](m *selfsame.Module, name string, args ...any) (R, error) {
	f, err := m.Func(name)
	if err != nil {
		return *new(R), err
	}
	return selfsame.CallAs[R](f, args...)
}
