//go:build !amd64 && !arm64

package selfsame

import "reflect"

// callByRegisters knows the registers of other processors only.
func callByRegisters(reflect.Value) func(*callFrame) error { return nil }
