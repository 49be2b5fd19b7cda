package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// The ABI's C++ entry points, the class that modules written in C++ derive from, and the one helper of the C++ runtime that
// binaries of tvm-ffi 0.1.0 look for in its library.
var cppNames = regexp.MustCompile(`^(_ZNK?3tvm3ffi.*|_ZT[ISV]N3tvm3ffi9ModuleObjE|__cxa_call_terminate)$`)

// The library gives away nothing but the ABI's names and the project's own, so that several Go libraries and a stock
// library can live in one process.
// Requirement: E1
func TestExports(t *testing.T) {
	names := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(testenv.Run(t, "nm", "-D", "--defined-only", testenv.Library(t))), "\n") {
		fields := strings.Fields(line)
		name := fields[len(fields)-1]
		names[name] = true
		if !strings.HasPrefix(name, "TVMFFI") && !strings.HasPrefix(name, "Selfsame") && !cppNames.MatchString(name) {
			t.Errorf("exported: %s", line)
		}
	}
	for _, header := range []string{"c_api.h", "selfsame.h"} {
		for _, name := range declared(t, header) {
			if !names[name] {
				t.Errorf("%s declares %s, which is not exported", header, name)
			}
		}
	}
}

// declared lists the functions of a public header, as the compiler sees them.
func declared(t *testing.T, header string) []string {
	t.Helper()
	include := filepath.Join(testenv.Root(), "abi", "include")
	source := filepath.Join(include, "selfsame", header)
	var names []string
	for _, line := range strings.Split(testenv.Run(t, "gcc", "-E", "-P", "-DTVM_FFI_DLL=EXPORTED", "-I", include, source), "EXPORTED")[1:] {
		head, _, ok := strings.Cut(line, "(")
		words := strings.Fields(head)
		if !ok || len(words) == 0 {
			t.Fatalf("cannot read the declaration %q", line)
		}
		names = append(names, strings.TrimLeft(words[len(words)-1], "*"))
	}
	if len(names) < 5 {
		t.Fatalf("only %d functions in %s", len(names), header)
	}
	return names
}

// Programs in C against the library: calls from the first moment on, and from many threads.
func TestPrograms(t *testing.T) {
	library := testenv.Library(t)
	for _, name := range []string{"early", "threads", "registry", "abi", "fatal", "fork", "fork_at_once"} {
		t.Run(name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), name)
			testenv.Run(t, "gcc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-I",
				filepath.Join(testenv.Root(), "abi", "include"), "-o", program,
				filepath.Join("testdata", name+".c"), library, "-pthread", "-Wl,-rpath,"+filepath.Dir(library))
			// Whether a call comes before or after the start of the Go side is chance.
			for range 5 {
				if out, err := testenv.Program(t, program).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
		})
	}
}

// The program in docs/c-api.md does what it says.
func TestDocumentedProgram(t *testing.T) {
	page := testenv.Value(os.ReadFile(filepath.Join(testenv.Root(), "docs", "c-api.md")))(t)
	_, rest, _ := strings.Cut(string(page), "```c\n")
	code, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("docs/c-api.md has no C program")
	}
	dir, library := t.TempDir(), testenv.Library(t)
	source, program := filepath.Join(dir, "example.c"), filepath.Join(dir, "example")
	testenv.OK(t, os.WriteFile(source, []byte(code), 0o644))
	testenv.Run(t, "gcc", "-Wall", "-Wextra", "-Werror", "-I", filepath.Join(testenv.Root(), "abi", "include"), source,
		"-o", program, library, "-Wl,-rpath,"+filepath.Dir(library))
	if out := testenv.Run(t, program); out != "2 elements\n" {
		t.Errorf("it prints %q", out)
	}
}
