package abi

import (
	"math/big"
	"math/bits"
	"slices"
	"unsafe"
)

// Version of DLPack whose layouts these are.
const (
	DLPackMajor = 1
	DLPackMinor = 3
)

// Device types (DLDeviceType).
const (
	DeviceCPU         = 1
	DeviceCUDA        = 2
	DeviceCUDAHost    = 3
	DeviceOpenCL      = 4
	DeviceVulkan      = 7
	DeviceMetal       = 8
	DeviceVPI         = 9
	DeviceROCM        = 10
	DeviceROCMHost    = 11
	DeviceExtDev      = 12
	DeviceCUDAManaged = 13
	DeviceOneAPI      = 14
	DeviceWebGPU      = 15
	DeviceHexagon     = 16
	DeviceMAIA        = 17
	DeviceTrn         = 18
)

// Codes of data types (DLDataTypeCode).
const (
	CodeInt               = 0
	CodeUInt              = 1
	CodeFloat             = 2
	CodeOpaqueHandle      = 3
	CodeBfloat            = 4
	CodeComplex           = 5
	CodeBool              = 6
	CodeFloat8E3M4        = 7
	CodeFloat8E4M3        = 8
	CodeFloat8E4M3B11FNUZ = 9
	CodeFloat8E4M3FN      = 10
	CodeFloat8E4M3FNUZ    = 11
	CodeFloat8E5M2        = 12
	CodeFloat8E5M2FNUZ    = 13
	CodeFloat8E8M0FNU     = 14
	CodeFloat6E2M3FN      = 15
	CodeFloat6E3M2FN      = 16
	CodeFloat4E2M1FN      = 17
)

// CodeCustomBegin is the first code of data types that a program registers.
const CodeCustomBegin = 129

// DLTensor describes a tensor in borrowed memory: 48 bytes. It is also the cell of Tensor.
type DLTensor struct {
	Data       unsafe.Pointer
	Device     Device
	NDim       int32
	DType      DataType
	Shape      unsafe.Pointer // int64[NDim]
	Strides    unsafe.Pointer // int64[NDim], in elements; a Tensor object has them unless NDim is 0
	ByteOffset uint64
}

// Extents views the shape.
func (t *DLTensor) Extents() []int64 { return int64s(t.Shape, t.NDim) }

// Steps views the strides; nil when there are none.
func (t *DLTensor) Steps() []int64 { return int64s(t.Strides, t.NDim) }

// Contiguous says whether the elements are stored in row-major order without gaps. A tensor without elements is
// contiguous whatever its strides.
func (t *DLTensor) Contiguous() bool {
	extents, steps := t.Extents(), t.Steps()
	if steps == nil || slices.Contains(extents, 0) {
		return true
	}
	expected := int64(1)
	for i := len(extents) - 1; i >= 0; i-- {
		if extents[i] == 1 {
			continue // the stride is never used
		}
		if steps[i] != expected {
			return false
		}
		expected *= extents[i]
	}
	return true
}

func int64s(p unsafe.Pointer, n int32) []int64 {
	if p == nil || n <= 0 {
		return nil
	}
	return unsafe.Slice((*int64)(p), n)
}

// TensorOf returns the cell of a Tensor.
func TensorOf(handle unsafe.Pointer) *DLTensor { return (*DLTensor)(unsafe.Add(handle, BodyOffset)) }

// DLManagedTensor is a tensor with its deleter, for exchange between libraries before DLPack 1.0, 64 bytes.
type DLManagedTensor struct {
	Tensor  DLTensor
	Manager unsafe.Pointer
	Deleter uintptr // C function void (*)(DLManagedTensor* self), or 0
}

// Bits of DLManagedTensorVersioned.Flags.
const (
	DLPackReadOnly      uint64 = 1 << 0
	DLPackIsCopied      uint64 = 1 << 1
	DLPackSubBytePadded uint64 = 1 << 2
)

// DLManagedTensorVersioned is the same since DLPack 1.0, 80 bytes.
type DLManagedTensorVersioned struct {
	Major, Minor uint32
	Manager      unsafe.Pointer
	Deleter      uintptr // C function void (*)(DLManagedTensorVersioned* self), or 0
	Flags        uint64
	Tensor       DLTensor
}

// BigIntCell is TVMFFIBigIntCell: the cell of BigInt. Its words follow it.
type BigIntCell struct {
	Size uintptr // number of int64 words
}

// Words views the words of a BigInt: two's complement, the least significant first.
func (c *BigIntCell) Words() []int64 {
	return unsafe.Slice((*int64)(unsafe.Add(unsafe.Pointer(c), unsafe.Sizeof(*c))), c.Size)
}

// BigIntOf returns the cell of a BigInt.
func BigIntOf(handle unsafe.Pointer) *BigIntCell {
	return (*BigIntCell)(unsafe.Add(handle, BodyOffset))
}

// Int returns the integer.
func (c *BigIntCell) Int() *big.Int {
	words := c.Words()
	negative := words[len(words)-1] < 0
	abs := make([]big.Word, 0, len(words)*64/bits.UintSize)
	carry := uint64(1) // of the two's complement
	for _, word := range words {
		w := uint64(word)
		if negative {
			w = ^w + carry
			if w != 0 {
				carry = 0
			}
		}
		for rest := 64; rest > 0; rest -= bits.UintSize {
			abs = append(abs, big.Word(w))
			w >>= bits.UintSize - 1
			w >>= 1
		}
	}
	v := new(big.Int).SetBits(abs)
	if negative {
		v.Neg(v)
	}
	return v
}
