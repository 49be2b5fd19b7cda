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
	"os"
	"sync"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/host/python"
)

// hosted starts Python in this process, when the first of its rows runs, so that the other rows do without.
var hosted = sync.OnceValue(func() *python.Object {
	py := must(python.Start(python.Executable(hostedPython)))
	main := must(py.Import("__main__"))
	check(py.Exec("def add(a, b): return a + b", must(main.Attr("__dict__"))))
	C.floor_open()
	return must(main.Attr("add"))
})

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
	return []row{
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
}

var (
	million = make([]float64, 1_000_000)
	copied  []float64
)
