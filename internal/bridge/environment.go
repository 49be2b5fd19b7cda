package bridge

// #include "calls.h"
import "C"

import "os"

// ssgo_bridge_setenv also sets the process's own variable again, to the value that it has: os.Setenv has no other way.
//
//export ssgo_bridge_setenv
func ssgo_bridge_setenv(name, value *C.char) {
	if value == nil {
		_ = os.Unsetenv(C.GoString(name))
		return
	}
	_ = os.Setenv(C.GoString(name), C.GoString(value)) // names that Go refuses, such as the empty one, the process does not have
}
