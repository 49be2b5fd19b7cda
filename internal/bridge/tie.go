package bridge

// #include "calls.h"
import "C"

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// TieTable is the process's tie table (SelfsameTieTable in tie.h). All methods may be called on any goroutine.
type TieTable C.SelfsameTieTable

// TieRecord is the side-table entry of a native object (SelfsameTieRecord in tie.h).
type TieRecord struct {
	Object  unsafe.Pointer // atomic; the object's address, nil while the record is free
	Wrapper uintptr        // the Python frontend's wrapper word
	Deleter uintptr        // the object's own deleter
	Go      uint64         // atomic; the Go handle id
}

const (
	chunkBits = C.SELFSAME_TIE_CHUNK_BITS
	chunkMask = 1<<chunkBits - 1
)

// JoinTieTable returns the process's tie table. The first frontend of the process that calls it registers the table.
func JoinTieTable() (table *TieTable, failed unsafe.Pointer) {
	var raised unsafe.Pointer
	t := C.ss_out_tie_table(at(&raised))
	return (*TieTable)(unsafe.Pointer(t)), raised
}

// Owner returns the upper 32 bits of the Go handle ids of this Go. Their upper half is the number of its library, which
// the first call takes. Their lower half is the number of forks since then. 0: no number is left.
func (t *TieTable) Owner() uint64 {
	return uint64(C.ss_out_tie_owner((*C.SelfsameTieTable)(unsafe.Pointer(t))))
}

// LockRegistrations takes the lock under which one Go library of the process at a time looks whether a class or a member of an
// enum exists, and makes it. It waits without a time limit: the holder waits for nothing else and calls no code of users.
func LockRegistrations() { C.ss_out_registration_lock(1) }

// UnlockRegistrations gives the lock back; any goroutine may.
func UnlockRegistrations() { C.ss_out_registration_lock(0) }

// Find returns the record of an object, nil when it has none. The object must be alive. It makes no call into C.
func (t *TieTable) Find(object unsafe.Pointer) *TieRecord {
	n := atomic.LoadUint32(&(*abi.Object)(object).Padding)
	if n == 0 {
		return nil
	}
	chunks := unsafe.Pointer(t.chunks)
	entry := (*unsafe.Pointer)(unsafe.Add(chunks, uintptr(n>>chunkBits)*unsafe.Sizeof(chunks)))
	chunk := atomic.LoadPointer(entry)
	if chunk == nil {
		return nil
	}
	record := (*TieRecord)(unsafe.Add(chunk, uintptr(n&chunkMask)*unsafe.Sizeof(TieRecord{})))
	if atomic.LoadPointer(&record.Object) != object {
		return nil
	}
	return record
}

// Acquire returns the record of an object and makes one if there is none; nil when out of memory. The caller must own a
// reference to the object.
func (t *TieTable) Acquire(object unsafe.Pointer) *TieRecord {
	return (*TieRecord)(unsafe.Pointer(C.ss_out_tie_acquire((*C.SelfsameTieTable)(unsafe.Pointer(t)), C.uint64_t(uintptr(object)))))
}

// Serves reports whether the object has a record with that Go handle id.
func (t *TieTable) Serves(object unsafe.Pointer, goID uint64) bool {
	record := t.Find(object)
	return record != nil && atomic.LoadUint64(&record.Go) == goID
}
