package graph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Pins are the objects on a walk's path from the root. A walk borrows each object from the one before. That is safe only
// while no object changes, so before foreign code runs, Pin takes a reference to every object on the path. Pop drops the
// reference when the walk leaves the object.
type Pins struct {
	path   []unsafe.Pointer
	pinned int // the first so many own a reference
}

// Push notes that the walk enters an object.
func (p *Pins) Push(obj unsafe.Pointer) { p.path = append(p.path, obj) }

// Pop notes that the walk leaves the object that it entered last.
func (p *Pins) Pop() {
	n := len(p.path) - 1
	obj := p.path[n]
	p.path = p.path[:n]
	if p.pinned > n {
		p.pinned = n
		plane.DecRefFast(obj)
	}
}

// Pin takes a reference to every object on the path.
func (p *Pins) Pin() {
	for ; p.pinned < len(p.path); p.pinned++ {
		abi.IncRef(p.path[p.pinned])
	}
}

// Depth returns how many objects the walk is inside of.
func (p *Pins) Depth() int { return len(p.path) }
