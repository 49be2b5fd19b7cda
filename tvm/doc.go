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
