package testvalues

import (
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
)

// Benchmark measures work on two equal values: a JSON document, and an Array of 100 objects that class makes.
func Benchmark(b *testing.B, class func(testing.TB) func() abi.Any, work func(x, y *abi.Any) error) {
	const text = `[{"a":[1,2.5,"a string on the heap"]},{"b":[1,2.5,"another string"]},null,[[[1]]]]`
	document := func() abi.Any { return JSON(b, text) }
	objects := func() abi.Any {
		object, items := class(b), make([]abi.Any, 100)
		for i := range items {
			items[i] = object()
		}
		return Array(b, items...)
	}
	for name, operand := range map[string]func() abi.Any{"plain": document, "hooks": objects} {
		b.Run(name, func(b *testing.B) {
			x, y := operand(), operand()
			defer graph.ReleaseAll([]abi.Any{x, y})
			for b.Loop() {
				if err := work(&x, &y); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
