package gocalls

import (
	"math"

	"github.com/selfsame-ffi/selfsame"
)

// What bench/python/many.py calls for many items at once.
func init() {
	selfsame.MustRegisterFunc("gocalls.half", func(x float64) float64 { return x / 2 })
	selfsame.MustRegisterFunc("gocalls.half_or_error", func(x float64) (float64, error) { return x / 2, nil })
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
