// Package failalloc lets tests run out of memory for objects, at each allocation in turn.
package failalloc

// #cgo CFLAGS: -I${SRCDIR}/../../../abi/include -std=c11
// #include "failalloc.h"
import "C"

import (
	"runtime"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/internal/leakcheck"
)

// Each runs work again and again: the first time, its first object cannot be allocated; the next time, its second one;
// and so on until it has enough. Each time but the last it must fail with a MemoryError and leave nothing behind.
func Each(t *testing.T, work func() error) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for n := 0; ; n++ {
		check := leakcheck.Check(t)
		C.ss_scarce_begin(C.int64_t(n))
		err := work()
		failed := C.ss_scarce_end() != 0
		if !failed {
			t.Logf("%d objects are allocated", n)
			if err != nil {
				t.Errorf("with memory for all objects: %v", err)
			}
			return
		}
		if err == nil {
			t.Errorf("with memory for %d objects there was no error", n)
		}
		if handle := plane.TakeRaised(); handle == nil {
			t.Errorf("with memory for %d objects nothing was raised, got %v", n, err)
		} else {
			if kind := abi.ErrorOf(handle).Kind.String(); kind != "MemoryError" {
				t.Errorf("with memory for %d objects: %s", n, kind)
			}
			plane.DecRef(handle)
		}
		check()
		if t.Failed() || n > 10000 {
			return
		}
	}
}
