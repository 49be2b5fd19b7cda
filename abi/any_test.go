package abi

import (
	"math"
	"strings"
	"testing"
	"unsafe"
)

// Canonical values and small strings.
// Requirement: A3
func TestSmallStrings(t *testing.T) {
	for _, s := range []string{"", "a", "sevench", "a\x00b", "\xff\xfe"} {
		v, ok := SmallStr(s)
		if !ok || v.TypeIndex != IndexSmallStr || int(v.Len) != len(s) {
			t.Fatalf("SmallStr(%q) = %+v, %v", s, v, ok)
		}
		if got, ok := v.Text(); !ok || got != s {
			t.Errorf("SmallStr(%q).Text() = %q, %v", s, got, ok)
		}
		if rest := v.Bits >> (8 * len(s)); len(s) < 8 && rest != 0 {
			t.Errorf("SmallStr(%q) leaves %#x behind its content", s, rest)
		}
		b, ok := SmallBytes([]byte(s))
		content, isBytes, known := b.Content()
		if !ok || !isBytes || !known || string(content) != s {
			t.Errorf("SmallBytes(%q) = %+v, content %q", s, b, content)
		}
		if _, isText := b.Text(); isText {
			t.Errorf("SmallBytes(%q) passes for a string", s)
		}
	}
	for _, s := range []string{"eightchr", strings.Repeat("x", 100)} {
		if v, ok := SmallStr(s); ok {
			t.Errorf("SmallStr(%q) = %+v", s, v)
		}
	}
}

// Requirement: A3
func TestContentOfViews(t *testing.T) {
	raw := []byte("raw text\x00rest")
	view := Any{TypeIndex: IndexRawStr, Bits: uint64(uintptr(unsafe.Pointer(&raw[0])))}
	if s, ok := view.Text(); !ok || s != "raw text" {
		t.Errorf("RawStr reads as %q, %v", s, ok)
	}
	array := ByteArray{unsafe.Pointer(&raw[0]), uintptr(len(raw))}
	view = Any{TypeIndex: IndexByteArrayPtr, Bits: uint64(uintptr(unsafe.Pointer(&array)))}
	if b, isBytes, ok := view.Content(); !ok || !isBytes || string(b) != string(raw) {
		t.Errorf("ByteArrayPtr reads as %q", b)
	}
	number := Int(3)
	if _, _, ok := number.Content(); ok {
		t.Error("an int has no content")
	}
}

// Requirement: A3
func TestConstructors(t *testing.T) {
	cases := []struct {
		name string
		got  Any
		want Any
	}{
		{"None", None(), Any{}},
		{"Int", Int(-2), Any{IndexInt, 0, 0xFFFFFFFFFFFFFFFE}},
		{"Bool", Bool(true), Any{IndexBool, 0, 1}},
		{"Float", Float(1), Any{IndexFloat, 0, 0x3FF0000000000000}},
		{"DataType", DataTypeValue(DataType{2, 32, 4}), Any{IndexDataType, 0, 0x42002}},
		{"Device", DeviceValue(Device{2, -1}), Any{IndexDevice, 0, 0xFFFFFFFF00000002}},
		{"ObjectValue(nil)", ObjectValue(nil), Any{}},
	}
	for _, c := range cases {
		if c.got != c.want {
			t.Errorf("%s is %+v, want %+v", c.name, c.got, c.want)
		}
	}
	if v := Float(math.Inf(-1)); v.Float64() != math.Inf(-1) {
		t.Errorf("Float64 reads %v", v.Float64())
	}
	if d := DataTypeValue(DataType{2, 32, 4}); d.DataType() != (DataType{2, 32, 4}) {
		t.Errorf("DataType reads %+v", d.DataType())
	}
	if d := DeviceValue(Device{2, -1}); d.Device() != (Device{2, -1}) {
		t.Errorf("Device reads %+v", d.Device())
	}
}

// The reference counts as Go sees them.
// Requirement: A2
func TestCounts(t *testing.T) {
	o := &Object{Counts: CountsNew, TypeIndex: IndexObject}
	h := unsafe.Pointer(o)
	IncRef(h)
	if StrongCount(h) != 2 || WeakCount(h) != 1 {
		t.Errorf("after IncRef: strong %d, weak %d", StrongCount(h), WeakCount(h))
	}
	if !TryPromote(h) || StrongCount(h) != 3 {
		t.Errorf("promotion of a live object: strong %d", StrongCount(h))
	}
	o.Counts = 3 * WeakOne
	if TryPromote(h) || o.Counts != 3*WeakOne {
		t.Error("a dead object was promoted")
	}
	v := ObjectValue(h)
	if v.Pointer() != h || !v.IsObject() || TypeIndexOf(h) != IndexObject {
		t.Errorf("ObjectValue is %+v", v)
	}
}

func TestColumnLookup(t *testing.T) {
	data := []Any{Int(1), {}, Int(3)}
	c := &TypeAttrColumn{Data: unsafe.Pointer(&data[0]), Size: 3, BeginIndex: 10}
	for index, want := range map[int32]Any{9: {}, 10: Int(1), 11: {}, 12: Int(3), 13: {}, -1: {}} {
		if got := c.Lookup(index); got != want {
			t.Errorf("Lookup(%d) = %+v, want %+v", index, got, want)
		}
	}
	var none *TypeAttrColumn
	if got := none.Lookup(3); got != (Any{}) {
		t.Errorf("no column gives %+v", got)
	}
}
