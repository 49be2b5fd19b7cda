package pypackage

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// A package that is imported where its runtime's Python package is not installed says what to install.
//
// Requirement: G4
func TestImportWithoutTheRuntimeSaysWhatToInstall(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 was not found in PATH")
	}
	for _, c := range []struct{ runtime, name, needs, install string }{
		{Selfsame, "selfsame_ffi", "selfsame-ffi 1.2.3 or later", "'selfsame-ffi>=1.2.3'"},
		{TvmFFI, "tvm_ffi", "apache-tvm-ffi", "apache-tvm-ffi"},
	} {
		m := Module{Name: "geo", ImportPath: "example.org/geo", Library: "_geo.so", Prefixes: []string{"geo"}, Runtime: c.runtime, Requires: "1.2.3"}
		text := testenv.Value(m.Write())(t)
		folder := t.TempDir()
		testenv.OK(t, os.WriteFile(filepath.Join(folder, "geo.py"), []byte(text), 0o600))
		imported := func() string {
			// Without the module site there is no installed package.
			out, err := exec.Command(python, "-S", "-E", "-c", "import sys; sys.path.insert(0, sys.argv[1]); import geo", folder).CombinedOutput()
			if err == nil {
				t.Fatal("the import succeeded")
			}
			return string(out)
		}
		want := "ModuleNotFoundError: geo needs " + c.needs + ", and this Python does not have it; run `python -m pip install " + c.install +
			"`, or install a wheel of it\n"
		if told := imported(); !strings.HasSuffix(told, want) || strings.Contains(told, "During handling") {
			t.Errorf("the import says\n%s\nwant %q alone", told, want)
		}
		// What the package itself lacks is another matter.
		testenv.OK(t, os.WriteFile(filepath.Join(folder, c.name+".py"), []byte("import lacking\n"), 0o600))
		if told := imported(); !strings.HasSuffix(told, "ModuleNotFoundError: No module named 'lacking'\n") {
			t.Errorf("a module that %s lacks: the import says\n%s", c.name, told)
		}
	}
}
