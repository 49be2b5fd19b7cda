//go:build unix

package extension

// #include <stdlib.h>
// extern char** ss_extension_environment;
import "C"

import (
	"os"
	"strings"
	"unsafe"
)

// Go copies the environment from where the process began with it, so that it misses what was set since. This package is
// initialised before those that use it, so that these see the environment as it was when the library was loaded.
func init() {
	if C.ss_extension_environment == nil {
		return
	}
	was := os.Environ()
	now := map[string]bool{}
	for _, entry := range unsafe.Slice(C.ss_extension_environment, 1<<20) {
		if entry == nil {
			break
		}
		name, value, ok := strings.Cut(C.GoString(entry), "=")
		C.free(unsafe.Pointer(entry))
		if !ok || name == "" || now[name] { // of a name that is there twice, the first counts
			continue
		}
		now[name] = true
		if before, ok := os.LookupEnv(name); !ok || before != value {
			_ = os.Setenv(name, value)
		}
	}
	C.free(unsafe.Pointer(C.ss_extension_environment))
	C.ss_extension_environment = nil
	for _, entry := range was {
		if name, _, ok := strings.Cut(entry, "="); ok && name != "" && !now[name] {
			_ = os.Unsetenv(name)
		}
	}
}
