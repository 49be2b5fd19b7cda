package python_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/host/python"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D18

func script(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "python3")
	testenv.OK(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755))
	return path
}

func TestWhatCannotBeStartedSaysWhatToDo(t *testing.T) {
	static := script(t, `echo '{"Version": "3.14", "Served": true, "Candidates": ["/no/libpython3.14.so"], "Debian": "libpython3.14"}'`)
	for want, options := range map[string][]python.Option{
		"apt-get install libpython3.14":         {python.Executable(static)},
		"python3 -m venv":                       {python.Venv(t.TempDir())},
		"expected the path of a Python program": {python.Executable("/no/such/python")},
		"expected a CPython of version 3.9":     {python.Executable(script(t, "echo hello"))},
		"fails with exit status 1: broken":      {python.Executable(script(t, "echo broken >&2; echo more >&2; exit 1"))},
		"is cpython 3.8":                        {python.Executable(script(t, `echo '{"Name": "cpython 3.8"}'`))},
		"Threads: expected 1 or more, got 0":    {python.Threads(0)},
	} {
		if _, err := python.Find(options...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, not %q", err, want)
		}
	}
	t.Setenv("PATH", t.TempDir())
	for _, variable := range []string{"VIRTUAL_ENV", "PYTHONHOME", "CONDA_PREFIX"} {
		t.Setenv(variable, "")
	}
	if _, err := python.Find(); err == nil || !strings.Contains(err.Error(), "found no Python") {
		t.Errorf("the error is %v", err)
	}
}

func TestTheFirstOfTheEnvironmentIsFound(t *testing.T) {
	folder := t.TempDir()
	library := filepath.Join(folder, "libpython3.14.so.1.0")
	testenv.OK(t, os.WriteFile(library, nil, 0o644))
	testenv.OK(t, os.Mkdir(filepath.Join(folder, "bin"), 0o755))
	text := fmt.Sprintf("#!/bin/sh\necho '{\"Version\": \"3.14\", \"Served\": true, \"Candidates\": [\"/no\", %q], \"Debian\": \"\"}'", library)
	testenv.OK(t, os.WriteFile(filepath.Join(folder, "bin", "python3"), []byte(text), 0o755))
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("PYTHONHOME", "")
	t.Setenv("CONDA_PREFIX", folder)
	found := must[*python.Installation](t)(python.Find())
	if found.Library != library || found.Version != "3.14" || found.Executable != filepath.Join(folder, "bin", "python3") {
		t.Errorf("found %+v", found)
	}
}

// layout is where one kind of installation has its parts.
type layout struct {
	version   string
	library   string            // its path in the installation's folder
	variables map[string]string // what sysconfig says; ROOT is the installation's folder
}

var layouts = map[string]layout{
	"Debian":             {"3.13", "lib/x86_64-linux-gnu/libpython3.13.so.1.0", map[string]string{"MULTIARCH": "x86_64-linux-gnu", "LIBDIR": "/no/lib"}},
	"Fedora":             {"3.13", "lib64/libpython3.13.so.1.0", map[string]string{"LIBDIR": "ROOT/lib64"}},
	"pyenv":              {"3.12", "lib/libpython3.12.so.1.0", map[string]string{"LIBDIR": "ROOT/lib"}},
	"uv":                 {"3.14", "lib/libpython3.14.so.1.0", map[string]string{"LIBDIR": "/install/lib"}},
	"uv, free-threaded":  {"3.14", "lib/libpython3.14t.so.1.0", map[string]string{"LIBDIR": "/install/lib", "Py_GIL_DISABLED": "1"}},
	"conda":              {"3.12", "lib/libpython3.12.so.1.0", map[string]string{"LIBDIR": "/home/conda/feedstock_root/lib"}},
	"of a folder of its": {"3.12", "own/libpython3.12.so", map[string]string{"LIBDIR": "ROOT/own"}},
}

// installed makes an installation of a layout and returns its program, which runs the tests' Python with what sysconfig says there.
func installed(t *testing.T, l layout, withLibrary bool) (program, library string) {
	root := t.TempDir()
	library = filepath.Join(root, l.library)
	if withLibrary {
		testenv.OK(t, os.MkdirAll(filepath.Dir(library), 0o755))
		testenv.OK(t, os.WriteFile(library, nil, 0o644))
	}
	said := "{"
	for name, value := range l.variables {
		said += fmt.Sprintf("%q: %q, ", name, strings.Replace(value, "ROOT", root, 1))
	}
	return script(t, fmt.Sprintf(`exec %q -I -S -c '
import sys, sysconfig
sys.base_prefix, sys.version_info = %q, (%s, 1)
sysconfig.get_config_var = %s}.get
exec(sys.argv[1])' "$4"
`, py.Executable, root, strings.Replace(l.version, ".", ", ", 1), said)), library
}

func TestEachLayoutOfAnInstallationIsFound(t *testing.T) {
	for name, l := range layouts {
		program, library := installed(t, l, true)
		found, err := python.Find(python.Executable(program))
		if err != nil || found.Library != library || strings.TrimSuffix(found.Version, "t") != l.version {
			t.Errorf("%s: found %+v, %v", name, found, err)
		}
		program, library = installed(t, l, false)
		if _, err := python.Find(python.Executable(program)); err == nil || !strings.Contains(err.Error(), library) ||
			!strings.Contains(err.Error(), "--enable-shared") {
			t.Errorf("%s without its library: the error is %v", name, err)
		}
	}
}

func TestTheInterpreterBehindAShimIsFound(t *testing.T) {
	found := must[*python.Installation](t)(python.Find(python.Executable(script(t, fmt.Sprintf("exec %q \"$@\"\n", py.Executable)))))
	if *found != py.Installation {
		t.Errorf("found %+v, not %+v", *found, py.Installation)
	}
}
