package gocmd

import (
	"io"
	"testing"
)

// Requirement: F7
func TestLinesThatNamePackagesAreCountedAndTakenOut(t *testing.T) {
	count := 0
	n := Named{Compiled: func() { count++ }}
	for _, text := range []string{"errors\ngolang.org/x/sys/", "unix\n# example.com/a\n./a.go:1:2: wrong\n", "exa", "mple.com/a\nmore: 1", "\nunfinished"} {
		if _, err := io.WriteString(&n, text); err != nil {
			t.Fatal(err)
		}
	}
	if want := "# example.com/a\n./a.go:1:2: wrong\nmore: 1\nunfinished"; count != 3 || n.String() != want {
		t.Errorf("counted %d, the rest is %q, want 3 and %q", count, n.String(), want)
	}
}
