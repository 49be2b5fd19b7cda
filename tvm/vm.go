package tvm

import (
	"fmt"

	"github.com/selfsame-ffi/selfsame"
)

// VM is a virtual machine that runs the functions of an [Executable]. One call of its functions runs at a time: programs that
// serve requests have a VM for each goroutine that calls, which shares the executable's code. What a function returns stays
// valid when the VM goes on.
//
// A kernel that was compiled to run in parallel uses threads that belong to the thread that called it. A goroutine that calls
// many of them locks itself to its thread (runtime.LockOSThread), so that these threads are made once; a [Pool] does both.
type VM struct {
	module     *selfsame.Module
	executable *Executable
	config     Config
	device     selfsame.Device
}

// Module returns the module whose functions are those of the virtual machine.
func (vm *VM) Module() *selfsame.Module { return vm.module }

// Executable returns what the virtual machine runs.
func (vm *VM) Executable() *Executable { return vm.executable }

// Func returns a function of the program. Its arguments are those of the Relax function: tensors, shapes, numbers, and arrays
// where it takes tuples; so is its result. [gen.CalleeOf] makes calls of it that have types and do not allocate. It
// fails with a ValueError when the program has no such function.
func (vm *VM) Func(name string) (*selfsame.Function, error) {
	if _, err := vm.Params(name); err != nil {
		return nil, fmt.Errorf("tvm: VM.Func: no function %s: %w", name, err)
	}
	return vm.module.Func(name)
}

// Params returns the names of a function's parameters.
func (vm *VM) Params(name string) ([]string, error) {
	count, err := callIn[int](vm.module, "get_function_arity", name)
	if err != nil {
		return nil, err
	}
	names := make([]string, count)
	for i := range names {
		if names[i], err = callIn[string](vm.module, "get_function_param_name", name, i); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// Save makes a function, under the name saved, that calls the function name with these arguments. The virtual machine keeps
// them. It suits [VM.Time], which then measures nothing but the call.
func (vm *VM) Save(name, saved string, args ...any) error {
	_, err := callIn[any](vm.module, "save_function", append([]any{name, saved, true}, args...)...)
	return err
}

// SetInput keeps arguments for [VM.Invoke]. On a remote device, only such calls can have several results.
func (vm *VM) SetInput(name string, args ...any) error {
	_, err := callIn[any](vm.module, "set_input", append([]any{name}, args...)...)
	return err
}

// Invoke calls a function with the arguments of the [VM.SetInput] before, and returns its result: a *selfsame.Tensor, or an
// []any of the parts when it is a tuple.
func (vm *VM) Invoke(name string) (any, error) {
	if _, err := callIn[any](vm.module, "invoke_stateful", name); err != nil {
		return nil, err
	}
	return vm.output([]any{name})
}

// output returns the part of a result that the numbers after the function's name in path lead to.
func (vm *VM) output(path []any) (any, error) {
	parts, err := callIn[int](vm.module, "get_output_arity", path...)
	if err != nil {
		return nil, err
	}
	if parts < 0 {
		return callIn[any](vm.module, "get_output", path...)
	}
	all := make([]any, parts)
	for i := range all {
		if all[i], err = vm.output(append(path[:len(path):len(path)], i)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Release releases the virtual machine now. Functions of it that are held keep it alive.
func (vm *VM) Release() { vm.module.Release() }
