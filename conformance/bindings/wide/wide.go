// Package wide has numbers of 64 bits without a sign where C++ and Rust have int64_t and i64: what these cannot hold must be
// an error there, never another number.
package wide

import (
	"math"

	"github.com/selfsame-ffi/selfsame"
)

// Sum has a field for numbers without a sign.
type Sum struct {
	selfsame.Object
	Total uint64 `ffi:"rw"`
}

// Fill sets the total to the largest number.
func (s *Sum) Fill() { s.Total = math.MaxUint64 }

// Most returns the largest number, or the number nearest to half of it.
func Most(half bool) uint64 {
	if half {
		return math.MaxInt64 + 1
	}
	return math.MaxUint64
}

func init() {
	selfsame.MustRegister[Sum]("wide.Sum",
		selfsame.Init(func(s *Sum, total uint64) { s.Total = total }, "total=18446744073709551615"),
		selfsame.Method("fill", (*Sum).Fill, "Sets the total to the largest number."))
	selfsame.MustRegisterFunc("wide.most", Most)
	selfsame.MustRegisterFunc("wide.echo", func(n uint64) uint64 { return n }, selfsame.ArgNames("n=9223372036854775807"))
	selfsame.MustRegisterFunc("wide.least", func(n int64) int64 { return n }, selfsame.ArgNames("n=-9223372036854775808"))
	selfsame.MustRegisterFunc("wide.listed", func(last uint64) []uint64 { return []uint64{1, last, math.MaxUint64} })
	selfsame.MustRegisterFunc("wide.keyed", func() map[string]uint64 { return map[string]uint64{"most": math.MaxUint64} })
	selfsame.MustRegisterFunc("wide.maybe", func() *uint64 { n := uint64(math.MaxUint64); return &n })
	selfsame.MustRegisterFunc("wide.sum", func(numbers ...uint64) uint64 {
		total := uint64(0)
		for _, n := range numbers {
			total += n
		}
		return total
	})
}
