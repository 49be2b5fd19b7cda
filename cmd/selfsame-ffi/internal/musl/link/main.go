// Command link is the C linker for go's -extld when a library is for musl.
//
// Usage: link COMPILER ARGUMENT...
package main

import (
	"fmt"
	"os"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/musl"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "link: expected a compiler and its arguments")
		os.Exit(2)
	}
	if err := musl.Link(os.Args[1:2], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "link for musl:", err)
		os.Exit(1)
	}
}
