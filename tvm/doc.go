// Why TVM has a package of its own. `selfsame-ffi bind --go` writes types for all that TVM's libraries register. What a compiled
// model has is not among that. The functions of a virtual machine are looked up by name in a module. Its set-up, time
// evaluator and sessions take lists of numbers, whose meaning stands in TVM's Python code. Package tvm says that once.
// It needs no generated code, and only the runtime library: 1.3 percent of the compiler's size (`ls -l
// build/classify/packages/tvm/lib` after `make classify`).

// Package tvm runs what Apache TVM compiled: virtual machines of Relax, their parameters, devices, timing, profiles, and the
// client of its RPC. It needs TVM's runtime library, libtvm_runtime.so of the Python package apache-tvm, and neither Python
// nor the compiler:
//
//	if err := tvm.Load("libtvm_runtime.so"); err != nil {
//		return err
//	}
//	executable, err := tvm.LoadExecutable("model.so")
//	if err != nil {
//		return err
//	}
//	vm, err := executable.NewVM(tvm.Config{})
//	if err != nil {
//		return err
//	}
//	forward, err := vm.Func("forward")
//
// A library of kernels that are not functions of a virtual machine needs no more than [selfsame.LoadModule]. The classes and
// functions of the compiler are those of the package that `selfsame-ffi bind --go` writes.
package tvm
