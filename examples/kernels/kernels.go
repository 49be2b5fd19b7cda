// Package kernels runs functions of compiled kernel libraries on tensors over Go slices: src/kernels.cc on the CPU, src/cuda.cc on a
// CUDA device where there is one. The libraries are C++, compiled with the published tvm-ffi headers and linked to
// nothing:
//
//	g++ -std=c++17 -O2 -fPIC -shared -I "$TVM_FFI_INCLUDE" -o kernels.so src/kernels.cc
package kernels

import (
	"fmt"

	"github.com/selfsame-ffi/selfsame"
)

// Kernels are the functions of kernels.cc as Go funcs. They work on float32 tensors on the CPU.
type Kernels struct {
	// Axpy adds a*x to y.
	Axpy func(a float64, x, y *selfsame.Tensor) error
	// Matmul stores the product of the matrices a and b in c.
	Matmul func(a, b, c *selfsame.Tensor) error
	// Map applies f to each element of x, in place.
	Map func(f func(float64) float64, x *selfsame.Tensor) error
	// Same gives x back.
	Same func(x *selfsame.Tensor) (*selfsame.Tensor, error)
}

// Load loads the library that kernels.cc was compiled to.
func Load(path string) (*Kernels, error) {
	m, err := selfsame.LoadModule(path)
	if err != nil {
		return nil, err
	}
	k := &Kernels{}
	for _, err := range []error{
		bind(m, "axpy", &k.Axpy), bind(m, "matmul", &k.Matmul), bind(m, "map", &k.Map), bind(m, "same", &k.Same),
	} {
		if err != nil {
			return nil, err
		}
	}
	return k, nil
}

// CUDA are the functions of cuda.cc as Go funcs.
type CUDA struct {
	// Devices is the number of CUDA devices, 0 without a driver.
	Devices func() (int, error)
	// ToDevice copies a float32 tensor to a device.
	ToDevice func(x *selfsame.Tensor, device int) (*selfsame.Tensor, error)
	// ToHost copies a tensor on a device into one on the CPU.
	ToHost func(from, to *selfsame.Tensor) error
	// Axpy adds a*x to y, on the device that has both.
	Axpy func(a float64, x, y *selfsame.Tensor) error
}

// LoadCUDA loads the library that cuda.cc was compiled to. It also works without a device.
func LoadCUDA(path string) (*CUDA, error) {
	m, err := selfsame.LoadModule(path)
	if err != nil {
		return nil, err
	}
	c := &CUDA{}
	for _, err := range []error{
		bind(m, "devices", &c.Devices), bind(m, "to_device", &c.ToDevice), bind(m, "to_host", &c.ToHost), bind(m, "axpy", &c.Axpy),
	} {
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// bind makes a typed Go func of a module's function.
func bind[F any](m *selfsame.Module, name string, to *F) error {
	f, err := m.Func(name)
	if err != nil {
		return err
	}
	if *to, err = selfsame.Bind[F](f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
