package abi

import "unsafe"

// ByteArray is TVMFFIByteArray, 16 bytes: borrowed bytes.
type ByteArray struct {
	Data unsafe.Pointer
	Size uintptr
}

// Bytes views the bytes without copying. The view is valid as long as the bytes' owner keeps them.
func (b *ByteArray) Bytes() []byte {
	if b == nil || b.Data == nil || b.Size == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(b.Data), b.Size)
}

// String copies the bytes into a Go string.
func (b *ByteArray) String() string { return string(b.Bytes()) }

// SmallMax is the longest content of a small string or small bytes.
const SmallMax = 7

// SmallStr packs a string of at most SmallMax bytes into a value; ok is false when it is longer.
func SmallStr(s string) (a Any, ok bool) { return small(IndexSmallStr, s) }

// SmallBytes packs at most SmallMax bytes into a value; ok is false when there are more.
func SmallBytes(b []byte) (a Any, ok bool) {
	return small(IndexSmallBytes, unsafe.String(unsafe.SliceData(b), len(b)))
}

func small(index int32, s string) (Any, bool) {
	if len(s) > SmallMax {
		return Any{}, false
	}
	a := Any{TypeIndex: index, Len: uint32(len(s))}
	for i := 0; i < len(s); i++ {
		a.Bits |= uint64(s[i]) << (8 * i)
	}
	return a, true
}

// Content views the bytes of a string or bytes value: small ones, heap objects, and the two kinds of borrowed view
// (RawStr, ByteArrayPtr). isBytes tells the two families apart. ok is false for any other value.
//
// The result is valid while *a is not moved or changed and its object lives: a small value's bytes lie in *a.
func (a *Any) Content() (content []byte, isBytes, ok bool) {
	switch a.TypeIndex {
	case IndexSmallStr, IndexSmallBytes:
		n := a.Len
		if n > SmallMax {
			n = SmallMax
		}
		return unsafe.Slice((*byte)(unsafe.Pointer(&a.Bits)), n), a.TypeIndex == IndexSmallBytes, true
	case IndexStr, IndexBytes:
		body := (*ByteArray)(unsafe.Add(a.Pointer(), BodyOffset))
		return body.Bytes(), a.TypeIndex == IndexBytes, true
	case IndexRawStr:
		return cString(a.Pointer()), false, true
	case IndexByteArrayPtr:
		return (*ByteArray)(a.Pointer()).Bytes(), true, true
	}
	return nil, false, false
}

// Text copies the content of a string value (SmallStr, Str or RawStr); ok is false for any other.
func (a *Any) Text() (s string, ok bool) {
	content, isBytes, ok := a.Content()
	if !ok || isBytes {
		return "", false
	}
	return string(content), true
}

// LentValues is SelfsameLentValues: scalars of a list or dict, valid during the call that they are an argument of.
type LentValues struct {
	First *Any
	Count int64
}

// Views returns the values. The Len of a RawStr among them is its size.
func (l *LentValues) Views() []Any { return unsafe.Slice(l.First, l.Count) }

// LentContent does Content's work for one of the values.
func (a *Any) LentContent() (content []byte, isBytes, ok bool) {
	if a.TypeIndex == IndexRawStr {
		return unsafe.Slice((*byte)(a.Pointer()), a.Len), false, true
	}
	return a.Content()
}

// LentText does Text's work for one of the values.
func (a *Any) LentText() (s string, ok bool) {
	content, isBytes, ok := a.LentContent()
	if !ok || isBytes {
		return "", false
	}
	return string(content), true
}

func cString(p unsafe.Pointer) []byte {
	if p == nil {
		return nil
	}
	n := 0
	for *(*byte)(unsafe.Add(p, n)) != 0 {
		n++
	}
	return unsafe.Slice((*byte)(p), n)
}
