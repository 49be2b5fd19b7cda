// Package runtime is the control plane of selfsame: the rules of the type registry, reflection, type attributes, global
// functions and the builtin functions, over the tables of package plane. Importing it makes the program offer the
// TVMFFI* functions of the C ABI, to itself and to every module it loads:
//
//	import _ "github.com/selfsame-ffi/selfsame/runtime"
//
// It has no Go interface: everybody, the Go frontend too, uses the C functions.
package runtime

// #cgo CFLAGS: -I${SRCDIR}/../abi/include -I${SRCDIR}/../abi/plane -I${SRCDIR}/../abi/tie -I${SRCDIR}/../abi/cxx -std=c11 -D_GNU_SOURCE
// #cgo CFLAGS: -Wall -Wextra -Wno-unused-parameter -O2
// #cgo LDFLAGS: -rdynamic
import "C"

import (
	"fmt"
	"os"
	"runtime"

	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/abi/tie"
)

// steps are what the runtime does at its start, in this order.
var steps = []func() error{
	registerCoreTypes,
	registerCoreColumns,
	startContainers,
	registerBuiltinClasses,
	registerSentinels,
	registerBigInt,
	registerBuiltins,
	registerConverters,
	registerModuleType,
	joinTieTable,
}

// The runtime's start. Other threads may be calling in already; their look-ups wait until it is done.
func init() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	plane.StartBegin()
	defer plane.StartEnd()
	for _, step := range steps {
		if err := step(); err != nil {
			raise(err)
			fmt.Fprintf(os.Stderr, "selfsame: the runtime cannot start: %s\n", takeRaised())
			os.Exit(255)
		}
	}
}

func joinTieTable() error {
	if tie.Join() == nil {
		return errRaised
	}
	return nil
}
