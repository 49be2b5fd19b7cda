package main

// #include <stdlib.h>
import "C"

import (
	"strings"
	"unsafe"
)

//export Total
func Total(prices *C.double, n C.int) (sum C.double) {
	for _, price := range unsafe.Slice(prices, n) {
		sum += price
	}
	return sum
}

//export Shout
func Shout(text *C.char) *C.char { return C.CString(strings.ToUpper(C.GoString(text))) }

//export Free
func Free(text *C.char) { C.free(unsafe.Pointer(text)) }

func main() {}
