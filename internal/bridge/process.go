package bridge

// #include "calls.h"
import "C"

import (
	"os"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// ssgo_bridge_setenv also sets the process's own variable again, to the value that it has: os.Setenv has no other way.
//
//export ssgo_bridge_setenv
func ssgo_bridge_setenv(name, value *C.char) {
	if value == nil {
		_ = os.Unsetenv(C.GoString(name))
		return
	}
	_ = os.Setenv(C.GoString(name), C.GoString(value)) // names that Go refuses, such as the empty one, the process does not have
}

// AddCollector adds this library to the process's list of collectors, once. The words count the bytes that its handles
// keep, now and when the collector ran last; they must be pinned for the life of the process.
func (t *TieTable) AddCollector(kept, settled *atomic.Int64) {
	C.ss_out_add_collector((*C.SelfsameTieTable)(unsafe.Pointer(t)), C.uint64_t(uintptr(unsafe.Pointer(kept))),
		C.uint64_t(uintptr(unsafe.Pointer(settled))))
}

// CollectOthers runs the collectors of the other libraries and languages in the process once each, and returns how many
// objects they gave back.
func (t *TieTable) CollectOthers() int {
	return int(C.ss_out_collect_others((*C.SelfsameTieTable)(unsafe.Pointer(t))))
}

// SetInitialising says whether the packages of this library are being initialised. As long as they are, the other frontends'
// collections leave this library's collector out, because Go would let their threads wait.
func SetInitialising(on bool) {
	flag := C.int(0)
	if on {
		flag = 1
	}
	C.ss_out_initialising(flag)
}

//export ssgo_bridge_stop
func ssgo_bridge_stop() { callbacks.Stop() }

//export ssgo_bridge_collect
func ssgo_bridge_collect() C.int64_t { return C.int64_t(callbacks.Collect()) }

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

// LoggedKind says what was registered.
type LoggedKind int32

// The kinds of entries of the registration log.
const (
	LoggedClass    = LoggedKind(C.SS_LOGGED_CLASS)
	LoggedField    = LoggedKind(C.SS_LOGGED_FIELD)
	LoggedMetadata = LoggedKind(C.SS_LOGGED_METADATA)
	LoggedMethod   = LoggedKind(C.SS_LOGGED_METHOD)
	LoggedAttr     = LoggedKind(C.SS_LOGGED_ATTR)
	LoggedInit     = LoggedKind(C.SS_LOGGED_INIT)
	LoggedMember   = LoggedKind(C.SS_LOGGED_MEMBER)
	LoggedFunction = LoggedKind(C.SS_LOGGED_FUNCTION)
)

// Logged is an entry of the log of registrations, which outlives the Go that wrote it. It is C memory and never freed.
type Logged C.SsLogged

// Log writes an entry before the registration that it describes; nil: out of memory. id is that of the Go func, 0 for
// none. The caller calls Done or Fail after the registration.
func Log(kind LoggedKind, typeIndex int32, name string, id uint64) *Logged {
	return (*Logged)(C.ss_out_log(C.SsLoggedKind(kind), C.int32_t(typeIndex), C.uint64_t(id), cstr(name), C.size_t(len(name))))
}

// LastLogged returns the entry that was written last, by this Go or by one before a fork; nil when there is none.
func LastLogged() *Logged { return (*Logged)(C.ss_out_last_logged()) }

// Before returns the entry that was written before this one, nil for the first one.
func (l *Logged) Before() *Logged { return (*Logged)(l.before) }

// Kind, TypeIndex, Name and ID return what was given to Log.
func (l *Logged) Kind() LoggedKind { return LoggedKind(l.kind) }
func (l *Logged) TypeIndex() int32 { return int32(l.type_index) }
func (l *Logged) ID() uint64       { return uint64(l.id) }
func (l *Logged) Name() string {
	return string(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(l), C.sizeof_SsLogged)), int(l.name_size)))
}

// Layout returns the layout of a class, nil if SetClass was not called.
func (l *Logged) Layout() *Layout { return (*Layout)(l.layout) }

// SetClass stores the type index and the layout of a class, before Done.
func (l *Logged) SetClass(index int32, layout *Layout) {
	l.type_index = C.int32_t(index)
	l.layout = unsafe.Pointer(layout)
}

// Done marks the registration as successful.
func (l *Logged) Done() { atomic.StoreUint32((*uint32)(&l.state), C.SS_LOGGED_DONE) }

// Fail marks the registration as failed.
func (l *Logged) Fail() { atomic.StoreUint32((*uint32)(&l.state), C.SS_LOGGED_FAILED) }

// IsDone and IsBegun report the state. An entry that is neither has failed; one that is begun may have been registered,
// or not, when another thread forked.
func (l *Logged) IsDone() bool  { return atomic.LoadUint32((*uint32)(&l.state)) == C.SS_LOGGED_DONE }
func (l *Logged) IsBegun() bool { return atomic.LoadUint32((*uint32)(&l.state)) == C.SS_LOGGED_BEGUN }

// Generation is the number of forks between the start of the library and that of this Go: 0 except in forked children.
var Generation = uint64(C.ss_bridge_go_generation())

// LastID is the highest id that was given to a Go value, by this Go or by one before a fork. The word is atomic.
var LastID = (*uint64)(C.ss_out_last_id())
