// Package failalloc lets a test fail each allocation of an object in turn.
package failalloc

// #cgo CFLAGS: -I${SRCDIR}/../../../abi/include -std=c11
// #include "failalloc.h"
import "C"

import (
	"runtime"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv/leakcheck"
)

// Each runs work repeatedly on the calling goroutine's thread. In the first run the first allocation of an object
// fails, in the second run the second, and so on until no allocation fails. Every run but the last must return an
// error, raise a MemoryError, and leave as many live objects as before; otherwise t fails.
func Each(t *testing.T, work func() error) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for n := 0; ; n++ {
		check := leakcheck.Check(t)
		C.ss_fail_alloc_begin(C.int64_t(n))
		err := work()
		failed := C.ss_fail_alloc_end() != 0
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
