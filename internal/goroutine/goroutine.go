//go:build amd64 || arm64

// Package goroutine tells goroutines apart, for locks that a goroutine may take again.
package goroutine

// current returns the address of the runtime's record of the calling goroutine. It reads nothing of the record.
func current() uintptr

// Current returns a number of the calling goroutine that no other has while it lives; never 0. A call from C into Go that
// comes within a call from Go into C, on the same thread, runs on the same goroutine.
func Current() uintptr { return current() }
