package handles

import "sync/atomic"

const (
	directoryBits  = 10
	directoryWidth = 1 << directoryBits
	directorySize  = directoryWidth * directoryWidth // chunks that a directory has room for
)

// directory leads from numbers to chunks, which it never frees or moves. It is read without a lock. It has two levels because
// Go's collector reads the memory of global variables each time that it runs, and every extension has a Go of its own. A
// table of one level would be most of its work in a small process; TestACollectionReadsFewGlobalVariables watches the size.
type directory[C any] struct {
	top [directoryWidth]atomic.Pointer[[directoryWidth]atomic.Pointer[C]]
}

// at returns the chunk of a number below directorySize; nil when it was not made.
func (d *directory[C]) at(number uint64) *C {
	part := d.top[number>>directoryBits].Load()
	if part == nil {
		return nil
	}
	return part[number%directoryWidth].Load()
}

// make makes the chunk of a number below directorySize, unless it is there. The caller holds the lock of the directory's owner.
func (d *directory[C]) make(number uint64) {
	part := &d.top[number>>directoryBits]
	if part.Load() == nil {
		part.Store(new([directoryWidth]atomic.Pointer[C]))
	}
	if chunk := &part.Load()[number%directoryWidth]; chunk.Load() == nil {
		chunk.Store(new(C))
	}
}
