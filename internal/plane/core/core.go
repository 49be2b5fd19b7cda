// Package core is the ground of the data plane: reference counts, allocation, types and their attributes, reflected objects,
// errors, and the start of the runtime and of a forked child.
package core

// #cgo CFLAGS: -I${SRCDIR}/.. -I${SRCDIR}/../../../abi/include -I${SRCDIR}/../../selfcopy -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -O2
// #cgo windows CFLAGS: -DTVM_FFI_EXPORTS -D__USE_MINGW_ANSI_STDIO=1 -Wno-attributes
// #cgo darwin CXXFLAGS: -std=c++17 -Wall -Wextra -O2
import "C"

import (
	"embed"

	_ "github.com/selfsame-ffi/selfsame/abi/include"       // the headers, see there
	_ "github.com/selfsame-ffi/selfsame/internal/selfcopy" // C code
)

// A changed header compiles the packages again that import this one.
//
//go:embed *.h
var _ embed.FS
