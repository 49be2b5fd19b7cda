package guest

import (
	"math"
	"testing"
)

// Requirement: C17
func TestMemoryLimitsAreReadAsGoReadsThem(t *testing.T) {
	for text, want := range map[string]int64{
		"off": math.MaxInt64, "0": 0, "512": 512, "512B": 512, "3KiB": 3 << 10, "64MiB": 64 << 20, "1GiB": 1 << 30, "2TiB": 2 << 40,
	} {
		if got, ok := bytesOf(text); !ok || got != want {
			t.Errorf("%s is %d, %v; want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "B", "iB", "KiB", "-1", "1KB", "1XiB", "1.5GiB", "9999999TiB", "off ", "1 GiB"} {
		if got, ok := bytesOf(text); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}
