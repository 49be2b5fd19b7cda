package values

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

func TestUTF8IsFoundAsGoFindsIt(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "z", "\x00", "\x7f", "\x80", "\xff", "ä", "€", "\U0001f600", "\xed\xa0\x80", "\xc0\x80"}
	for range 200_000 {
		s := ""
		for range random.IntN(24) {
			part := "x"
			if random.IntN(8) == 0 {
				part = parts[random.IntN(len(parts))]
			}
			s += part
		}
		s = s[min(len(s), random.IntN(4)):] // begins at any address
		valid := utf8.ValidString(s)
		if got := IsUTF8(s); got != valid {
			t.Fatalf("IsUTF8(%q) = %v", s, got)
		}
		if err := CheckUTF8(s); (err == nil) != valid {
			t.Fatalf("CheckUTF8(%q): %v", s, err)
		}
	}
}
