package python

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/selfsame-ffi/selfsame"
)

// Installation is a Python interpreter that was found, with the shared library that holds it.
type Installation struct {
	Executable string // absolute path of the program, in a virtual environment that of the environment
	Library    string // absolute path of the shared library
	Version    string // such as 3.14 or 3.14t
}

//go:embed ask.py
var ask string

// Find returns the installation that [Start] starts with the same options, and starts nothing but the interpreter's own
// program, which it asks. It fails with a RuntimeError that says what to install when there is none, when the program
// cannot be run, and when there is no shared library of it.
func Find(options ...Option) (*Installation, error) { return find(read(options)) }

func find(o *settings) (*Installation, error) {
	if o.err != nil {
		return nil, o.err
	}
	executable, err := executableOf(o)
	if err != nil {
		return nil, err
	}
	if o.library != "" {
		return &Installation{Executable: executable, Library: o.library}, nil
	}
	return describe(executable)
}

// executableOf returns the program of the interpreter: that of the options, else that of the environment's variables in
// the order in which a shell with an activated environment finds them, else the first in PATH.
func executableOf(o *settings) (string, error) {
	if o.executable != "" {
		return absolute("Executable", o.executable)
	}
	if o.venv != "" {
		return inFolder("Venv", o.venv)
	}
	for _, variable := range []string{"VIRTUAL_ENV", "PYTHONHOME", "CONDA_PREFIX"} {
		if folder := os.Getenv(variable); folder != "" {
			return inFolder("the variable "+variable, folder)
		}
	}
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return filepath.Abs(path)
		}
	}
	return "", selfsame.Errorf("RuntimeError", "python: Start: found no Python: neither VIRTUAL_ENV, PYTHONHOME nor "+
		"CONDA_PREFIX is set, and PATH has no python3; install one, such as with `apt-get install python3 libpython3-dev`, or "+
		"name one with python.Venv or python.Executable")
}

var programs = []string{"python3", "python"}

func absolute(option, path string) (string, error) {
	found, err := exec.LookPath(path)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return "", selfsame.Errorf("RuntimeError", "python: Start: %s: expected the path of a Python program, got %q: %w", option, path, err)
	}
	return filepath.Abs(found)
}

func inFolder(option, folder string) (string, error) {
	for _, name := range programs {
		if path := filepath.Join(folder, binaries, name); isFile(path) {
			return filepath.Abs(path)
		}
	}
	return "", selfsame.Errorf("RuntimeError", "python: Start: %s: expected a folder with a Python, got %q, which has no %s; make "+
		"a virtual environment with `python3 -m venv %s`", option, folder, filepath.Join(binaries, programs[0]), folder)
}

var binaries = map[string]string{"windows": "Scripts"}[runtime.GOOS]

func init() {
	if binaries == "" {
		binaries = "bin"
	}
}

// described is what ask.py prints.
type described struct {
	Version    string
	Name       string // such as cpython 3.14
	Served     bool   // whether it is a CPython of a version that this package runs
	Executable string // the interpreter itself where the program is a script that starts it, such as a shim of pyenv
	Candidates []string
	Debian     string
}

func describe(executable string) (*Installation, error) {
	command := exec.Command(executable, "-I", "-S", "-c", ask)
	out, err := command.Output()
	if err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return nil, selfsame.Errorf("RuntimeError", "python: Start: cannot run %s: %w", executable, err)
		}
		// A program that is no Python may repeat its arguments, and so all of ask.py.
		said, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		return nil, selfsame.Errorf("RuntimeError", "python: Start: expected a CPython of version 3.9 or later, %s fails with %w: %.200s",
			executable, err, said)
	}
	d := described{Name: "no Python"}
	if err := json.Unmarshal(out, &d); err != nil || !d.Served {
		return nil, selfsame.Errorf("RuntimeError", "python: Start: expected a CPython of version 3.9 or later, %s is %s", executable, d.Name)
	}
	if d.Executable != "" {
		executable = d.Executable
	}
	for _, path := range d.Candidates {
		if isFile(path) {
			return &Installation{Executable: executable, Library: path, Version: d.Version}, nil
		}
	}
	return nil, selfsame.Errorf("RuntimeError", "python: Start: Python %s at %s has no shared library: looked for %s; %s",
		d.Version, executable, strings.Join(d.Candidates, ", "), advice(d))
}

func advice(d described) string {
	other := "make one with `uv venv` or conda, whose Pythons have it, with `PYTHON_CONFIGURE_OPTS=--enable-shared pyenv install`, " +
		"or configure CPython with --enable-shared"
	if d.Debian != "" {
		return fmt.Sprintf("install it with `apt-get install %s`, or %s", d.Debian, other)
	}
	return other
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
