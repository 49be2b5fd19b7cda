package recursive_test

import (
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/recursive"
	"github.com/selfsame-ffi/selfsame/internal/testenv/testvalues"
)

// hookedClass returns a class whose hooks handle one part, the number 1, through the callback that they are given.
func hookedClass(t testing.TB) func() abi.Any {
	pair := func(args []abi.Any) (abi.Any, error) { return graph.Call(args[2].Pointer(), abi.Int(1), abi.Int(1)) }
	one := func(args []abi.Any) (abi.Any, error) { return graph.Call(args[1].Pointer(), abi.Int(1)) }
	return testvalues.Class(t, "test.recursive.Hooked", map[string]graph.Body{
		"__ffi_eq__": pair, "__ffi_compare__": pair, "__ffi_hash__": one, "__ffi_repr__": one,
	})
}

func BenchmarkEqual(b *testing.B) {
	testvalues.Benchmark(b, hookedClass, func(x, y *abi.Any) error {
		same, err := testvalues.RecursiveEqual(x, y)
		if err == nil && !same {
			b.Fatal("equal values are different")
		}
		return err
	})
}

func BenchmarkCompare(b *testing.B) {
	testvalues.Benchmark(b, hookedClass, func(x, y *abi.Any) error {
		_, err := testvalues.RecursiveCompare(x, y)
		return err
	})
}

func BenchmarkHash(b *testing.B) {
	testvalues.Benchmark(b, hookedClass, func(x, _ *abi.Any) error {
		_, err := testvalues.RecursiveHash(x)
		return err
	})
}

func BenchmarkRepr(b *testing.B) {
	testvalues.Benchmark(b, hookedClass, func(x, _ *abi.Any) error {
		_, err := recursive.Repr(x, false)
		return err
	})
}
