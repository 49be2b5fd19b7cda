package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// script writes an executable shell script and returns its path.
func script(t *testing.T, path, text string) string {
	t.Helper()
	testenv.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	testenv.OK(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755))
	return path
}

// config and stubgen hand every argument on, options of the tool's own look included, and take the exit status.
//
// Requirement: G2
func TestPythonToolsGetTheArgumentsAndGiveTheStatus(t *testing.T) {
	python := script(t, filepath.Join(t.TempDir(), "python"), `echo "$@"; exit 3`)
	t.Setenv("SELFSAME_PYTHON", python)
	for command, module := range map[string]string{"config": "selfsame_ffi.config", "stubgen": "selfsame_ffi.stub.cli"} {
		output, err := selfsame(t, command, "--check", "--help", "a b")
		var status statusError
		if !errors.As(err, &status) || status != 3 {
			t.Errorf("%s: got error %v, want the status 3", command, err)
		}
		if want := "-m " + module + " --check --help a b\n"; output != want {
			t.Errorf("%s: the interpreter got %q, want %q", command, output, want)
		}
	}
}

func TestPythonToolsSayWhatAnInterpreterLacks(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	bare := script(t, filepath.Join(t.TempDir(), "python"), `exec `+python+` -I -S "$@"`) // without the packages of any environment
	t.Setenv("SELFSAME_PYTHON", bare)
	for _, command := range []string{"config", "stubgen"} {
		output, err := selfsame(t, command, "--help")
		want := command + ": " + bare + " has no package selfsame_ffi; activate the environment where it is installed"
		if err == nil || !strings.Contains(err.Error(), want) || output != "" {
			t.Errorf("%s: got %v and %q, want an error with %q", command, err, output, want)
		}
	}
}

func TestInterpreterIsChosen(t *testing.T) {
	environment, path := t.TempDir(), t.TempDir()
	inEnvironment := script(t, filepath.Join(environment, "bin", "python"), "")
	onPath := script(t, filepath.Join(path, "python3"), "")
	t.Setenv("PATH", path)
	for _, c := range []struct{ chosen, active, want string }{
		{"/chosen", environment, "/chosen"},
		{"", environment, inEnvironment},
		{"", filepath.Join(environment, "missing"), onPath},
		{"", "", onPath},
	} {
		t.Setenv("SELFSAME_PYTHON", c.chosen)
		t.Setenv("VIRTUAL_ENV", c.active)
		if got, err := interpreter(); got != c.want || err != nil {
			t.Errorf("SELFSAME_PYTHON=%s VIRTUAL_ENV=%s: got %s, %v, want %s", c.chosen, c.active, got, err, c.want)
		}
	}
	t.Setenv("PATH", environment)
	if _, err := selfsame(t, "config"); err == nil || !strings.Contains(err.Error(), "config: no Python interpreter") {
		t.Errorf("without an interpreter: got error %v", err)
	}
}

// The real modules: stubgen refreshes a file's block, --check and --dry-run only tell, --coverage-out writes a report.
//
// Requirement: G2
func TestStubgenRefreshesAFile(t *testing.T) {
	python := stockPython(t)
	if _, err := os.Stat(python); err != nil {
		t.Skip(err)
	}
	t.Setenv("SELFSAME_PYTHON", python)
	t.Setenv("SELFSAME_LIBRARY", "")
	if output, err := selfsame(t, "config", "--libdir"); err != nil || !strings.Contains(output, "selfsame_ffi") {
		t.Skipf("the Python package is not installed beside %s: %q, %v", python, output, err)
	}
	folder := t.TempDir()
	crate := "[package]\nname = \"stubs\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"
	if err := errors.Join(os.WriteFile(filepath.Join(folder, "Cargo.toml"), []byte(crate), 0o644),
		os.Mkdir(filepath.Join(folder, "src"), 0o755)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ target, file, mark, want string }{
		{"python", "stubs.py", "#", "def StructuralHash("},
		{"rust", "src/stubs.rs", "//", ""},
	} {
		path := filepath.Join(folder, c.file)
		before := c.mark + " tvm-ffi-stubgen(begin): global/ffi\n" + c.mark + " tvm-ffi-stubgen(end)\n"
		if c.target == "rust" {
			before = c.mark + " tvm-ffi-stubgen(begin): object/ffi.StructuralKey\n" + c.mark + " tvm-ffi-stubgen(end)\n"
			c.want = "StructuralKey"
		}
		testenv.OK(t, os.WriteFile(path, []byte(before), 0o644))
		var status statusError
		output, err := selfsame(t, "stubgen", path, "--target", c.target, "--check")
		if !errors.As(err, &status) || status != 1 || !strings.Contains(output, c.file) {
			t.Errorf("%s --check of an old file: got %q, %v, want the status 1", c.target, output, err)
		}
		output, err = selfsame(t, "stubgen", path, "--target", c.target, "--dry-run", "--verbose")
		if err != nil || !strings.Contains(output, c.want) {
			t.Errorf("%s --dry-run --verbose: got %q, %v, want a diff with %s", c.target, output, err, c.want)
		}
		if text, _ := os.ReadFile(path); string(text) != before {
			t.Errorf("%s: --check or --dry-run wrote the file", c.target)
		}
		report := filepath.Join(folder, c.target+".json")
		if output, err = selfsame(t, "stubgen", path, "--target", c.target, "--coverage-out", report); err != nil {
			t.Errorf("%s: got %q, %v", c.target, output, err)
		}
		if text, _ := os.ReadFile(path); !strings.Contains(string(text), c.want) {
			t.Errorf("%s: the file became %q, want %s in it", c.target, text, c.want)
		}
		if text, _ := os.ReadFile(report); !strings.Contains(string(text), "{") {
			t.Errorf("%s: the report is %q", c.target, text)
		}
		if output, err = selfsame(t, "stubgen", path, "--target", c.target, "--check"); err != nil {
			t.Errorf("%s --check of a fresh file: got %q, %v", c.target, output, err)
		}
	}
}
