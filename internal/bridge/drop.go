package bridge

// #include "calls.h"
import "C"

import "unsafe"

// WatchExit has the exit of the process wait for dropped instances that have not ended, from the first call on.
func WatchExit() { C.ss_out_watch_exit() }

// TakeDropped stores in objects the addresses of instances of classes with OnDrop whose last reference is gone, at most
// len(objects) of them, in the order of their deaths, and returns how many. The caller gets a reference to each, whose
// release deletes the instance; then it calls DropEnded. One goroutine at a time may call it.
func TakeDropped(objects []uint64) int {
	return int(C.ss_out_take_dropped((*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(objects))), C.int32_t(len(objects))))
}

// DropEnded says that an instance of TakeDropped was released.
func DropEnded() { C.ss_out_drop_ended() }

// PendingDrops returns how many dropped instances have not ended: of all libraries in the table, or with nil of this one.
func PendingDrops(t *TieTable) int {
	return int(C.ss_out_pending_drops((*C.SelfsameTieTable)(unsafe.Pointer(t))))
}

//export ssgo_bridge_dropped
func ssgo_bridge_dropped() { callbacks.Dropped() }
