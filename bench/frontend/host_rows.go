package main

// #cgo linux LDFLAGS: -ldl
// #define _GNU_SOURCE
// #include <dlfcn.h>
//
// // The floor: what C needs for a call of a Python function from a thread that Python does not know.
// static struct {
//   int (*ensure)(void);
//   void (*release)(int);
//   void* (*from_long)(long);
//   long (*as_long)(void*);
//   void* (*vectorcall)(void*, void* const*, unsigned long, void*);
//   void (*decref)(void*);
//   void* (*main_module)(const char*);
//   void* (*attribute)(void*, const char*);
//   void* function;
// } py;
//
// static void floor_open(void) {
//   *(void**)&py.ensure = dlsym(RTLD_DEFAULT, "PyGILState_Ensure");
//   *(void**)&py.release = dlsym(RTLD_DEFAULT, "PyGILState_Release");
//   *(void**)&py.from_long = dlsym(RTLD_DEFAULT, "PyLong_FromLong");
//   *(void**)&py.as_long = dlsym(RTLD_DEFAULT, "PyLong_AsLong");
//   *(void**)&py.vectorcall = dlsym(RTLD_DEFAULT, "PyObject_Vectorcall");
//   *(void**)&py.decref = dlsym(RTLD_DEFAULT, "Py_DecRef");
//   *(void**)&py.main_module = dlsym(RTLD_DEFAULT, "PyImport_AddModule");
//   *(void**)&py.attribute = dlsym(RTLD_DEFAULT, "PyObject_GetAttrString");
//   int state = py.ensure();
//   py.function = py.attribute(py.main_module("__main__"), "add");
//   py.release(state);
// }
//
// static long floor_add(long a, long b) {
//   int state = py.ensure();
//   void* args[2] = {py.from_long(a), py.from_long(b)};
//   void* made = py.vectorcall(py.function, args, 2, 0);
//   long sum = py.as_long(made);
//   py.decref(args[0]);
//   py.decref(args[1]);
//   py.decref(made);
//   py.release(state);
//   return sum;
// }
import "C"

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen/overlay"
	"github.com/selfsame-ffi/selfsame/host/python"
)

// hosted starts Python in this process, when the first of its rows runs, so that the other rows do without.
var hosted = sync.OnceValue(func() *python.Object {
	py := must(python.Start(python.Executable(hostedPython)))
	hostedMain = func() (*python.Object, error) { return py.Import("__main__") }
	main := must(hostedMain())
	check(py.Exec("def add(a, b): return a + b\n"+loop, must(main.Attr("__dict__"))))
	C.floor_open()
	return must(main.Attr("add"))
})

// hostedMain returns Python's module __main__, once Python was started.
var hostedMain func() (*python.Object, error)

const hostedPython = "build/venv/bin/python"

// hostRows compare calls of Python with C through cgo; there are none before `make python`.
func hostRows() []row {
	if _, err := os.Stat(hostedPython); err != nil {
		return nil
	}
	floor := func(n int) {
		hosted()
		for range n {
			C.floor_add(1, 2)
		}
	}
	rows := []row{
		{"Python's add(1, 2), result as int", "C: PyGILState, vectorcall, release", "1.3", 500, func(n int) {
			add := hosted()
			for range n {
				must(python.CallAs[int](add, 1, 2))
			}
		}, floor},
		{"Python's add(1, 2), result as object", "C: PyGILState, vectorcall, release", "2", 500, func(n int) {
			add := hosted()
			for range n {
				must(python.As[int](add.Call(1, 2)))
			}
		}, floor},
		{"the method add(1, 2) of Python's module", "C: PyGILState, vectorcall, release", "1.3", 500, func(n int) {
			hosted()
			main := must(hostedMain())
			for range n {
				must(python.CallMethodAs[int](main, "add", 1, 2))
			}
		}, floor},
		{"a million float64 to NumPy and back", "copied in Go", "", 2, func(n int) {
			hosted()
			for range n {
				array := must(python.NumPy(million))
				tensor := must(python.As[*selfsame.Tensor](array, nil))
				must(selfsame.Elements[float64](tensor))
				tensor.Release()
				array.Release()
			}
		}, func(n int) {
			for range n {
				copied = append(copied[:0], million...)
			}
		}},
	}
	if _, err := os.Stat(guestPackage); err != nil {
		return rows // there is none before `make bench`
	}
	return append(rows, row{"Python calls a Go func n+1", "with Python as the host", "1.2", 20000, func(n int) {
		hosted()
		must(must(must(hostedMain()).Attr("loop")).Call(must(selfsame.GetFunc("bench.add_one")), n))
	}, func(n int) {
		pipe := guest()
		must(fmt.Fprintln(pipe, n))
		must(fmt.Fscanln(pipe, new(int)))
	}})
}

const guestPackage = "build/bench/gocalls"

// guest starts a Python that has a Go package: it calls that as often as each line says, and answers with the number.
var guest = sync.OnceValue(func() io.ReadWriter {
	child := exec.Command(hostedPython, "-c", `import sys
sys.path.insert(0, "build/bench")
from gocalls import add_one
`+loop+`
for line in sys.stdin:
    loop(add_one, int(line))
    print(line, end="", flush=True)
`)
	child.Stderr = os.Stderr
	pipe := struct {
		io.Reader
		io.Writer
	}{must(child.StdoutPipe()), must(child.StdinPipe())}
	check(child.Start())
	return pipe
})

const loop = `
def loop(f, n):
    for i in range(n):
        f(i)
`

func init() {
	type adapted func(n int64) int64 // as selfsame-ffi build writes it
	overlay.Adapter(func(fn adapted, c overlay.AdaptedCall) error {
		n, err := overlay.AdaptedArgument[int64](c, 0)
		if err != nil {
			return err
		}
		return overlay.AdaptedResult(c, fn(n))
	})
	selfsame.MustRegisterFunc("bench.add_one", adapted(func(n int64) int64 { return n + 1 }))
}

var (
	million = make([]float64, 1_000_000)
	copied  []float64
)
