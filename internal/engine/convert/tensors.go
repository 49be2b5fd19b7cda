package convert

import (
	"math"
	"reflect"
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Where a slice of numbers or bools is expected, a Tensor of one dimension in memory that the CPU can read, such as a NumPy
// array, is accepted. Elements of the slice's own type are copied together; others convert one by one, as those of a list. A
// slice of slices is copied from a Tensor of as many dimensions, row by row, and Go arrays likewise.

// IsNumber reports whether a conversion is that of a type of numbers, or of bool, whose slices accept a Tensor.
func IsNumber(inner *Conv) bool {
	switch inner.GoType.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Bool:
		return inner.GoType.PkgPath() == "" // a type with a name may have a conversion of its own, as time.Duration has
	}
	return false
}

// TensorIn returns the tensor of a Tensor object or of a lent DLTensor; ok is false for any other value. The value owns it.
func TensorIn(v *abi.Any) (tensor *abi.DLTensor, ok bool) {
	switch v.TypeIndex {
	case abi.IndexTensor:
		return abi.TensorOf(v.Pointer()), true
	case abi.IndexDLTensorPtr:
		tensor = (*abi.DLTensor)(v.Pointer())
		return tensor, tensor != nil
	}
	return nil, false
}

// LentTensor names a tensor for the time of a call, in the size of a pointer: the address of the tensor, one byte further when
// its memory must not be written.
type LentTensor struct {
	at unsafe.Pointer
}

// Lent returns the name of a tensor that TensorIn has found in a value.
func Lent(v *abi.Any, tensor *abi.DLTensor) LentTensor {
	if v.TypeIndex == abi.IndexTensor && handles.IsReadOnlyTensor(v.Pointer()) {
		return LentTensor{unsafe.Add(unsafe.Pointer(tensor), 1)}
	}
	return LentTensor{unsafe.Pointer(tensor)}
}

// Tensor returns the tensor, nil for the zero LentTensor.
func (t LentTensor) Tensor() *abi.DLTensor {
	if t.ReadOnly() {
		return (*abi.DLTensor)(unsafe.Add(t.at, -1))
	}
	return (*abi.DLTensor)(t.at)
}

// ReadOnly reports whether the memory must not be written.
func (t LentTensor) ReadOnly() bool { return uintptr(t.at)&1 != 0 }

// HasMemory reports whether a tensor has memory or needs none. PyTorch's fake tensors have elements, but no memory.
func HasMemory(tensor *abi.DLTensor) bool {
	return tensor.Data != nil || slices.Contains(tensor.Extents(), 0)
}

// NoMemory returns the error for a tensor that has no memory. Its message begins with where.
func NoMemory(where string, tensor *abi.DLTensor) error {
	return fault.New("ValueError", "%sexpected a tensor with memory, got one of shape %v without", where, tensor.Extents())
}

// AdjacentNumbers returns the n elements of a tensor of one dimension that lie side by side in memory which the CPU can read,
// have the data type and are aligned for it. ok is false for all other values. The value owns the elements.
func AdjacentNumbers(v *abi.Any, elements abi.DataType) (first unsafe.Pointer, n int, ok bool) {
	tensor, ok := TensorIn(v)
	if !ok {
		return nil, 0, false
	}
	return adjacentNumbers(tensor, elements)
}

func adjacentNumbers(tensor *abi.DLTensor, elements abi.DataType) (first unsafe.Pointer, n int, ok bool) {
	if tensor.DType != elements || tensor.NDim != 1 || tensor.Shape == nil || !onCPU(tensor) {
		return nil, 0, false
	}
	n = int(tensor.Extents()[0])
	if n < 0 || n > maxElements || n > 0 && tensor.Data == nil {
		return nil, 0, false
	}
	if steps := tensor.Steps(); n > 1 && steps != nil && steps[0] != 1 {
		return nil, 0, false
	}
	if n == 0 {
		return unsafe.Pointer(&emptySlice), 0, true
	}
	first = unsafe.Add(tensor.Data, tensor.ByteOffset)
	return first, n, uintptr(first)%uintptr(elements.Bits/8) == 0
}

// emptySlice is where a slice without elements begins, since a tensor without elements may have no address.
var emptySlice uint64

// maxElements is more than a process has memory for, and few enough for the number of their bytes.
const maxElements = 1 << 48

func onCPU(tensor *abi.DLTensor) bool {
	switch tensor.Device.Type {
	case abi.DeviceCPU, abi.DeviceCUDAHost, abi.DeviceROCMHost:
		return true
	}
	return false
}

// SliceHeader is the layout of a slice of any type.
type SliceHeader struct {
	First    unsafe.Pointer
	Len, Cap int
}

// copyElements copies n elements of a number type, of a number of bytes each, into memory of Go.
func copyElements(first unsafe.Pointer, n int, size uintptr) SliceHeader {
	elements := unsafe.Slice((*byte)(first), n*int(size))
	copied := make([]byte, len(elements)) // the compiler makes one step of these lines, which does not clear the memory first
	copy(copied, elements)
	return SliceHeader{unsafe.Pointer(unsafe.SliceData(copied)), n, n}
}

// Vector has the numbers of a tensor of one dimension. The tensor owns them.
type Vector struct {
	Len    int
	adjoin bool // the elements lie side by side
	from   unsafe.Pointer
	step   int // bytes from one element to the next
	read   func(unsafe.Pointer) (abi.Any, bool)
}

// VectorOf returns the numbers of a tensor, which must have one dimension and lie in memory that the CPU can read.
func VectorOf(tensor *abi.DLTensor) (v Vector, err error) {
	extents, steps := tensor.Extents(), tensor.Steps()
	if !onCPU(tensor) {
		return v, fault.New("ValueError", "expected a tensor in memory that the CPU can read, got one on %s", tensor.Device)
	}
	if len(extents) != 1 || extents[0] < 0 {
		return v, fault.New("ValueError", "expected a tensor of one dimension, got shape %v", extents)
	}
	read, ok := elementReaders[tensor.DType]
	if !ok {
		return v, fault.New("TypeError", "expected a tensor of numbers, got one of %s", tensor.DType)
	}
	n, size, step := int(extents[0]), int(tensor.DType.Bits)/8, 1
	if steps != nil && n > 1 {
		step = int(steps[0])
	}
	if !HasMemory(tensor) {
		return v, NoMemory("", tensor)
	}
	if n > maxElements {
		return v, fault.New("ValueError", "expected a tensor that fits into memory, got one of %d elements", n)
	}
	v = Vector{Len: n, adjoin: step == 1, step: step * size, read: read}
	if n > 0 { // without elements there may be no memory
		v.from = unsafe.Add(tensor.Data, tensor.ByteOffset)
	}
	return v, nil
}

// At returns an element.
func (v *Vector) At(i int) (abi.Any, error) {
	element, ok := v.read(unsafe.Add(v.from, i*v.step))
	if !ok {
		return element, AtIndex("Array", i, fault.New("OverflowError", "the number does not fit into 64 bits with a sign"))
	}
	return element, nil
}

// maxRepeated is the most bytes that a slice gets of a tensor whose extents say nothing of the memory behind it: it shows elements
// several times, as one that was broadcast, or has none. Without a limit, a process would end when such a slice is allocated.
const maxRepeated = 1 << 30

// checkSize returns an error for such a tensor that is too large for slices with elements of a size in bytes.
func checkSize(tensor *abi.DLTensor, size uintptr) error {
	steps, repeats := tensor.Steps(), false
	bytes := uint64(max(size, 1))
	for i, extent := range tensor.Extents() {
		repeats = repeats || extent == 0 || steps != nil && extent > 1 && steps[i] == 0
		if n := uint64(max(extent, 1)); bytes <= maxRepeated {
			bytes *= min(n, maxRepeated+1)
		}
	}
	if repeats && bytes > maxRepeated {
		return fault.New("ValueError", "expected a tensor that fits into memory, got one of shape %v, without memory for each element",
			tensor.Extents())
	}
	return nil
}

// copyTensor is how the elements of a tensor become a Go value.
type copyTensor struct {
	dims  int // of the tensor
	store func(tensor *abi.DLTensor, dst unsafe.Pointer) error
	ofAny bool // the elements become values of type any, which a list must not lend as numbers of one type
}

// AcceptsArrays reports whether From copies tensors, such as arrays of NumPy, and lists as if they were one.
func (c *Conv) AcceptsArrays() bool { return c.tensor != nil && !c.tensor.ofAny }

// from stores at dst what is copied of a tensor.
func (c *copyTensor) from(tensor *abi.DLTensor, dst unsafe.Pointer) error {
	if n := len(tensor.Extents()); n != c.dims && c.dims > 1 {
		return fault.New("ValueError", "expected an array of %d dimensions, got one of shape %v", c.dims, tensor.Extents())
	}
	return c.store(tensor, dst)
}

// tensorAnys stores at dst a slice of type t, whose elements have the conversion of an any, with the numbers of a tensor.
func tensorAnys(t reflect.Type, inner *Conv, tensor *abi.DLTensor, dst unsafe.Pointer) error {
	numbers, err := VectorOf(tensor)
	if err == nil {
		err = checkSize(tensor, t.Elem().Size())
	}
	if err != nil {
		return err
	}
	out := reflect.MakeSlice(t, numbers.Len, numbers.Len)
	for i := range numbers.Len {
		number, err := numbers.At(i)
		if err != nil {
			return err
		}
		if err := inner.From(&number, out.Index(i).Addr().UnsafePointer()); err != nil {
			return AtIndex("Array", i, err)
		}
	}
	reflect.NewAt(t, dst).Elem().Set(out)
	return nil
}

// tensorRows stores at dst a slice of type t with the rows of a tensor of several dimensions, which rows copies.
func tensorRows(t reflect.Type, rows *copyTensor, tensor *abi.DLTensor, dst unsafe.Pointer) error {
	extents, steps := tensor.Extents(), tensor.Steps()
	if err := checkSize(tensor, max(t.Elem().Size(), 8)); err != nil {
		return err
	}
	if extents[0] < 0 || extents[0] > maxElements {
		return fault.New("ValueError", "expected a tensor that fits into memory, got shape %v", extents)
	}
	n, step := int(extents[0]), 1
	row := *tensor
	row.NDim--
	row.Shape = unsafe.Pointer(unsafe.SliceData(extents[1:]))
	if steps != nil {
		step = int(steps[0])
		row.Strides = unsafe.Pointer(unsafe.SliceData(steps[1:]))
	} else {
		for _, extent := range extents[1:] {
			step *= int(extent)
		}
	}
	step *= int(tensor.DType.Bits) * int(tensor.DType.Lanes) / 8
	out := reflect.MakeSlice(t, n, n)
	to := out.UnsafePointer()
	for i := range n {
		if tensor.Data != nil {
			row.Data = unsafe.Add(tensor.Data, i*step)
		}
		if err := rows.from(&row, unsafe.Add(to, uintptr(i)*t.Elem().Size())); err != nil {
			return AtIndex("Array", i, err)
		}
	}
	reflect.NewAt(t, dst).Elem().Set(out)
	return nil
}

// tensorSlice stores at dst a slice of type t with copies of the elements of a tensor.
func tensorSlice(t reflect.Type, inner *Conv, tensor *abi.DLTensor, dst unsafe.Pointer) error {
	v, err := VectorOf(tensor)
	if err != nil {
		return err
	}
	if err := checkSize(tensor, t.Elem().Size()); err != nil {
		return err
	}
	if v.Len > 0 && v.adjoin && tensor.DType == DataTypeOf(t.Elem()) && tensor.DType.Code != abi.CodeBool {
		*(*SliceHeader)(dst) = copyElements(v.from, v.Len, uintptr(v.step))
		return nil
	}
	out := reflect.MakeSlice(t, v.Len, v.Len)
	if err := v.convert(inner, out.UnsafePointer(), int(t.Elem().Size())); err != nil {
		return err
	}
	reflect.NewAt(t, dst).Elem().Set(out)
	return nil
}

// convert stores the numbers side by side from an address on, by the conversion of an element of a size in bytes.
func (v *Vector) convert(inner *Conv, to unsafe.Pointer, size int) error {
	const most = 256 // values that fit into the processor's nearest cache
	var block []abi.Any
	if inner.Leading != nil {
		block = make([]abi.Any, min(v.Len, most))
	}
	for i := 0; i < v.Len; {
		if n := min(len(block), v.Len-i); n > 0 {
			done := inner.Leading(block[:v.fill(block[:n], i)], unsafe.Add(to, i*size))
			if i += done; done < n {
				block = nil // the others may be like this one
			}
			continue
		}
		element, err := v.At(i)
		if err != nil {
			return err
		}
		if err := inner.From(&element, unsafe.Add(to, i*size)); err != nil {
			return AtIndex("Array", i, err)
		}
		i++
	}
	return nil
}

// fill reads elements from number i on into block, up to one that no value holds. It returns how many.
func (v *Vector) fill(block []abi.Any, i int) int {
	for j := range block {
		element, ok := v.read(unsafe.Add(v.from, (i+j)*v.step))
		if !ok {
			return j
		}
		block[j] = element
	}
	return len(block)
}

// ReadElement reads a number of a data type that Go has, as the element of a tensor. It returns false for a number that no value
// holds.
func ReadElement(t abi.DataType, at unsafe.Pointer) (abi.Any, bool) { return elementReaders[t](at) }

// elementReaders are the funcs that read an element of a tensor, for the data types of numbers that Go has. Such a func returns
// false for a number that no value holds.
var elementReaders = map[abi.DataType]func(unsafe.Pointer) (abi.Any, bool){
	dataTypeFor[int8]():   readInt[int8],
	dataTypeFor[int16]():  readInt[int16],
	dataTypeFor[int32]():  readInt[int32],
	dataTypeFor[int64]():  readInt[int64],
	dataTypeFor[uint8]():  readInt[uint8],
	dataTypeFor[uint16](): readInt[uint16],
	dataTypeFor[uint32](): readInt[uint32],
	dataTypeFor[uint64](): func(p unsafe.Pointer) (abi.Any, bool) {
		n := *(*uint64)(p)
		return abi.Int(int64(n)), n <= math.MaxInt64
	},
	dataTypeFor[float32](): func(p unsafe.Pointer) (abi.Any, bool) { return abi.Float(float64(*(*float32)(p))), true },
	dataTypeFor[float64](): func(p unsafe.Pointer) (abi.Any, bool) { return abi.Float(*(*float64)(p)), true },
	dataTypeFor[bool]():    func(p unsafe.Pointer) (abi.Any, bool) { return abi.Bool(*(*uint8)(p) != 0), true },
}

func readInt[E int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](p unsafe.Pointer) (abi.Any, bool) {
	return abi.Int(int64(*(*E)(p))), true
}
