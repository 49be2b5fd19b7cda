package container

import (
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/testenv/clayout"
)

// The Go mirror of a block: Go code computes its addresses instead.
type block struct {
	control [blockBuckets]uint8
	buckets [blockBuckets]hashBucket
}

// Package container and the one C header of containers describe the same memory.
// Requirement: A7
func TestLayoutAgainstC(t *testing.T) {
	mirrors := []any{Cell{}, Pair{}, hashBucket{}, block{}}
	clayout.Compare(t, mirrors, clayout.ContainerSizes, clayout.ContainerOffsets)
}

func TestConstantsAgainstC(t *testing.T) {
	mirrors := map[string]uint64{
		"smallTag": smallTag, "NoBucket": NoBucket, "blockBuckets": blockBuckets,
		"controlEmpty": controlEmpty, "controlMember": controlMember, "controlJump": controlJump, "hashFactor": hashFactor,
	}
	if len(mirrors) != len(clayout.ContainerConstants) {
		t.Errorf("%d mirrors, %d C constants", len(mirrors), len(clayout.ContainerConstants))
	}
	for name, got := range mirrors {
		if want, ok := clayout.ContainerConstants[name]; !ok || got != want {
			t.Errorf("%s is %#x, in C %#x (known: %v)", name, got, want, ok)
		}
	}
	if blockSize != clayout.ContainerSizes["block"] {
		t.Errorf("a block has %d bytes, in C %d", blockSize, clayout.ContainerSizes["block"])
	}
}

func TestBucketAddressesAgainstC(t *testing.T) {
	blocks := make([]block, 4)
	data := unsafe.Pointer(&blocks[0])
	tab := table{data: data}
	for i := range uint64(len(blocks) * blockBuckets) {
		control, bucket := clayout.BucketOffsets(i)
		if got := uintptr(unsafe.Pointer(tab.control(i))) - uintptr(data); got != control {
			t.Errorf("control byte %d is at %d, in C at %d", i, got, control)
		}
		if got := uintptr(unsafe.Pointer(tab.at(i))) - uintptr(data); got != bucket {
			t.Errorf("bucket %d is at %d, in C at %d", i, got, bucket)
		}
	}
}
