package bridge

// #include "bridge.h"
import "C"

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// TieTable is the process's table of tie records (SelfsameTieTable).
type TieTable C.SelfsameTieTable

// TieRecord is a tie record (SelfsameTieRecord).
type TieRecord struct {
	Object  unsafe.Pointer // atomic
	Wrapper uintptr
	Deleter uintptr
	Go      uint64 // atomic
}

const (
	chunkBits = C.SELFSAME_TIE_CHUNK_BITS
	chunkMask = 1<<chunkBits - 1
)

// JoinTieTable finds or registers the process's table.
func JoinTieTable() (table *TieTable, failed unsafe.Pointer) {
	var raised unsafe.Pointer
	t := C.ss_front_tie_table(at(&raised))
	return (*TieTable)(unsafe.Pointer(t)), raised
}

// NewOwner takes a number for one Go frontend, 0 when there is none left.
func (t *TieTable) NewOwner() uint64 {
	return uint64(C.ss_front_tie_owner((*C.SelfsameTieTable)(unsafe.Pointer(t))))
}

// Find is the record of an object that the caller knows to be alive, nil when it has none. It does not cross into C.
func (t *TieTable) Find(object unsafe.Pointer) *TieRecord {
	n := atomic.LoadUint32(&(*abi.Object)(object).Padding)
	if n == 0 {
		return nil
	}
	chunks := unsafe.Pointer(t.chunks)
	slot := (*unsafe.Pointer)(unsafe.Add(chunks, uintptr(n>>chunkBits)*unsafe.Sizeof(chunks)))
	chunk := atomic.LoadPointer(slot)
	if chunk == nil {
		return nil
	}
	record := (*TieRecord)(unsafe.Add(chunk, uintptr(n&chunkMask)*unsafe.Sizeof(TieRecord{})))
	if atomic.LoadPointer(&record.Object) != object {
		return nil
	}
	return record
}

// Acquire is the record of an object to which the caller holds a reference, made when it has none; nil when out of
// memory.
func (t *TieTable) Acquire(object unsafe.Pointer) *TieRecord {
	return (*TieRecord)(unsafe.Pointer(C.ss_front_tie_acquire((*C.SelfsameTieTable)(unsafe.Pointer(t)), C.uint64_t(uintptr(object)))))
}

// Serves says whether the object has a record with a go word.
func (t *TieTable) Serves(object unsafe.Pointer, goWord uint64) bool {
	record := t.Find(object)
	return record != nil && atomic.LoadUint64(&record.Go) == goWord
}
