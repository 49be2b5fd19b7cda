package arrow

import "unsafe"

// places is where n values lie: at the same distance from each other, or each somewhere.
type places struct {
	n      int
	first  unsafe.Pointer
	stride uintptr
	at     []unsafe.Pointer // not nil: where each lies that they are parts of; nil for one that is not there
	offset uintptr          // within those
}

// of returns the place of a value, nil for one that is not there.
func (p *places) of(i int) unsafe.Pointer {
	if p.at == nil {
		return add(p.first, uintptr(i)*p.stride)
	}
	if p.at[i] == nil {
		return nil
	}
	return add(p.at[i], p.offset)
}

// field returns the places of a part of each value.
func (p places) field(offset uintptr) places {
	if p.at == nil {
		p.first = add(p.first, offset)
	}
	p.offset += offset
	return p
}

// targets returns the places that pointers at the places lead to.
func (p *places) targets() places {
	at := make([]unsafe.Pointer, p.n)
	for i := range at {
		if q := p.of(i); q != nil {
			at[i] = *(*unsafe.Pointer)(q)
		}
	}
	return places{n: p.n, at: at}
}

// add returns an address behind another. Why not unsafe.Add of nil: a slice without elements may have no address.
func add(p unsafe.Pointer, offset uintptr) unsafe.Pointer {
	if p == nil {
		return nil
	}
	return unsafe.Add(p, offset)
}
