// Package jsontext parses and prints JSON text over the ABI's values: null, booleans, integers, floats, strings, Arrays
// and Maps. Neither direction recurses, so that no input can exhaust a stack.
package jsontext
