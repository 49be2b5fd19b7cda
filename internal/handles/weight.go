package handles

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// The weight of an entry is an estimate of the memory that its handle keeps: the object's own data, and for an Array
// that of its elements. Other objects that the object owns are not followed. The unit makes it fit into 32 bits.
const weightUnit = 64

const (
	handleBytes  = 256  // the tie record, the entry, the State and its weak pointer
	wrapperBytes = 512  // a Python wrapper with state, which lives as long as the object
	unknownBytes = 1024 // a Python object or other value that only its own frontend can measure
	maxElements  = 64   // of an Array that are weighed

	exceptionBytes = 1 << 16 // a Python exception has frames, and each of them its variables
)

// weigh returns the weight of an object, which must be alive. It is never 0.
func weigh(object unsafe.Pointer) uint32 {
	bytes := uint64(handleBytes) + ownBytes(object)
	if table.ties != nil {
		if record := table.ties.Find(object); record != nil && atomic.LoadUintptr(&record.Wrapper) != 0 {
			bytes += wrapperBytes
		}
	}
	if abi.TypeIndexOf(object) == abi.IndexArray {
		items := abi.SeqOf(object).Items() // they never change
		for i := range min(len(items), maxElements) {
			if items[i].IsObject() {
				bytes += ownBytes(items[i].Pointer())
			}
		}
	}
	return uint32(min(bytes/weightUnit, 1<<32-1))
}

// ownBytes returns the size of an object with the memory that belongs to it alone.
func ownBytes(object unsafe.Pointer) uint64 {
	switch index := abi.TypeIndexOf(object); index {
	case abi.IndexTensor:
		return tensorBytes(abi.TensorOf(object))
	case abi.IndexStr, abi.IndexBytes:
		return uint64((*abi.ByteArray)(unsafe.Add(object, abi.BodyOffset)).Size)
	case abi.IndexShape:
		return 8 * uint64(secondWord(object))
	case abi.IndexArray, abi.IndexList:
		return 16 * uint64(secondWord(object))
	case abi.IndexMap, abi.IndexDict:
		return 48 * uint64(secondWord(object))
	case abi.IndexFunction, abi.IndexModule, abi.IndexOpaquePyObject:
		return unknownBytes
	case abi.IndexError:
		if _, context := bridge.ErrorLinks(object); context != nil {
			return exceptionBytes
		}
		return 4 * unknownBytes
	default:
		return typeBytes(index)
	}
}

// secondWord returns the number of elements of a container. Another thread may be changing a List or Dict.
func secondWord(object unsafe.Pointer) int64 {
	return max(0, atomic.LoadInt64((*int64)(unsafe.Add(object, abi.BodyOffset+8))))
}

// tensorBytes returns the size of a tensor's elements, on whatever device they are.
func tensorBytes(t *abi.DLTensor) uint64 {
	bytes := (uint64(t.DType.Bits)*uint64(t.DType.Lanes) + 7) / 8
	for _, extent := range t.Extents() {
		if extent <= 0 {
			return 0
		}
		if bytes > 1<<50/uint64(extent) {
			return 1 << 50
		}
		bytes *= uint64(extent)
	}
	return bytes
}

// typeSizes has the sizes of the instances of types, by type index; 0: not known yet.
var typeSizes [1 << 12]atomic.Uint32

// typeBytes returns the size of an instance of a type.
func typeBytes(index int32) uint64 {
	if int(index) < len(typeSizes) {
		if known := typeSizes[index].Load(); known != 0 {
			return uint64(known)
		}
	}
	size := uint32(unknownBytes / 8)
	info := bridge.TypeInfo(index)
	if info == nil || info.Metadata == nil {
		return uint64(size) // it may be registered later
	}
	if info.Metadata.TotalSize > 0 {
		size = uint32(info.Metadata.TotalSize)
	}
	if int(index) < len(typeSizes) {
		typeSizes[index].Store(size)
	}
	return uint64(size)
}
