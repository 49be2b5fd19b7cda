package testenv

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// Corpus reads the inputs in a fuzzer's corpus file: a line of hexadecimal digits per input, as scripts/corpus.py
// writes them.
func Corpus(t testing.TB, file string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var inputs [][]byte
	for _, line := range strings.Fields(string(text)) {
		input, err := hex.DecodeString(line)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		inputs = append(inputs, input)
	}
	if len(inputs) == 0 {
		t.Fatalf("%s holds no input", file)
	}
	return inputs
}
