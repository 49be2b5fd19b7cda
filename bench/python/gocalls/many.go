package gocalls

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/selfsame-ffi/selfsame"
)

// What bench/python/many.py calls for many items at once.
func init() {
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprint("text number ", i)
	}
	selfsame.MustRegisterFunc("gocalls.half", func(x float64) float64 { return x / 2 })
	selfsame.MustRegisterFunc("gocalls.half_or_error", func(x float64) (float64, error) { return x / 2, nil })
	selfsame.MustRegisterFunc("gocalls.half_in_context", func(_ context.Context, x float64) float64 { return x / 2 })
	selfsame.MustRegisterFunc("gocalls.total", func(values iter.Seq[float64]) (sum float64) {
		for v := range values {
			sum += v
		}
		return sum
	})
	selfsame.MustRegisterFunc("gocalls.names", func(n int) iter.Seq[string] {
		return func(yield func(string) bool) {
			for i := range n {
				if !yield(names[i%len(names)]) {
					return
				}
			}
		}
	})
	selfsame.MustRegisterFunc("gocalls.each_node", func(nodes []*selfsame.Handle[Node]) iter.Seq[*selfsame.Handle[Node]] {
		return slices.Values(nodes)
	})
	selfsame.MustRegisterFunc("gocalls.hypot", math.Hypot)
	selfsame.MustRegisterFunc("gocalls.text_size", func(s string) int { return len(s) })
	selfsame.MustRegisterFunc("gocalls.shout", func(s string) string { return s + "!" })
	selfsame.MustRegisterFunc("gocalls.microsecond", func(x float64) float64 {
		for range 200 {
			x += math.Sqrt(x)
		}
		return x
	})
}
