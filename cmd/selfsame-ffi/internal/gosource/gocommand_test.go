package gosource

// Requirement: G4

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Each go command that cannot be used comes with what to do.
func TestGoCommandsThatCannotBeUsedAreNamed(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"echo go1.20.3", " is go1.20.3, which is too old; install Go 1.24 or later"},
		{"echo 'cannot find GOROOT directory' >&2\nexit 2", " does not run: cannot find GOROOT directory; install Go again"},
		{"exit 3", " does not run: exit status 3; install Go again"},
		{"echo 'go: go.mod requires go >= 1.24.0 (running go 1.22.1; GOTOOLCHAIN=local)' >&2\nexit 1",
			"go: go.mod requires go >= 1.24.0 (running go 1.22.1; GOTOOLCHAIN=local); install that Go from https://go.dev/dl, or let"},
		{"echo \"go: errors parsing go.mod: go.mod:3: invalid go version '1.24.0'\" >&2\nexit 1", "invalid go version '1.24.0'; install that Go"},
		{"echo 'go: errors parsing go.mod: go.mod:1: unknown directive: modul' >&2\nexit 1", ""},
		{"echo go1.24.0", ""},
		{"echo 'devel go1.27-abcdef'", ""},
	} {
		folder := t.TempDir()
		testenv.OK(t, os.WriteFile(filepath.Join(folder, "go"), []byte("#!/bin/sh\n"+c.script+"\n"), 0o755))
		t.Setenv("PATH", folder)
		err := CheckGo(t.Context(), t.TempDir())
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got the error %v, want %q", c.script, err, c.want)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if err := CheckGo(t.Context(), "."); err == nil || !strings.Contains(err.Error(), "not found in PATH; install Go 1.24") {
		t.Errorf("without a go command: got the error %v", err)
	}
}

// A module that lacks something of another one is sent to doctor, not to `go get` of itself.
func TestModulesThatLackOthersAreSentToDoctor(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOPROXY", "off")
	for requires, want := range map[string]string{
		"\nrequire " + FrontendPath + " v0.1.0\n": "missing go.sum entry",
		"": "no required module provides package " + FrontendPath,
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"go.mod":  "module example.com/shop\n\ngo 1.24.0\n" + requires,
			"shop.go": "package shop\n\nimport _ \"" + FrontendPath + "\"\n",
		} {
			testenv.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		_, err := Find(dir, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "; `selfsame-ffi doctor` there says how to mend it") {
			t.Errorf("got the error %v, want %q and doctor", err, want)
		}
		if err != nil && strings.Contains(err.Error(), "to add") {
			t.Errorf("the error %q has the go command's advice too", err)
		}
	}
}
