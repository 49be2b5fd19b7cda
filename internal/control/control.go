// Package control is the control plane of selfsame: it implements the type registry, reflection, type attributes,
// global functions, modules and the builtin functions, on the tables of package plane. A program that imports it
// defines the TVMFFI* functions of the C ABI, for itself and for every shared library that it loads:
//
//	import _ "github.com/selfsame-ffi/selfsame/internal/control"
//
// The package exports nothing to Go: every caller, the Go frontend included, uses the C functions.
package control

// #cgo CFLAGS: -I${SRCDIR}/../../abi/include -I${SRCDIR}/../plane -I${SRCDIR}/../tie -I${SRCDIR}/../cxx -I${SRCDIR}/../selfcopy -std=c11 -D_GNU_SOURCE
// #cgo CFLAGS: -Wall -Wextra -Wno-unused-parameter -O2
// #cgo windows CFLAGS: -DTVM_FFI_EXPORTS -D__USE_MINGW_ANSI_STDIO=1 -Wno-attributes
// #cgo !windows LDFLAGS: -rdynamic
import "C"

import (
	"fmt"
	"os"
	"runtime"

	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/shown"
	"github.com/selfsame-ffi/selfsame/internal/tie"
)

// steps are the parts of the runtime's start, in order.
var steps = []func() error{
	recoverIndices,
	registerCoreTypes,
	registerCoreColumns,
	registerBuiltinClasses,
	registerSentinels,
	registerBigInt,
	registerBuiltins,
	registerConverters,
	registerModuleType,
	joinTieTable,
	endStartClosures,
}

// starting says that the start runs. start says what it found: plane.StartFirst, also when it is over, unless this Go
// runtime is that of a forked child.
var (
	starting = true
	start    plane.Start
)

// startHas reports, for a registration, that the start must not do it: in a forked child the parent's start has done it.
// exists is asked when the process forked before that start had ended.
func startHas(exists func() bool) bool {
	return start == plane.StartAgain || start == plane.StartRest && exists()
}

// init starts the runtime. Other threads may already call C functions; those whose look-ups find nothing wait until it
// is done (ss_wait_ready). In a forked child it makes what lies in Go's memory, and leaves what lies in C memory.
func init() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start = plane.StartBegin()
	defer plane.StartEnd()
	for _, step := range steps {
		if err := step(); err != nil {
			raise(err)
			fmt.Fprintf(os.Stderr, "selfsame: the runtime cannot start: %s\n", shown.Text(fmt.Sprint(takeRaised())))
			os.Exit(255)
		}
	}
	starting, start = false, plane.StartFirst
}

// joinTieTable makes or finds the process's tie table.
func joinTieTable() error {
	if tie.Join() == nil {
		return errRaised
	}
	return nil
}
