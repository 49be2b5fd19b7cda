package structural_test

import (
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/testenv/testvalues"
)

// hookedClass returns a class whose hooks compare and hash one part, the number 1, through the callback that they are
// given.
func hookedClass(t testing.TB) func() abi.Any {
	return testvalues.Class(t, "test.structural.Hooked", map[string]graph.Body{
		"__s_equal__": func(args []abi.Any) (abi.Any, error) {
			return graph.Call(args[2].Pointer(), abi.Int(1), abi.Int(1), abi.Int(0), abi.None())
		},
		"__s_hash__": func(args []abi.Any) (abi.Any, error) {
			return graph.Call(args[2].Pointer(), abi.Int(1), args[1], abi.Int(0))
		},
	})
}

func BenchmarkEqual(b *testing.B) {
	testvalues.Benchmark(b, hookedClass, func(x, y *abi.Any) error {
		same, err := testvalues.StructuralEqual(x, y, false, false)
		if err == nil && !same {
			b.Fatal("equal values are different")
		}
		return err
	})
}

func BenchmarkHash(b *testing.B) {
	testvalues.Benchmark(b, hookedClass, func(x, _ *abi.Any) error {
		_, err := testvalues.StructuralHash(x, false, false)
		return err
	})
}
