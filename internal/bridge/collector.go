package bridge

// #include "calls.h"
import "C"

import (
	"sync/atomic"
	"unsafe"
)

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
