package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// stockPython is the interpreter of the environment that the stock tvm_ffi package is installed in.
func stockPython(t *testing.T) string {
	t.Helper()
	_, library := testenv.TvmFFI(t)
	// ENV/lib/python3.N/site-packages/tvm_ffi/lib/libtvm_ffi.so
	environment := library
	for range 6 {
		environment = filepath.Dir(environment)
	}
	python := filepath.Join(environment, "bin", "python")
	if _, err := os.Stat(python); library == "" || err != nil {
		t.Skipf("the stock tvm_ffi package is not in a virtual environment with an interpreter: %s", environment)
	}
	return python
}

// inPython runs a script that finds packages in a folder and returns what it prints.
func inPython(t *testing.T, python, folder, script string) string {
	t.Helper()
	cmd := exec.Command(python, "-c", script)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+folder)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// A package built for the stock runtime works in a Python that has no selfsame in it.
func TestD7BuildForStockRuntime(t *testing.T) {
	python := stockPython(t)
	out := t.TempDir()
	output, err := selfsame(t, "build", module(t, geo), "-o", out, "--runtime", "tvm-ffi")
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	inPython(t, python, out, `
import sys
import geo, tvm_ffi
assert "selfsame" not in sys.modules
p = geo.Point(3.0, 4.0)
assert isinstance(p, tvm_ffi.Object) and type(p) is geo.Point
assert (p.x, p.y, p.norm(), p.away(4), p.class_) == (3.0, 4.0, 5.0, True, 0)
p.x = 0.0
assert p.norm() == 4.0
assert geo.double(21) == 42 and geo.import_(["a", "b"]) == 2
try:
    geo.double("text")
except TypeError as e:
    assert "Mismatched type on argument #0" in str(e), e
else:
    raise AssertionError("no TypeError")
`)
	for _, c := range []struct{ flag, want string }{{"stock", `--runtime is selfsame or tvm-ffi, not "stock"`}} {
		if _, err := selfsame(t, "build", module(t, geo), "-o", out, "--runtime", c.flag); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("--runtime %s: %v", c.flag, err)
		}
	}
}

// The demo's package, with its whole Python side, on the stock package.
func TestD7DemoOnStockRuntime(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the demo")
	}
	python := stockPython(t)
	out := t.TempDir()
	demo := filepath.Join(testenv.Root(), "examples", "markdown")
	if output, err := selfsame(t, "build", demo, "-o", out, "--runtime", "tvm-ffi"); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	got := inPython(t, python, out, `
import sys
import markdown
assert "selfsame" not in sys.modules
doc = markdown.parse("# Title\n\nSome *text* here.\n\n## Part\n")
headings = [c for c in doc.children if isinstance(c, markdown.Heading)]
print([(h.level, h.text_content()) for h in headings])
`)
	if want := "[(1, 'Title'), (2, 'Part')]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A registration that fails is an ImportError with the reason.
func TestD7FailedRegistrationOnStockRuntime(t *testing.T) {
	python := stockPython(t)
	out := t.TempDir()
	if output, err := selfsame(t, "build", module(t, geo), "-o", out, "--runtime", "tvm-ffi"); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	got := inPython(t, python, out, `
import tvm_ffi
tvm_ffi.register_global_func("geo.double", lambda x: x)
try:
    import geo
except ImportError as e:
    print(e)
`)
	if !strings.Contains(got, "could not register its classes and functions: RuntimeError: ") || !strings.Contains(got, "geo.double") {
		t.Errorf("got %q", got)
	}
}
