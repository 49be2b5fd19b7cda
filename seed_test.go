package selfsame_test

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// seedOf returns the seed of a test that makes random choices: SELFSAME_SEED, or a new one. It logs the seed.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("SELFSAME_SEED"); text != "" {
		seed = must(strconv.ParseUint(text, 10, 64))(t)
	}
	t.Logf("SELFSAME_SEED=%d", seed)
	return seed
}
