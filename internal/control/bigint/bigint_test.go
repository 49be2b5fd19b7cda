package bigint

import (
	"math"
	"math/big"
	"math/rand"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// roundTrip checks that v survives the conversion to a value and to text, and that its value has the shortest form.
func roundTrip(t *testing.T, v *big.Int) {
	t.Helper()
	value, ok := New(v)
	if !ok {
		t.Fatalf("no value for %s", v)
	}
	defer plane.Reset(&value)
	if want := v.IsInt64(); want != (value.TypeIndex == abi.IndexInt) {
		t.Errorf("%s has type index %d", v, value.TypeIndex)
	}
	if value.TypeIndex == abi.IndexBigInt {
		words := abi.BigIntOf(value.Pointer()).Words()
		last, below := words[len(words)-1], words[len(words)-2]
		if len(words) < 2 || last == 0 && below >= 0 || last == -1 && below < 0 {
			t.Errorf("%s is not in its shortest form: %x", v, words)
		}
	}
	if back := Of(&value); back.Cmp(v) != 0 {
		t.Errorf("%s comes back as %s", v, back)
	}
	if back, ok := Parse(v.String()); !ok || back.Cmp(v) != 0 {
		t.Errorf("%s is read as %s", v, back)
	}
}

// Integers around powers of two and random ones survive the conversion, and leave no object behind.
// Requirement: A3
func TestEveryIntegerComesBack(t *testing.T) {
	before := plane.LiveObjects(abi.IndexBigInt)
	one := big.NewInt(1)
	for _, shift := range []uint{0, 1, 31, 62, 63, 64, 65, 127, 128, 129, 191, 192, 1000, 4096} {
		v := new(big.Int).Lsh(one, shift)
		for _, near := range []*big.Int{v, new(big.Int).Sub(v, one), new(big.Int).Add(v, one)} {
			roundTrip(t, near)
			roundTrip(t, new(big.Int).Neg(near))
		}
	}
	roundTrip(t, big.NewInt(math.MinInt64))
	random := rand.New(rand.NewSource(1))
	for range 2000 {
		v := new(big.Int).Rand(random, new(big.Int).Lsh(one, uint(1+random.Intn(300))))
		if random.Intn(2) == 0 {
			v.Neg(v)
		}
		roundTrip(t, v)
	}
	if now := plane.LiveObjects(abi.IndexBigInt); now != before {
		t.Errorf("%d objects are left", now-before)
	}
}

func TestParseTakesDecimalDigitsOnly(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "+17": "17", "-00012": "-12",
		"123456789012345678901234567890": "123456789012345678901234567890",
	} {
		if got, ok := Parse(text); !ok || got.String() != want {
			t.Errorf("Parse(%q) = %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "-", "+", " 1", "1 ", "1_000", "0x10", "1e3", "--1", "1.0", "١"} {
		if got, ok := Parse(text); ok {
			t.Errorf("Parse(%q) = %v, want nothing", text, got)
		}
	}
}
