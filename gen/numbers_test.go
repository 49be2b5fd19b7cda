package gen_test

import (
	"math"
	"testing"

	"github.com/selfsame-ffi/selfsame/gen"
	"github.com/selfsame-ffi/selfsame/internal/testenv/want"
)

type (
	tiny   int8
	small  uint8
	weight float32
)

// Every pair of an 8-bit type is compared with the same operation in a wider one.
func TestOperatorsOfNumbersSayWhatIsOutOfRange(t *testing.T) {
	checkOperators(t, math.MinInt8, math.MaxInt8, func(i int) tiny { return tiny(i) })
	checkOperators(t, 0, math.MaxUint8, func(i int) small { return small(i) })
}

func checkOperators[T gen.WrappedNumber](t *testing.T, least, most int, of func(int) T) {
	t.Helper()
	check := func(name string, a, b, want int, got T, err error) {
		t.Helper()
		inRange := want >= least && want <= most
		if inRange && (err != nil || got != of(want)) || !inRange && err == nil {
			t.Fatalf("%s of %d and %d is %v, %v; want %d", name, a, b, got, err, want)
		}
	}
	for a := least; a <= most; a++ {
		negative, err := gen.NegativeOf(of(a))
		check("negative", a, a, -a, negative, err)
		for b := least; b <= most; b++ {
			sum, err := gen.SumOf(of(a), of(b))
			check("sum", a, b, a+b, sum, err)
			difference, err := gen.DifferenceOf(of(a), of(b))
			check("difference", a, b, a-b, difference, err)
			product, err := gen.ProductOf(of(a), of(b))
			check("product", a, b, a*b, product, err)
		}
	}
}

func TestOperatorsOfFloatsOverflowToInfinity(t *testing.T) {
	most := weight(math.MaxFloat32)
	if sum, err := gen.SumOf(most, most); err != nil || !math.IsInf(float64(sum), 1) {
		t.Errorf("the sum is %v, %v", sum, err)
	}
	if sum, err := gen.SumOf(weight(math.NaN()), -most); err != nil || sum == sum {
		t.Errorf("the sum with NaN is %v, %v", sum, err)
	}
	if zero, err := gen.NegativeOf(weight(0)); err != nil || !math.Signbit(float64(zero)) {
		t.Errorf("minus 0 is %v, %v", zero, err)
	}
	_, err := gen.QuotientOf(most, 0)
	want.Error(t, err, "ZeroDivisionError", "gen_test.weight: division by zero")
}
