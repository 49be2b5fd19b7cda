//go:build windows

// Command geo is the example geo as a library of its own, for the checks under Windows.
package main

import _ "github.com/selfsame-ffi/selfsame/examples/geo"

func main() {}
