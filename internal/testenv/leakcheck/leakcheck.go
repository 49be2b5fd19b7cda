// Package leakcheck lets a test check that it released every native object that it made.
package leakcheck

// #cgo CFLAGS: -I${SRCDIR}/../../../abi/include -std=c11
// #include "selfsame/selfsame.h"
import "C"

import (
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Check counts the live native objects of the process by type. The function that it returns counts them again and fails
// t for each type whose count changed. No other test may run at the same time.
func Check(t testing.TB) func() {
	t.Helper()
	before := counts()
	return func() {
		t.Helper()
		for index, n := range counts() {
			if n != before[index] {
				t.Errorf("%d objects of type `%s` are left over", n-before[index], plane.TypeAt(int32(index)).Key())
			}
		}
	}
}

// counts has the number of live objects of each type index. Its length covers types that are registered later, and values.Class.
func counts() []int64 {
	n := make([]int64, int(C.SelfsameTypeIndexEnd()), 1<<15)
	for i := range n {
		n[i] = int64(C.SelfsameLiveObjects(C.int32_t(i)))
	}
	return n[:cap(n)]
}
