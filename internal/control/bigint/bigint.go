// Package bigint converts integers of the C ABI (int and ffi.BigInt values) to *big.Int and back.
package bigint

import (
	"math/big"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Of returns the integer in a borrowed value, which must be an int, a bool or an ffi.BigInt.
func Of(value *abi.Any) *big.Int {
	if value.TypeIndex != abi.IndexBigInt {
		return big.NewInt(value.Int64())
	}
	return abi.BigIntOf(value.Pointer()).Int()
}

// New makes an owned value: an int if v fits into 64 bits, else an ffi.BigInt. ok is false when there is no memory;
// then an error is raised on the calling thread.
func New(v *big.Int) (value abi.Any, ok bool) {
	if v.IsInt64() {
		return abi.Int(v.Int64()), true
	}
	// The sign needs one bit more than the absolute value has.
	content := make([]byte, (v.BitLen()/64+1)*8)
	abs := v
	if v.Sign() < 0 {
		abs = new(big.Int).Not(v) // -v-1: the inverse of every bit of v
	}
	abs.FillBytes(content)
	for i, j := 0, len(content)-1; i < j; i, j = i+1, j-1 {
		content[i], content[j] = content[j], content[i]
	}
	if v.Sign() < 0 {
		for i := range content {
			content[i] = ^content[i]
		}
	}
	return plane.NewBigInt(content)
}

// Parse reads a decimal number: an optional sign, then ASCII digits. ok is false for any other text.
func Parse(text string) (v *big.Int, ok bool) {
	digits := text
	if digits != "" && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	if digits == "" {
		return nil, false
	}
	for i := 0; i < len(digits); i++ {
		if digits[i] < '0' || digits[i] > '9' {
			return nil, false
		}
	}
	return new(big.Int).SetString(text, 10)
}
