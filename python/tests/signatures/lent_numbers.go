package signatures

import (
	"fmt"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
)

// where tells the address of the first element, so that tests can see whether it was copied, and the elements.
func where[E any](values []E) (uint64, string) {
	return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(values)))), fmt.Sprint(values)
}

func lent[E selfsame.LentNumber](name string) {
	selfsame.MustRegisterFunc("signatures.lent_"+name, func(values selfsame.LentSlice[E]) (uint64, string) {
		return where(values)
	}, selfsame.ArgNames("values"))
	selfsame.MustRegisterFunc("signatures.copied_"+name, func(values []E) (uint64, string) { return where(values) },
		selfsame.ArgNames("values"))
}

// Series is a class whose constructor takes numbers and texts.
type Series struct {
	selfsame.Object
	values selfsame.Value[[]float64]
	counts selfsame.Value[map[string]int64]
}

func (s *Series) show() string { return fmt.Sprint(s.values.Get(), s.counts.Get()) }

// Functions that take slices of numbers, which Python lends.
func init() {
	selfsame.MustRegister[Series]("signatures.Series",
		selfsame.Init(func(s *Series, values []float64, counts map[string]int64) {
			s.values.Set(values)
			s.counts.Set(counts)
		}, "values", "counts={}"),
		selfsame.Method("show", (*Series).show, ""))
	lent[int]("int")
	lent[int8]("int8")
	lent[int32]("int32")
	lent[int64]("int64")
	lent[uint16]("uint16")
	lent[uint64]("uint64")
	lent[float32]("float32")
	lent[float64]("float64")
	selfsame.MustRegisterFunc("signatures.sum_lent", func(values selfsame.LentSlice[float64]) (sum float64) {
		for _, v := range values {
			sum += v
		}
		return sum
	})
	selfsame.MustRegisterFunc("signatures.sum_copied", func(values []float64) (sum float64) {
		for _, v := range values {
			sum += v
		}
		return sum
	})
	selfsame.MustRegisterFunc("signatures.sum_ints_lent", func(values selfsame.LentSlice[int64], times int64) (sum int64) {
		for _, v := range values {
			sum += v * times
		}
		return sum
	})
	// during calls back while the numbers are lent, and returns what they are then.
	selfsame.MustRegisterFunc("signatures.during", func(values selfsame.LentSlice[float64], callback func()) []float64 {
		callback()
		return append([]float64{}, values...)
	}, selfsame.Plain())
}
