package selfsame

import "github.com/selfsame-ffi/selfsame/abi/include"

// Version returns the version of selfsame that the program was built with, such as "0.2.0". The Python package, the C
// headers (SELFSAME_VERSION) and the command line tool of one release have the same.
func Version() string { return include.Version() }
