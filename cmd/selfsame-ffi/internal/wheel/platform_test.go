package wheel

// Requirement: G1

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// compile makes a shared library of C code.
func compile(t *testing.T, code, name string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "x.c")
	testenv.OK(t, os.WriteFile(source, []byte(code), 0o644))
	out := filepath.Join(dir, name)
	cmd := exec.Command("cc", append([]string{"-shared", "-fPIC", "-o", out, source}, flags...)...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, text)
	}
	return out
}

func TestOldestGlibcIsThatOfTheNewestSymbol(t *testing.T) {
	old := compile(t, "int f(void) { return 1; }\n", "old.so")
	if got, err := Oldest(old); got != 17 || err != nil {
		t.Errorf("a library that asks for nothing: got 2.%d, error %v, want 2.17", got, err)
	}
	// memfd_create came with glibc 2.27.
	later := compile(t, "int memfd_create(const char*, unsigned);\nint f(void) { return memfd_create(\"\", 0); }\n", "later.so")
	if got, err := Oldest(later); got < 27 || err != nil {
		t.Errorf("a library with memfd_create: got 2.%d, error %v, want 2.27 or later", got, err)
	}
}

func TestLibrariesThatOtherMachinesLackAreNamed(t *testing.T) {
	other := compile(t, "int other(void) { return 1; }\n", "libother.so", "-Wl,-soname,libother.so")
	user := compile(t, "int other(void);\nint f(void) { return other(); }\n", "user.so", "-L"+filepath.Dir(other), "-lother")
	if _, err := Oldest(user); err == nil || !strings.Contains(err.Error(), "libother.so") || !strings.Contains(err.Error(), "--target linux") {
		t.Errorf("got error %v, want one that names libother.so and what to do", err)
	}
}

func TestLibrariesThatMuslDoesNotOpenAreRefused(t *testing.T) {
	machine := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	alone := []string{"-nostdlib", "-Wl,-z,now"}
	if err := CheckMusl(compile(t, "int f(void) { return 1; }\n", "alone.so", alone...), machine); err != nil {
		t.Errorf("a library that asks for nothing: got error %v", err)
	}
	const word = "__thread int word __attribute__((tls_model(\"initial-exec\")));\nint f(void) { return word; }\n"
	for want, library := range map[string]string{
		"it needs libother.so": compile(t, "int f(void) { return 1; }\n", "user.so", "-nostdlib", "-Wl,--no-as-needed",
			compile(t, "int other(void) { return 1; }\n", "libother.so", "-nostdlib", "-Wl,-soname,libother.so")),
		"of the kind initial-exec": compile(t, word, "word.so", alone...),
	} {
		if err := CheckMusl(library, machine); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one that contains %q", err, want)
		}
	}
	if err := CheckMusl(compile(t, "int f(void) { return 1; }\n", "alone.so", alone...), "riscv64"); err == nil {
		t.Error("a library for another processor is accepted")
	}
}
