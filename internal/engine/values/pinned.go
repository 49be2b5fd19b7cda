package values

import (
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Pinned is a slice whose memory a tensor shares.
type Pinned struct {
	pins  runtime.Pinner
	elems any
	bytes uintptr
}

// Pin pins the memory of a slice at data, which elems keeps alive. bytes is its size.
func Pin(data unsafe.Pointer, elems any, bytes uintptr) *Pinned {
	p := &Pinned{elems: elems, bytes: bytes}
	if data != nil {
		p.pins.Pin(data)
	}
	return p
}

// Ended unpins the slice. It is called after the tensor has died.
func (p *Pinned) Ended() unsafe.Pointer {
	p.pins.Unpin()
	handles.Unpinned(p.bytes)
	return nil
}
