package selfsame_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// Tests of arguments that only C callers pass: borrowed views of C strings and byte arrays, references to be moved, and
// wrong pointers.

// rawValues pins Go memory that the tests use as C memory.
type rawValues struct{ pins runtime.Pinner }

func (r *rawValues) str(s string) abi.Any {
	b := append([]byte(s), 0)
	r.pins.Pin(&b[0])
	return abi.Any{TypeIndex: abi.IndexRawStr, Bits: uint64(uintptr(unsafe.Pointer(&b[0])))}
}

func (r *rawValues) bytes(b []byte) abi.Any {
	array := &abi.ByteArray{Size: uintptr(len(b))}
	if len(b) > 0 {
		r.pins.Pin(&b[0])
		array.Data = unsafe.Pointer(&b[0])
	}
	r.pins.Pin(array)
	return abi.Any{TypeIndex: abi.IndexByteArrayPtr, Bits: uint64(uintptr(unsafe.Pointer(array)))}
}

// moved returns a reference that the callee may take out of *slot.
func (r *rawValues) moved(slot *unsafe.Pointer) abi.Any {
	r.pins.Pin(slot)
	return abi.Any{TypeIndex: abi.IndexObjectRValueRef, Bits: uint64(uintptr(unsafe.Pointer(slot)))}
}

func fieldInfo(t *testing.T, typeIndex int32, name string) *abi.FieldInfo {
	t.Helper()
	fields := bridge.TypeInfo(typeIndex).OwnFields()
	for i := range fields {
		if fields[i].Name.String() == name {
			return &fields[i]
		}
	}
	t.Fatalf("no field %s", name)
	return nil
}

// errorText reads and releases an Error.
func errorText(failed unsafe.Pointer) string {
	if failed == nil {
		return "no error"
	}
	cell := abi.ErrorOf(failed)
	text := cell.Kind.String() + ": " + cell.Message.String()
	bridge.DecRef(failed)
	return text
}

func TestSettersTakeRawViews(t *testing.T) {
	balanced(t)
	var raw rawValues
	defer raw.pins.Unpin()
	h := EverythingClass.New(nil)
	object := unsafe.Pointer(h.Get())
	set := func(name string, v abi.Any) unsafe.Pointer {
		return bridge.SetField(fieldInfo(t, EverythingClass.TypeIndex(), name), object, v)
	}
	if failed := set("text", raw.str("a C string that is long")); failed != nil || h.Get().Text.Get() != "a C string that is long" {
		t.Errorf("text = %q, %s", h.Get().Text.Get(), errorText(failed))
	}
	if failed := set("raw", raw.bytes([]byte("bytes from C"))); failed != nil || string(h.Get().Raw.Get()) != "bytes from C" {
		t.Errorf("raw = %q, %s", h.Get().Raw.Get(), errorText(failed))
	}
	if failed := set("value", raw.str("short")); failed != nil || h.Get().Value.Get() != "short" {
		t.Errorf("value = %v, %s", h.Get().Value.Get(), errorText(failed))
	}
	const where = " (field `test.Everything."
	for _, c := range []struct {
		name string
		v    abi.Any
		want string
	}{
		{"text", raw.str("bad \xff"), "ValueError: The string is not UTF-8" + where + "text`)"},
		{"text", raw.str("\xed\xa0\x80"), "ValueError: The string is not UTF-8" + where + "text`)"},
		{"text", raw.str("\xc0\xaf"), "ValueError: The string is not UTF-8" + where + "text`)"},
		{"text", raw.str("\xf4\x90\x80\x80"), "ValueError: The string is not UTF-8" + where + "text`)"},
		{"text", raw.str("cut \xe2\x82"), "ValueError: The string is not UTF-8" + where + "text`)"},
		{"text", abi.Any{TypeIndex: abi.IndexRawStr}, "ValueError: A `const char*` is NULL" + where + "text`)"},
		{"raw", abi.Any{TypeIndex: abi.IndexByteArrayPtr}, "ValueError: A `TVMFFIByteArray*` is NULL or has no data" + where + "raw`)"},
		{"raw", raw.str("x"), "TypeError: Cannot convert from type `const char*` to `bytes`" + where + "raw`)"},
		{"i64", abi.Any{TypeIndex: 63}, "TypeError: Cannot convert from type `an unknown type` to `int`" + where + "i64`)"},
	} {
		if got := errorText(set(c.name, c.v)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if h.Get().Text.Get() != "a C string that is long" {
		t.Error("a refused value changed the field")
	}
	for _, text := range []string{"", "é", "\u20ac", "\U0001F600", "\U0010FFFF", "mixed é € 😀"} {
		if failed := set("text", raw.str(text)); failed != nil || h.Get().Text.Get() != text {
			t.Errorf("%q: %q, %s", text, h.Get().Text.Get(), errorText(failed))
		}
	}
	runtime.KeepAlive(h)
}

func TestMovedReferences(t *testing.T) {
	balanced(t)
	var raw rawValues
	defer raw.pins.Unpin()
	h := EverythingClass.New(nil)
	p := PointClass.New(nil)
	object := unsafe.Pointer(p.Get())
	slot := new(unsafe.Pointer)
	give := func() abi.Any {
		abi.IncRef(object)
		*slot = object
		return raw.moved(slot)
	}
	point := fieldInfo(t, EverythingClass.TypeIndex(), "point")
	ints := fieldInfo(t, EverythingClass.TypeIndex(), "ints")
	into := unsafe.Pointer(h.Get())
	if failed := bridge.SetField(point, into, give()); failed != nil || *slot != nil || h.Get().Point.Get() != p || p.UseCount() != 2 {
		t.Errorf("moved: slot %v, use count %d, %s", *slot, p.UseCount(), errorText(failed))
	}
	if got := errorText(bridge.SetField(point, into, raw.moved(slot))); !strings.HasPrefix(got, "ValueError: The object was moved already") {
		t.Errorf("moved twice: %s", got)
	}
	if got := errorText(bridge.SetField(ints, into, give())); !strings.Contains(got, "`geo.Point` to `Array<int>`") || *slot != object {
		t.Errorf("moved into a wrong field: %s, slot %v", got, *slot)
	}
	bridge.DecRef(*slot)

	f := must(selfsame.NewFunc(func(a *PointHandle, b *Point) bool { return a == p && a.Get() == b }))(t)
	frame := bridge.NewFrame()
	defer bridge.FreeFrame(frame)
	function := must(selfsame.NewFunc(func(g *selfsame.Function) *selfsame.Function { return g }))(t)
	_ = must(function.Call(f))(t)
	frame.Args[0], frame.Args[1] = give(), abi.ObjectValue(object)
	if failed := bridge.Call(addressOf(t, f), frame, nil, 2, false); failed != nil || frame.Result.Int64() != 1 {
		t.Errorf("moved argument: %v, %s", frame.Result, errorText(failed))
	}
	if *slot != nil { // the callee did not take the reference: the caller still owns it
		bridge.DecRef(*slot)
		*slot = nil
	}
	frame.Args[0] = raw.moved(slot)
	if got := errorText(bridge.Call(addressOf(t, f), frame, nil, 2, false)); !strings.Contains(got, "moved already") || !strings.Contains(got, "#0") {
		t.Errorf("moved argument twice: %s", got)
	}
	if p.UseCount() != 2 {
		t.Errorf("use count %d", p.UseCount())
	}
	runtime.KeepAlive(h)
}

func TestFunctionsTakeRawViews(t *testing.T) {
	balanced(t)
	var raw rawValues
	defer raw.pins.Unpin()
	f := must(selfsame.NewFunc(func(s string, b []byte, v any) string { return fmt.Sprint(s, string(b), v) }))(t)
	frame := bridge.NewFrame()
	defer bridge.FreeFrame(frame)
	frame.Args[0], frame.Args[1], frame.Args[2] = raw.str("from C, "), raw.bytes([]byte("bytes, ")), raw.str("any")
	if failed := bridge.Call(addressOf(t, f), frame, nil, 3, false); failed != nil {
		t.Fatal(errorText(failed))
	}
	if s, _ := frame.Result.Text(); s != "from C, bytes, any" {
		t.Errorf("result %q", s)
	}
	bridge.DecRef(frame.Result.Pointer())
	got := errorText(bridge.Call(addressOf(t, f), frame, nil, -1, false))
	if !strings.HasPrefix(got, "ValueError: selfsame: a Go function was called with a wrong array of arguments") {
		t.Errorf("negative count: %s", got)
	}
	runtime.KeepAlive(f)
}

// Many instantiations use up the numbered setters; later fields have Functions as setters.
type Many[K any] struct {
	selfsame.Object
	F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, FA, FB, FC, FD, FE, FF int8
	G0, G1, G2, G3, G4, G5, G6, G7, G8, G9, GA, GB, GC, GD, GE, GF int8
	H0, H1, H2, H3, H4, H5, H6, H7, H8, H9, HA, HB, HC, HD, HE, HF int8
	I0, I1, I2, I3, I4, I5, I6, I7, I8, I9, IA, IB, IC, ID, IE, IF int8
}

// Once: a class is registered for the life of the process.
var registerMany = sync.OnceValues(func() (*selfsame.Class[Many[[16]int]], error) {
	for i, register := range []func(key string, opts ...selfsame.ClassOption) error{
		reg[Many[[0]int]], reg[Many[[1]int]], reg[Many[[2]int]], reg[Many[[3]int]], reg[Many[[4]int]], reg[Many[[5]int]],
		reg[Many[[6]int]], reg[Many[[7]int]], reg[Many[[8]int]], reg[Many[[9]int]], reg[Many[[10]int]], reg[Many[[11]int]],
		reg[Many[[12]int]], reg[Many[[13]int]], reg[Many[[14]int]], reg[Many[[15]int]],
	} {
		if err := register(fmt.Sprintf("test.Many%d", i)); err != nil {
			return nil, err
		}
	}
	return selfsame.Register[Many[[16]int]]("test.Many16")
})

func TestMoreFieldsThanNumberedSetters(t *testing.T) {
	class := must(registerMany())(t)
	h := class.New(nil)
	if err := selfsame.SetField(h, "if", 100); err != nil || h.Get().IF != 100 {
		t.Errorf("set: %v, %d", err, h.Get().IF)
	}
	wantError(t, selfsame.SetField(h, "if", 1000), "OverflowError", "does not fit in int8 (-128 to 127) (field `test.Many16.if`)")
	if fieldInfo(t, class.TypeIndex(), "if").Flags&abi.FlagSetterIsFunctionObj == 0 {
		t.Error("the numbered setters are not used up")
	}
}
