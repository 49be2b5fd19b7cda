package arrow

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// decimals returns what reads decimals: those without digits after the point as whole numbers, as databases give their sums, and
// any as floats, rounded to the nearest; nil for a type that does not fit.
func (f *Form) decimals(format, name string) reader {
	parts := strings.Split(strings.TrimPrefix(format, "d:"), ",") // digits, digits after the point and, but for 128, bits
	if f.format == "tDn" || len(parts) < 2 {
		return nil
	}
	scale, err := strconv.Atoi(parts[1])
	bits := 128
	if err == nil && len(parts) > 2 {
		bits, err = strconv.Atoi(parts[2])
	}
	isFloat := loadsFloat[f.format] != nil
	if err != nil || scale < 0 || scale > 0 && !isFloat || bits%8 != 0 || bits <= 0 {
		return nil
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	storeSigned, storeLarge := f.storeInt(false), f.storeInt(true)
	return func(a *array, from int, to *places) error {
		size := bits / 8
		first := unsafe.Add(data(a, 1), (int(a.offset)+from)*size)
		for i := range to.n {
			p := to.of(i)
			if p == nil {
				continue
			}
			v := wide(unsafe.Slice((*byte)(unsafe.Add(first, i*size)), size))
			fits := false
			if isFloat {
				nearest, _ := new(big.Rat).SetFrac(v, unit).Float64()
				fits = f.storeFloat(p, nearest)
			} else if v.IsInt64() {
				fits = storeSigned(p, v.Int64())
			} else if v.IsUint64() {
				fits = storeLarge(p, int64(v.Uint64()))
			}
			if !fits {
				return fault.New("OverflowError", "column '%s': %v in row %d does not fit in %s", name, v, from+i, f.Type)
			}
		}
		return nil
	}
}

// wide returns a whole number in two's complement, whose bytes begin with the least.
func wide(bytes []byte) *big.Int {
	most := slices.Clone(bytes)
	slices.Reverse(most)
	v := new(big.Int).SetBytes(most)
	if most[0]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(most))))
	}
	return v
}
