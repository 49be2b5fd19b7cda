// Package extension is the entrance of a shared library that `selfsame-ffi build` makes: the C function
// SelfsameExtensionInit, the return of its Go in a forked child, and what an initialisation waits for that takes long. It is
// linked with the build tag selfsame_shared only.
package extension

// #cgo CFLAGS: -I${SRCDIR}/../../abi/include -I${SRCDIR}/../stubs -I${SRCDIR}/../tie -I${SRCDIR}/../bridge -I${SRCDIR}/../selfcopy -std=c11 -D_GNU_SOURCE -Wall -Wextra -O2
import "C"

import (
	_ "github.com/selfsame-ffi/selfsame/internal/bridge"   // takes over the original's C code and state
	_ "github.com/selfsame-ffi/selfsame/internal/guest"    // reads the environment before environment.go changes it
	_ "github.com/selfsame-ffi/selfsame/internal/selfcopy" // loads the copy
	_ "github.com/selfsame-ffi/selfsame/internal/stubs"    // takes over the original's runtime
)
