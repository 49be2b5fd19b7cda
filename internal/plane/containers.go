package plane

// #include "plane.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// These functions take borrowed values as containers hold them, unless they say otherwise. A key whose class has a hash
// or equality hook makes them run foreign code, so the caller must own a reference to the container. ok false: the error
// is raised.

// FindInMap looks up a key and returns the address of its entry, nil when there is none. It is valid until the map
// changes.
func FindInMap(handle unsafe.Pointer, key *abi.Any) (entry unsafe.Pointer, ok bool) {
	var out *C.SsEntry
	rc := C.ss_go_map_find((*C.TVMFFIObject)(handle), value(key), &out)
	return unsafe.Pointer(out), rc == 0
}

// SetInMap stores views of a value under a key.
func SetInMap(handle unsafe.Pointer, key, stored *abi.Any) (ok bool) {
	return C.ss_go_map_set((*C.TVMFFIObject)(handle), value(key), value(stored)) == 0
}

// MapOf makes a Map or Dict of views of keys and values in turn, as storing one pair after the other would.
func MapOf(typeIndex int32, views []abi.Any) (handle unsafe.Pointer, ok bool) {
	var h C.TVMFFIObjectHandle
	rc := C.ss_go_map_build(C.int32_t(typeIndex), value(unsafe.SliceData(views)), C.int64_t(len(views)/2), &h)
	return unsafe.Pointer(h), rc == 0
}

// CopyMap makes a Map or Dict with the entries of another in the same places.
func CopyMap(handle unsafe.Pointer, typeIndex int32) (copied unsafe.Pointer, ok bool) {
	h := C.ss_map_copy((*C.TVMFFIObject)(handle), C.int32_t(typeIndex))
	return unsafe.Pointer(h), h != nil
}

// Filling are the entries of one map that FillMaps fills.
type Filling struct {
	Map   uintptr
	First int64 // where its keys and values begin in items
	Pairs int64
}

// FillMaps stores owned keys and values in turn in maps, which take them over, also when it fails; then some maps lack
// some of them.
func FillMaps(fillings []Filling, items []abi.Any) (ok bool) {
	return C.ss_go_maps_fill((*C.SsMapFill)(unsafe.Pointer(unsafe.SliceData(fillings))), C.int64_t(len(fillings)),
		value(unsafe.SliceData(items))) == 0
}

// ListOf makes a List of owned values, which it takes over also when it fails.
func ListOf(owned []abi.Any) (handle unsafe.Pointer, ok bool) {
	h := C.ss_list_of(value(unsafe.SliceData(owned)), C.int64_t(len(owned)))
	return unsafe.Pointer(h), h != nil
}

// HashKey returns the hash of a key.
func HashKey(key *abi.Any) (hash uint64, ok bool) {
	var out C.uint64_t
	rc := C.ss_go_key_hash(value(key), &out)
	return uint64(out), rc == 0
}

// EqualKeys compares keys.
func EqualKeys(a, b *abi.Any) (equal, ok bool) {
	rc := C.ss_go_key_equal(value(a), value(b))
	return rc > 0, rc >= 0
}

func value(a *abi.Any) *C.TVMFFIAny { return (*C.TVMFFIAny)(unsafe.Pointer(a)) }

// NewShape makes a Shape. False: the error is raised.
func NewShape(dimensions []int64) (unsafe.Pointer, bool) {
	var data *C.int64_t
	handle := C.ss_shape_new(C.int64_t(len(dimensions)), &data)
	if handle == nil {
		return nil, false
	}
	copy(unsafe.Slice((*int64)(unsafe.Pointer(data)), len(dimensions)), dimensions)
	return unsafe.Pointer(handle), true
}

// Attr returns the public part of a column. It never moves and is never freed.
func (c *Column) Attr() *abi.TypeAttrColumn { return (*abi.TypeAttrColumn)(unsafe.Pointer(&c.column)) }
