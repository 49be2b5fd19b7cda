// Command link is the C linker for go's -extld when a library is for musl.
//
// Usage: link COMPILER... -- ARGUMENT...
package main

import (
	"fmt"
	"os"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/musl"
)

func main() {
	if err := musl.Link(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "link for musl:", err)
		os.Exit(1)
	}
}
