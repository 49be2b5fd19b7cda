//go:build !((amd64 || arm64) && !go1.27)

package selfsame

import "reflect"

// callByRegisters knows the registers of other processors and of earlier Go releases only.
func callByRegisters(reflect.Value) func(*callFrame) error { return nil }

func callWithWords(reflect.Value, *signature, invoker) invoker { return nil }
