// Package jsontext converts JSON text to values of the ABI (null, booleans, integers, floats, strings, Arrays and Maps)
// and back. Neither direction recurses, so that no input can exhaust a stack.
package jsontext
