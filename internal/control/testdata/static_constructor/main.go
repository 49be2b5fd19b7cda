// This program calls the runtime from a static constructor (constructor.c), and again from main.
package main

// #cgo CFLAGS: -I${SRCDIR}/../../../../abi/include -std=c11
// int look(void);
import "C"

import (
	"fmt"
	"os"

	_ "github.com/selfsame-ffi/selfsame/internal/control"
)

func main() {
	if C.look() == 0 {
		fmt.Println("main: there is no ffi.String")
		os.Exit(1)
	}
	fmt.Println("main: ok")
}
