package python

// #cgo CFLAGS: -std=c11 -D_GNU_SOURCE -Wall -O2
// #cgo linux LDFLAGS: -ldl
// #include <stdlib.h>
// #include "embed.h"
import "C"

import (
	_ "embed"
	"encoding/json"
	"path/filepath"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
)

// Why only the start and the end of Python call its C API here. Everything else calls functions of host.py, through the
// package selfsame_ffi in the interpreter. So values convert as everywhere, an object has one handle in Go and one wrapper
// in Python, and errors keep their frames. The price is a call of a function of Python around each operation, but for calls,
// attributes and values, the most frequent ones: the core of selfsame_ffi does these in C (_core/convert/forwards.c).
//
// Why the package lies in host/python. The folder python has the sources of the Python package.

//go:embed host.py
var hostSource string

//go:embed prepare.py
var prepareSource string

// openLibrary loads the interpreter's library into the process.
func openLibrary(path string) error {
	cpath := C.CString(path)
	defer C.free(unsafe.Pointer(cpath))
	var message [messageSize]C.char
	if C.ss_embed_open(cpath, &message[0], messageSize) != 0 {
		return selfsame.Errorf("RuntimeError", "python: Start: cannot open %s: %s", path, C.GoString(&message[0]))
	}
	return nil
}

// preload loads a library that others need, unless the system has it. What needs one that cannot be loaded says so.
func preload(path string) {
	cpath, cname := C.CString(path), C.CString(filepath.Base(path))
	defer C.free(unsafe.Pointer(cpath))
	defer C.free(unsafe.Pointer(cname))
	C.ss_embed_preload(cpath, cname)
}

const messageSize = 4096

// initialise makes the interpreter; the calling thread is its main thread, and attached afterwards.
func initialise(executable, home string, isolated bool) error {
	cexecutable, chome := C.CString(executable), C.CString(home)
	defer C.free(unsafe.Pointer(cexecutable))
	defer C.free(unsafe.Pointer(chome))
	var message [messageSize]C.char
	flag := C.int(0)
	if isolated {
		flag = 1
	}
	if C.ss_embed_initialise(cexecutable, chome, flag, &message[0], messageSize) != 0 {
		return selfsame.Errorf("RuntimeError", "python: Start: Python cannot be initialised: %s", C.GoString(&message[0]))
	}
	return nil
}

// prepare sets what the options say, and makes the functions that this package calls. The calling thread is attached.
func prepare(o *settings) error {
	args := o.args
	if args == nil {
		args = []string{""}
	}
	given, err := json.Marshal(map[string]any{"argv": args, "path": append([]string{}, o.path...)})
	if err != nil {
		return err
	}
	if err := runSource("<python.Start>", "GIVEN = "+string(given)+"\n"+prepareSource); err != nil {
		return err
	}
	return runSource("<selfsame host>", hostSource)
}

// runSource runs Python code in a namespace of its own. The calling thread is attached.
func runSource(name, source string) error {
	cname, csource := C.CString(name), C.CString(source)
	defer C.free(unsafe.Pointer(cname))
	defer C.free(unsafe.Pointer(csource))
	var kind, message [messageSize]C.char
	if C.ss_embed_run(cname, csource, &kind[0], &message[0], messageSize) != 0 {
		return selfsame.Errorf(C.GoString(&kind[0]), "python: Start: %s", C.GoString(&message[0]))
	}
	return nil
}

// detach lets other threads call Python.
func detach() { C.ss_embed_detach() }

// finalise ends the interpreter, on its main thread.
func finalise() error {
	if C.ss_embed_finalise() != 0 {
		return selfsame.Errorf("RuntimeError", "python: Close: Python could not write all of its standard output and error")
	}
	return nil
}
