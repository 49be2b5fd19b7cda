// Command ctypes_peer is a C library of Go functions, as people write it by hand for Python's ctypes: a peer of the
// functions of bench/python/gocalls.
package main

// #include <stdint.h>
// typedef int64_t (*callback)(int64_t);
// static int64_t call(callback f, int64_t n) { return f(n); }
import "C"

import "unsafe"

//export peerAddOne
func peerAddOne(n C.int64_t) C.int64_t { return n + 1 }

//export peerSizeOfCopy
func peerSizeOfCopy(data *C.char, size C.int64_t) C.int64_t {
	return C.int64_t(len(C.GoBytes(unsafe.Pointer(data), C.int(size))))
}

//export peerEach
func peerEach(f C.callback, n C.int64_t) (sum C.int64_t) {
	for i := range n {
		sum += C.call(f, i)
	}
	return sum
}

func main() {}
