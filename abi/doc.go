// Package abi mirrors the C ABI of tvm-ffi for Go code that reads and writes object memory directly.
//
// Every type here has the size, the offsets and the field order of its C counterpart in include/selfsame/c_api.h, and
// every constant has the C value. Nothing in this package calls C and nothing allocates C memory. Pointers into C
// memory are unsafe.Pointer; the garbage collector ignores them.
//
// Handle means the address of an object's 24-byte header, as everywhere in the ABI.
package abi
