// Package calls is the data plane's C of Functions, batches of calls, global functions and the symbols of modules.
package calls

// #cgo CFLAGS: -I${SRCDIR}/.. -I${SRCDIR}/../../../abi/include -I${SRCDIR}/../../selfcopy -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -O2
// #cgo windows CFLAGS: -DTVM_FFI_EXPORTS -D__USE_MINGW_ANSI_STDIO=1 -Wno-attributes
import "C"

import (
	"embed"

	_ "github.com/selfsame-ffi/selfsame/abi/include"                // the headers, see there
	_ "github.com/selfsame-ffi/selfsame/internal/plane/collections" // its headers and C code
	_ "github.com/selfsame-ffi/selfsame/internal/plane/core"        // its headers and C code
	_ "github.com/selfsame-ffi/selfsame/internal/selfcopy"          // C code
)

// A changed header compiles the packages again that import this one.
//
//go:embed *.h
var _ embed.FS
