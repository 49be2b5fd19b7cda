// Command libselfsame is the shared library libselfsame.so: the runtime, built with -buildmode=c-shared.
package main

import (
	_ "github.com/selfsame-ffi/selfsame/internal/control"
	_ "github.com/selfsame-ffi/selfsame/internal/gomemory"
	_ "github.com/selfsame-ffi/selfsame/internal/guest"
)

func main() {}
