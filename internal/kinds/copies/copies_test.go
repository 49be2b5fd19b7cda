package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// The copies of the tables for C and Python say what the tables say.
func TestCopiesAreUpToDate(t *testing.T) {
	for path, want := range copies() {
		got := testenv.Value(os.ReadFile(filepath.Join(testenv.Root(), path)))(t)
		if string(got) != want {
			t.Errorf("%s is out of date: run go generate ./internal/kinds/copies", path)
		}
	}
}
