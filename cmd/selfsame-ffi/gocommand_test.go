package main

// Requirement: G4

import (
	"os"
	"strings"
	"testing"
)

// Without a go command that can be used, each command that needs one says what to install, and writes nothing.
func TestCommandsThatNeedGoSayWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"new", "shop"}, {"wrap", "github.com/x/y"}, {"build", "."}, {"develop", "."}} {
		_, err := selfsame(t, args...)
		if err == nil || !strings.Contains(err.Error(), "the go command was not found in PATH; install Go 1.24 or later") {
			t.Errorf("%s: got the error %v, want what to install", args[0], err)
		}
		left, readErr := os.ReadDir(".")
		if readErr != nil || len(left) != 0 {
			t.Errorf("%s left %v (%v)", args[0], left, readErr)
		}
	}
}
