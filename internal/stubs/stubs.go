// Package stubs replaces the runtime in programs built with the tag selfsame_shared: every function of the C ABI is a
// jump through a pointer, which is bound, when the program's library is loaded, to the runtime that the process has.
//
// That is selfsame's runtime if it is loaded, else a loaded libtvm_ffi.so, else whatever defines the symbols in the
// process. With the tag selfsame_tvm_ffi it is the runtime that the Python package tvm_ffi uses: the one whose symbols the
// process sees first. The package never loads a library: two runtimes in one process would not know each other's objects.
package stubs

// #cgo CFLAGS: -I${SRCDIR}/../../abi/include -std=c11 -D_GNU_SOURCE -Wall -Wextra -O2
// #cgo selfsame_tvm_ffi CFLAGS: -DSS_STUBS_TVM_FFI_FIRST
// #cgo windows CFLAGS: -Wno-attributes
// #cgo linux LDFLAGS: -ldl
// #include "stubs.h"
import "C"

import (
	"errors"
	"unsafe"

	_ "github.com/selfsame-ffi/selfsame/abi/include" // the headers, see there
)

// ErrNoRuntime says that the process has no runtime.
var ErrNoRuntime = errors.New("no tvm-ffi runtime in this process: import selfsame_ffi (or tvm_ffi) first")

// Bound binds the functions of the ABI unless they are bound, and returns ErrNoRuntime when the process has no runtime.
// Until it has returned nil once, every function of the ABI fails and does nothing. Any thread.
func Bound() error {
	if C.ss_stubs_bind() != 0 {
		return ErrNoRuntime
	}
	return nil
}

// Lookup returns the address of a symbol in the library that the stubs are bound to, nil when it has none. Any thread.
func Lookup(symbol string) unsafe.Pointer {
	name := append([]byte(symbol), 0)
	return C.ss_stubs_lookup((*C.char)(unsafe.Pointer(&name[0])))
}
