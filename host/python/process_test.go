package python_test

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/selfsame-ffi/selfsame/host/python"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D18

// cases are what processes of their own do, which run tests that cannot share a Python. Each prints what it sees.
var cases = map[string]func(program string){
	"lacking": func(program string) {
		base, err := filepath.EvalSymlinks(program)
		check(err)
		_, err = python.Start(python.Executable(base))
		fmt.Println(err)
	},
	"twice": func(program string) {
		first, err := python.Start(python.Executable(program))
		check(err)
		_, err = python.Start(python.Executable(program))
		fmt.Println(err)
		text, err := first.Value("text")
		check(err)
		check(first.Close())
		_, err = python.Start(python.Executable(program))
		fmt.Println(err)
		_, err = text.Attr("upper")
		fmt.Println(err)
		fmt.Println(first.Close())
		fmt.Println(first.OnMain(func() error { return nil }))
		text.Release()
	},
	"unstarted": func(string) {
		fmt.Println(python.As[int]((*python.Object)(nil).Call()))
	},
	"atexit": func(program string) {
		first, err := python.Start(python.Executable(program))
		check(err)
		check(first.Exec("import atexit\natexit.register(print, 'python ends')", nil))
		check(first.Close())
	},
	"unclosed": func(program string) {
		first, err := python.Start(python.Executable(program))
		check(err)
		check(first.Exec("print('printed')", nil))
		spin, err := first.Eval("lambda: [None for _ in iter(int, 1)]", nil)
		check(err)
		begun := make(chan bool)
		go func() {
			close(begun)
			_, _ = spin.Call()
		}()
		<-begun
	},
	"closed while busy": func(program string) {
		first, err := python.Start(python.Executable(program))
		check(err)
		inside, release := make(chan bool), make(chan bool)
		wait, err := first.Eval("lambda f: f()", nil)
		check(err)
		ended := make(chan error)
		go func() {
			_, err := wait.Call(func() { close(inside); <-release })
			ended <- err
		}()
		<-inside
		closed := make(chan error)
		go func() { closed <- first.Close() }()
		check(<-closed)
		fmt.Println("closed")
	},
	"signals": func(program string) {
		first, err := python.Start(python.Executable(program))
		check(err)
		interrupts := make(chan os.Signal, 1)
		signal.Notify(interrupts, os.Interrupt)
		check(syscall.Kill(os.Getpid(), syscall.SIGINT))
		fmt.Println(<-interrupts)
		func() {
			defer func() { fmt.Println(recover() != nil) }()
			var none *struct{ n int }
			none.n++
		}()
		check(first.Close())
	},
	"isolated": func(program string) {
		check(os.Setenv("PYTHONPATH", "/of/the/environment"))
		first, err := python.Start(python.Executable(program), python.Isolated())
		check(err)
		check(first.Exec("import sys\nprint('/of/the/environment' in sys.path, sys.flags.no_user_site)", nil))
		check(first.Close())
	},
	"environment": func(program string) {
		first, err := python.Start(python.Executable(program), python.Args("prog", "-x"), python.Path("/some/folder"))
		check(err)
		check(first.Exec(`
import multiprocessing, sys, threading
print(sys.executable)
print(sys.prefix)
print(sys.argv, sys.path[0])
print(threading.current_thread() is threading.main_thread())
with multiprocessing.get_context("spawn").Pool(1) as pool:
    print(pool.map(abs, [-1, -2]))
print(multiprocessing.get_start_method())
`, nil))
		check(first.OnMain(func() error {
			return first.Exec("import threading\nprint(threading.current_thread() is threading.main_thread())", nil)
		}))
		check(first.Close())
	},
}

func check(err error) {
	if err != nil {
		fmt.Printf("%+v\n", err)
		os.Exit(3)
	}
}

// ran runs a case and returns what it printed.
func ran(t *testing.T, name string) string {
	t.Helper()
	cmd := testenv.Program(t, os.Args[0])
	cmd.Env = append(os.Environ(), "SELFSAME_HOST_CASE="+name)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

func TestAnEnvironmentWithoutThePackageIsRefused(t *testing.T) {
	if out := ran(t, "lacking"); !strings.Contains(out, "ModuleNotFoundError: python: Start: the Python at") || !strings.Contains(out, "-m pip install selfsame-ffi") {
		t.Error(out)
	}
}

func TestPythonIsStartedOnce(t *testing.T) {
	lines := strings.Split(ran(t, "twice"), "\n")
	for i, want := range []string{"was started in this process before", "was started in this process before", "shutting down",
		"Close: Python has ended", "OnMain: Python has ended"} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d: %s", i, lines[i])
		}
	}
	if out := ran(t, "unstarted"); !strings.Contains(out, "call python.Start first") {
		t.Error(out)
	}
}

func TestProgramsEndInEveryState(t *testing.T) {
	for name, want := range map[string]string{"atexit": "python ends\n", "unclosed": "printed\n", "closed while busy": "closed\n"} {
		if out := ran(t, name); out != want {
			t.Errorf("%s printed %q", name, out)
		}
	}
}

func TestSignalsStayThoseOfGo(t *testing.T) {
	if out := ran(t, "signals"); out != "interrupt\ntrue\n" {
		t.Error(out)
	}
}

func TestPythonKnowsItsProgramAndItsEnvironment(t *testing.T) {
	lines := strings.Split(ran(t, "environment"), "\n")
	if !strings.HasSuffix(lines[0], "/bin/python") || lines[1] != filepath.Dir(filepath.Dir(lines[0])) {
		t.Errorf("sys.executable is %s, sys.prefix %s", lines[0], lines[1])
	}
	rest := strings.Replace(strings.Join(lines[2:], "\n"), "forkserver", "spawn", 1) // from 3.14 on
	if rest != "['prog', '-x'] /some/folder\nFalse\n[1, 2]\nspawn\nTrue\n" {
		t.Errorf("the program printed %s", rest)
	}
}

func TestAnIsolatedPythonIgnoresItsEnvironment(t *testing.T) {
	if out := ran(t, "isolated"); out != "False 1\n" {
		t.Error(out)
	}
}

// A program whose runtime is of another version: it exports one function only.
const otherRuntime = `
#include <dlfcn.h>
const void* SelfsameTieTableGet(void) { return 0; }
int main(int n, char** arg) {
  void* python = dlopen(arg[1], RTLD_NOW | RTLD_GLOBAL);
  ((void (*)(const wchar_t*))dlsym(python, "Py_SetProgramName"))(((wchar_t* (*)(const char*, void*))dlsym(python, "Py_DecodeLocale"))(arg[2], 0));
  ((void (*)(int))dlsym(python, "Py_InitializeEx"))(0);
  return ((int (*)(const char*))dlsym(python, "PyRun_SimpleString"))(
      "try:\n import selfsame_ffi\nexcept ImportError as error:\n print(error)\n") + n - 3;
}
`

func TestTheRuntimeOfAProgramOfAnotherVersionIsRefused(t *testing.T) {
	source := filepath.Join(t.TempDir(), "other.c")
	testenv.OK(t, os.WriteFile(source, []byte("#include <stddef.h>\n"+otherRuntime), 0o644))
	program := strings.TrimSuffix(source, ".c")
	testenv.Run(t, "gcc", "-rdynamic", "-o", program, source, "-ldl")
	out := testenv.Run(t, program, py.Library, py.Executable)
	if !strings.Contains(out, "this program brings a selfsame runtime of its own, which has no function TVMFFI") || !strings.Contains(out, "give both the same version") {
		t.Error(out)
	}
}
