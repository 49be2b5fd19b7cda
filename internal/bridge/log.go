package bridge

// #include "calls.h"
import "C"

import (
	"sync/atomic"
	"unsafe"
)

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
