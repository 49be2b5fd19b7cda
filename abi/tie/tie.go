// Package tie holds the tie records of selfsame: the per-object memory that lets the Python wrapper and the Go handle
// of one native object be found again. The layout and the rules are in abi/include/selfsame/tie.h.
package tie

// #cgo CFLAGS: -I${SRCDIR}/../include -std=c11 -Wall -Wextra -O2
// #include "tie.h"
import "C"

import (
	"unsafe"

	_ "github.com/selfsame-ffi/selfsame/abi/include" // the headers, see there
)

// Join returns the address of the process's table of tie records (a SelfsameTieTable), registering this library's own
// when there is none yet. It returns nil, with an error in the calling thread's error slot, when the registered table
// has another version. The caller must not migrate to another thread before reading that error.
func Join() unsafe.Pointer { return unsafe.Pointer(C.ss_tie_join()) }
