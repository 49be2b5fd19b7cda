package graph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
)

// Pins keeps the objects on a walk's way alive while code of others runs. A walk borrows what it reads from the object
// it came from, down from the root; that costs nothing, and holds as long as nobody changes an object. So before a hook
// runs, every object on the way gets a reference, which it keeps until the walk leaves it.
type Pins struct {
	way    []unsafe.Pointer
	pinned int
}

// Push notes that the walk enters an object.
func (p *Pins) Push(obj unsafe.Pointer) { p.way = append(p.way, obj) }

// Pop notes that it leaves the last one.
func (p *Pins) Pop() {
	n := len(p.way) - 1
	obj := p.way[n]
	p.way = p.way[:n]
	if p.pinned > n {
		p.pinned = n
		plane.DecRefFast(obj)
	}
}

// Pin is called before code of others runs.
func (p *Pins) Pin() {
	for ; p.pinned < len(p.way); p.pinned++ {
		abi.IncRef(p.way[p.pinned])
	}
}

// Depth is how many objects the walk is inside of.
func (p *Pins) Depth() int { return len(p.way) }
