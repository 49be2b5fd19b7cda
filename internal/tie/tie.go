// Package tie is the tie table: one record per wrapped native object, which leads to its Python wrapper and Go handle. The layout and the rules are in abi/include/selfsame/tie.h.
package tie

// #cgo CFLAGS: -I${SRCDIR}/../../abi/include -I${SRCDIR}/../selfcopy -std=c11 -Wall -Wextra -O2
// #cgo windows,!selfsame_shared CFLAGS: -DTVM_FFI_EXPORTS
// #cgo selfsame_shared CFLAGS: -DSELFSAME_NO_SPARE_RECORDS
// #include "tie.h"
import "C"

import (
	"unsafe"

	_ "github.com/selfsame-ffi/selfsame/abi/include" // the headers, see there
)

// Join returns the address of the process's tie table (a SelfsameTieTable), registering this library's own when there is
// none yet. It returns nil, with an error raised in the calling thread, when the registered table has another version:
// the caller must have locked its goroutine to its thread until it has taken that error.
func Join() unsafe.Pointer { return unsafe.Pointer(C.ss_tie_join()) }
