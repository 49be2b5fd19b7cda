//go:build !amd64 && !arm64

// Package goroutine tells goroutines apart, for locks that a goroutine may take again.
package goroutine

import (
	"runtime"
	"strconv"
	"strings"
)

// Current returns a number of the calling goroutine that no other has while it lives; never 0. A call from C into Go that
// comes within a call from Go into C, on the same thread, runs on the same goroutine.
func Current() uintptr {
	var text [64]byte
	n := runtime.Stack(text[:], false)
	number, _, _ := strings.Cut(strings.TrimPrefix(string(text[:n]), "goroutine "), " ")
	id, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		panic("selfsame: the runtime does not name the goroutine")
	}
	return uintptr(id)
}
