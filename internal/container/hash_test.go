package container

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The hash by its definition: words of 8 bytes, the last one filled up with zeros, folded modulo 2^31-1.
func hashByDefinition(content []byte) uint64 {
	hash := uint64(0)
	for i := 0; i < len(content); i += 8 {
		word := uint64(0)
		for k := 0; k < 8 && i+k < len(content); k++ {
			word |= uint64(content[i+k]) << (8 * k)
		}
		hash = (hash*1099511628211 + word) % 2147483647
	}
	return hash
}

func TestHashOfContents(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for length := range 200 {
		for range 20 {
			// With other bytes around it, which must not matter.
			memory := make([]byte, length+16)
			for i := range memory {
				memory[i] = byte(random.Uint32())
			}
			content := memory[8 : 8+length]
			if got, want := HashBytes(content), hashByDefinition(content); got != want {
				t.Fatalf("%d bytes: %#x, want %#x", length, got, want)
			}
		}
	}
	const m = hashModulus
	for _, x := range []uint64{0, 1, m - 1, m, m + 1, 2*m - 1, 2 * m, 3 * m, m * m, m*m - 1, math.MaxUint64, math.MaxUint64 - 1, 1 << 62, 1<<62 - 1} {
		if got := reduce(x); got != x%m {
			t.Errorf("reduce(%d) = %d, want %d", x, got, x%m)
		}
	}
	for range 100_000 {
		if x := random.Uint64(); reduce(x) != x%m {
			t.Fatalf("reduce(%d) = %d, want %d", x, reduce(x), x%m)
		}
	}
}
