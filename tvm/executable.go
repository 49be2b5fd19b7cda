package tvm

import (
	"fmt"

	"github.com/selfsame-ffi/selfsame"
)

// Executable is a compiled program for the virtual machine of Relax, with its kernels and weights. Any goroutine may use it.
type Executable struct {
	module *selfsame.Module
}

// LoadExecutable loads a library that export_library of a VMExecutable wrote, as [selfsame.LoadModule] does. It fails where
// LoadModule fails, and where [NewExecutable] does.
func LoadExecutable(path string) (*Executable, error) {
	if _, err := global("ffi.Module.load_from_bytes.relax.VMExecutable"); err != nil {
		return nil, err
	}
	module, err := selfsame.LoadModule(path)
	if err != nil {
		return nil, err
	}
	e, err := NewExecutable(module)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
}

// NewExecutable returns the executable that a module is, such as one of [Session.LoadModule]. It fails when the module is
// none, as a library of kernels.
func NewExecutable(module *selfsame.Module) (*Executable, error) {
	if module == nil || !module.Has(loadVM) {
		return nil, fmt.Errorf("tvm: NewExecutable: the module has no function %s: it is not an executable of Relax; functions of "+
			"other modules are those of selfsame.Module.Func", loadVM)
	}
	return &Executable{module}, nil
}

const loadVM = "vm_load_executable"

// Module returns the module of the executable.
func (e *Executable) Module() *selfsame.Module { return e.module }

// Stats returns a text about the executable: its functions, constants and kernels.
func (e *Executable) Stats() (string, error) { return callIn[string](e.module, "stats") }

// Text returns the instructions of the executable.
func (e *Executable) Text() (string, error) { return callIn[string](e.module, "as_text") }

// Allocator is how a virtual machine gets memory for its tensors.
type Allocator int64

// The allocators of TVM: Pooled keeps memory that is free for the next tensor, and Naive gives it back at once.
const (
	Pooled Allocator = 2
	Naive  Allocator = 1
)

// Config is where and how a virtual machine runs. The zero Config is the CPU, with memory of a pool.
type Config struct {
	Devices   []selfsame.Device // those that the program was compiled for, in its order; none is the CPU
	Allocator Allocator         // 0 is Pooled
}

// NewVM makes a virtual machine for the executable. It fails when TVM's runtime has no such device, or was not built for it.
func (e *Executable) NewVM(config Config) (*VM, error) {
	allocator := config.Allocator
	if allocator == 0 {
		allocator = Pooled
	}
	if allocator != Pooled && allocator != Naive {
		return nil, fmt.Errorf("tvm: Executable.NewVM: allocator %d is none of Pooled and Naive", allocator)
	}
	devices := append([]selfsame.Device{}, config.Devices...)
	if n := len(devices); n == 0 || devices[n-1].Type%remoteDevices != selfsame.CPU.Type {
		devices = append(devices, selfsame.CPU) // shapes are computed there
	}
	var args []any
	for _, device := range devices {
		args = append(args, device.Type%remoteDevices, device.ID, int64(allocator))
	}
	module, err := callIn[*selfsame.Module](e.module, loadVM)
	if err != nil {
		return nil, err
	}
	if _, err := callIn[any](module, "vm_initialization", args...); err != nil {
		module.Release()
		return nil, err
	}
	return &VM{module: module, executable: e, config: config, device: devices[0]}, nil
}
