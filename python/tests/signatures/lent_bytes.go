package signatures

import (
	"bytes"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
)

// Functions that take bytes, lent or copied.
func init() {
	reg := selfsame.MustRegisterFunc // another name: docs and parameter names are found by the func, not by the call
	reg("signatures.address", func(data selfsame.Lent) uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(data)))) })
	reg("signatures.content", func(data []byte) []byte { return data })
	reg("signatures.while_lent", func(data selfsame.Lent, callback func()) []byte {
		callback()
		return bytes.Clone(data)
	})
	reg("signatures.while_copied", func(data []byte, callback func()) []byte {
		callback()
		return data
	})
}
