//go:build !debug

package handles

import (
	"testing"
	"unsafe"
)

// Requirement: C8
func TestStateHas48Bytes(t *testing.T) {
	if size := unsafe.Sizeof(State{}); size != 48 {
		t.Errorf("got %d bytes, want 48: the next size of Go's allocator is 64", size)
	}
}
