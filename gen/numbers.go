package gen

import (
	"math"
	"math/bits"
	"reflect"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// WrappedNumber is a number type whose values have a class of their own. The functions for it are what generated code makes the
// operators of such a class of. Any goroutine may call them.
type WrappedNumber interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

func outOfRange[T WrappedNumber](operation string, a, b T) error {
	return fault.New("OverflowError", "%s: the %s of %v and %v is out of range", reflect.TypeFor[T](), operation, a, b)
}

// SumOf returns a + b, and an OverflowError when T has no such number.
func SumOf[T WrappedNumber](a, b T) (T, error) {
	sum := a + b
	if b >= 0 && sum < a || b < 0 && sum > a {
		return 0, outOfRange("sum", a, b)
	}
	return sum, nil
}

// DifferenceOf returns a - b, and an OverflowError when T has no such number.
func DifferenceOf[T WrappedNumber](a, b T) (T, error) {
	difference := a - b
	if b >= 0 && difference > a || b < 0 && difference < a {
		return 0, outOfRange("difference", a, b)
	}
	return difference, nil
}

// ProductOf returns a * b, and an OverflowError when T has no such number.
func ProductOf[T WrappedNumber](a, b T) (T, error) {
	product := a * b
	if !isFloat[T]() && a != 0 && (product/a != b || a < 0 && b < 0 && product < 0) {
		return 0, outOfRange("product", a, b)
	}
	return product, nil
}

// QuotientOf returns a / b for a floating-point type, and a ZeroDivisionError when b is 0.
func QuotientOf[T ~float32 | ~float64](a, b T) (T, error) {
	if b == 0 {
		return 0, fault.New("ZeroDivisionError", "%s: division by zero", reflect.TypeFor[T]())
	}
	return a / b, nil
}

// NegativeOf returns -a, and an OverflowError when T has no such number.
func NegativeOf[T WrappedNumber](a T) (T, error) {
	if isFloat[T]() {
		return -a, nil
	}
	return DifferenceOf(0, a)
}

func isFloat[T WrappedNumber]() bool { return T(1)/T(2) != 0 }

// hashModulus is the prime, 2^61 - 1, modulo which Python hashes numbers.
// https://docs.python.org/3/library/stdtypes.html#hashing-of-numeric-types
const hashModulus = 1<<61 - 1

// HashOfNumber returns the hash that Python has for a number, so that a value and its plain number are one key of a dict. What is not
// a number has the hash 0.
func HashOfNumber[T WrappedNumber](a T) int64 {
	sign := int64(1)
	if a < 0 {
		sign = -1
	}
	if !isFloat[T]() {
		magnitude := uint64(a)
		if a < 0 {
			magnitude = -magnitude
		}
		return sign * int64(magnitude%hashModulus)
	}
	fraction, exponent := math.Frexp(math.Abs(float64(a)))
	switch {
	case math.IsNaN(fraction):
		return 0
	case math.IsInf(fraction, 0):
		return sign * 314159
	}
	// The fraction has at most 53 bits. As 2^61 is 1 here, a power of 2 rotates the 61 bits.
	whole := uint64(math.Ldexp(fraction, 53))
	turn := ((exponent-53)%61 + 61) % 61
	high, low := bits.Mul64(whole, 1<<turn)
	return sign * int64(((high<<3|low>>61)+low&hashModulus)%hashModulus)
}
