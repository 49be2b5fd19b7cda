package abi

import "unsafe"

// BodyOffset is the offset of the cell from the handle: the size of the header.
const BodyOffset = 24

// Sizes of the fixed parts of objects, header included.
const (
	SizeString   = 40
	SizeShape    = 40
	SizeError    = 96
	SizeFunction = 40
	SizeSeq      = 56
	SizeOpaque   = 32
)

// ShapeCell is TVMFFIShapeCell: the cell of Shape.
type ShapeCell struct {
	Data unsafe.Pointer // int64[Size]
	Size uintptr
}

// SeqCell is TVMFFISeqCell: the cell of Array and List.
type SeqCell struct {
	Data        unsafe.Pointer // Any[Capacity], the first Size of them in use
	Size        int64
	Capacity    int64
	DataDeleter uintptr // C function void (*)(void*); 0: the elements lie inside the object
}

// Items views the elements. They are borrowed from the container.
func (c *SeqCell) Items() []Any {
	if c.Data == nil || c.Size <= 0 {
		return nil
	}
	return unsafe.Slice((*Any)(c.Data), c.Size)
}

// SeqOf returns the cell of an Array or List.
func SeqOf(handle unsafe.Pointer) *SeqCell { return (*SeqCell)(unsafe.Add(handle, BodyOffset)) }

// ErrorCell is TVMFFIErrorCell: the cell of Error.
type ErrorCell struct {
	Kind            ByteArray
	Message         ByteArray
	Backtrace       ByteArray
	UpdateBacktrace uintptr        // C function void (*)(handle, const TVMFFIByteArray*, int32_t mode), never 0
	CauseChain      unsafe.Pointer // owned Error or nil
	ExtraContext    unsafe.Pointer // owned object or nil
}

// ErrorOf returns the cell of an Error.
func ErrorOf(handle unsafe.Pointer) *ErrorCell { return (*ErrorCell)(unsafe.Add(handle, BodyOffset)) }

// FunctionCell is TVMFFIFunctionCell: the cell of Function.
type FunctionCell struct {
	SafeCall uintptr // C function int (*)(void* handle, const TVMFFIAny* args, int32_t n, TVMFFIAny* result)
	CppCall  uintptr // set by C++ only
}

// FunctionOf returns the cell of a Function.
func FunctionOf(handle unsafe.Pointer) *FunctionCell {
	return (*FunctionCell)(unsafe.Add(handle, BodyOffset))
}

// OpaqueCell is TVMFFIOpaqueObjectCell: the cell of an opaque object.
type OpaqueCell struct {
	Handle unsafe.Pointer
}

// AllocHeader is TVMFFIObjectAllocHeader: the 8 bytes in front of an object that an allocator made.
type AllocHeader struct {
	DeleteSpace uintptr // C function void (*)(void* body)
}

// CustomAllocator is TVMFFICustomAllocator.
type CustomAllocator struct {
	Allocate uintptr // C function void* (*)(size_t size, size_t alignment, int32_t type_index, void* context)
	Context  unsafe.Pointer
}

// Version is TVMFFIVersion.
type Version struct {
	Major, Minor, Patch uint32
}
