package abi

import (
	"math"
	"unsafe"
)

// Any is a value (TVMFFIAny, 16 bytes). Whether it is an owned value or a view depends on where it is.
type Any struct {
	TypeIndex int32
	Len       uint32 // length of a small string or small bytes, else 0
	Bits      uint64 // the payload
}

// DataType is DLDataType, 4 bytes.
type DataType struct {
	Code  uint8
	Bits  uint8
	Lanes uint16
}

// Device is DLDevice, 8 bytes.
type Device struct {
	Type int32
	ID   int32
}

// None returns the canonical empty value.
func None() Any { return Any{} }

// Int makes an integer value.
func Int(v int64) Any { return Any{TypeIndex: IndexInt, Bits: uint64(v)} }

// Bool makes a boolean value; its payload is exactly 0 or 1.
func Bool(v bool) Any {
	a := Any{TypeIndex: IndexBool}
	if v {
		a.Bits = 1
	}
	return a
}

// Float makes a floating-point value.
func Float(v float64) Any { return Any{TypeIndex: IndexFloat, Bits: math.Float64bits(v)} }

// OpaquePtr makes an opaque pointer value; nothing is owned.
func OpaquePtr(p unsafe.Pointer) Any {
	return Any{TypeIndex: IndexOpaquePtr, Bits: uint64(uintptr(p))}
}

// DataTypeValue makes a data type value.
func DataTypeValue(t DataType) Any {
	return Any{TypeIndex: IndexDataType, Bits: uint64(t.Code) | uint64(t.Bits)<<8 | uint64(t.Lanes)<<16}
}

// DeviceValue makes a device value.
func DeviceValue(d Device) Any {
	return Any{TypeIndex: IndexDevice, Bits: uint64(uint32(d.Type)) | uint64(uint32(d.ID))<<32}
}

// ObjectValue makes a value of an object handle without changing its counts: an owned value takes over the caller's
// reference, a view borrows it. A nil handle gives None.
func ObjectValue(handle unsafe.Pointer) Any {
	if handle == nil {
		return Any{}
	}
	return Any{TypeIndex: (*Object)(handle).TypeIndex, Bits: uint64(uintptr(handle))}
}

// IsObject says whether the value points to an object.
func (a Any) IsObject() bool { return a.TypeIndex >= IndexStaticObjectBegin }

// Int64 reads the payload of an int or a bool.
func (a Any) Int64() int64 { return int64(a.Bits) }

// Float64 reads the payload of a float.
func (a Any) Float64() float64 { return math.Float64frombits(a.Bits) }

// Pointer reads the payload of any value that is a pointer.
func (a Any) Pointer() unsafe.Pointer {
	// Read through memory: the payload is a C address, to which vet's rule for Go pointers does not apply.
	return *(*unsafe.Pointer)(unsafe.Pointer(&a.Bits))
}

// DataType reads the payload of a data type.
func (a Any) DataType() DataType {
	return DataType{Code: uint8(a.Bits), Bits: uint8(a.Bits >> 8), Lanes: uint16(a.Bits >> 16)}
}

// Device reads the payload of a device.
func (a Any) Device() Device {
	return Device{Type: int32(uint32(a.Bits)), ID: int32(uint32(a.Bits >> 32))}
}
