//go:build !((amd64 || arm64) && !go1.27)

package regcall

import (
	"reflect"
	"unsafe"
)

// Func is never made: the registers of other processors and of later Go releases are not known here.
type Func struct{}

// Of is nil: every func must be called through reflection.
func Of(reflect.Value) *Func { return nil }

// Load is never called.
func (*Func) Load([]unsafe.Pointer, *Words) {}

// Call is never called.
func (*Func) Call(*Words, unsafe.Pointer) error { return nil }
