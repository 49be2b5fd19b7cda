// Package leakcheck lets tests see whether every object they made is gone again.
package leakcheck

// #cgo CFLAGS: -I${SRCDIR}/../../../abi/include -std=c11
// #include "selfsame/selfsame.h"
import "C"

import (
	"testing"

	"github.com/selfsame-ffi/selfsame/abi/plane"
)

// Check counts the live objects now, and again when the function it returns is called: then there must be as many.
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

func counts() []int64 {
	n := make([]int64, int(C.SelfsameTypeIndexEnd()), 1024)
	for i := range n {
		n[i] = int64(C.SelfsameLiveObjects(C.int32_t(i)))
	}
	return n[:cap(n)]
}
