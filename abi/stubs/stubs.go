// Package stubs stands in for the runtime in programs built with the tag selfsame_shared: every function of the C ABI
// is a jump through a pointer that is bound, when the library is loaded, to the runtime the process already has.
//
// It looks for a loaded libselfsame.so, then a loaded libtvm_ffi.so (with the tag selfsame_tvm_ffi the other way round),
// then for the symbols anywhere in the process. It never loads a library by itself: two runtimes in one process would not
// know each other's objects.
package stubs

// #cgo CFLAGS: -I${SRCDIR}/../include -std=c11 -D_GNU_SOURCE -Wall -Wextra -O2
// #cgo selfsame_tvm_ffi CFLAGS: -DSS_STUBS_TVM_FFI_FIRST
// #cgo linux LDFLAGS: -ldl
// #include "stubs.h"
import "C"

import (
	"errors"
	"unsafe"

	_ "github.com/selfsame-ffi/selfsame/abi/include" // the headers, see there
)

// ErrNoRuntime says that the process has no runtime of the ABI.
var ErrNoRuntime = errors.New("no tvm-ffi runtime in this process: import selfsame_ffi (or tvm_ffi) first")

// Bound makes sure that the functions of the ABI are bound, looking again if nothing was found before. Any thread.
// Until it has returned nil once, every function of the ABI fails without doing anything.
func Bound() error {
	if C.ss_stubs_bind() != 0 {
		return ErrNoRuntime
	}
	return nil
}

// Lookup is the address of a symbol in the library that the stubs are bound to, nil when it has none.
func Lookup(symbol string) unsafe.Pointer {
	name := append([]byte(symbol), 0)
	return C.ss_stubs_lookup((*C.char)(unsafe.Pointer(&name[0])))
}
