// Package selfcopy loads a second copy of a shared library that contains a Go runtime, from C.
//
// A forked child has the parent's memory and none of its other threads, so the Go runtime in it cannot run. A copy of
// the library, loaded in the child, starts a Go runtime of its own. The C code of the package that is copied calls
// ss_self_copy_load (selfcopy.h); this package exports nothing to Go. It also has the signal handlers of a library's Go runtime
// (signals_linux.c). RATIONALE.md, "Why a forked child loads a copy of
// the library".
package selfcopy

// // What cgo of Go 1.24 writes has variables and parameters without use.
// #cgo CFLAGS: -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -Wno-unused-variable -O2
import "C"
