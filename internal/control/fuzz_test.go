package control

import (
	"encoding/binary"
	"math"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// notFuzzed are prefixes of functions that take addresses as numbers, load files, or change state that later inputs
// see.
var notFuzzed = []string{
	"ffi.FunctionFromExternC", "ffi.MakeFieldSetter", "ffi.FunctionRemoveGlobal", "ffi._RegisterFFIInit",
	"ffi._PyClassRegisterTypeAttrColumns", "ffi.Module", "ffi.SystemLib", "selfsame.", "ffi.load", "testing.", "concurrent.", "test.",
}

func fuzzedFunctions() []string {
	list := plane.Global("ffi.FunctionListGlobalNamesFunctor")
	defer plane.DecRef(list)
	all, ok := plane.Call(list, nil)
	if !ok {
		panic(takeRaised())
	}
	defer plane.Reset(&all)
	var names []string
next:
	for i := int64(0); ; i++ {
		value, ok := plane.Call(all.Pointer(), []abi.Any{abi.Int(i)})
		if !ok {
			takeRaised() // IndexError: there are no more
			return names
		}
		text, _ := value.Text()
		name := strings.Clone(text)
		plane.Reset(&value)
		for _, prefix := range notFuzzed {
			if strings.HasPrefix(name, prefix) {
				continue next
			}
		}
		names = append(names, name)
	}
}

// source makes values from the fuzzer's bytes, and from zeros when these are used up.
type source struct {
	data  []byte
	owned []abi.Any         // released at the end
	moves []*unsafe.Pointer // owned object pointers that rvalue references point to
	pin   runtime.Pinner
	size  int // number of values made, which is limited

	aliased bool // the same object was used twice
}

func (s *source) byte() byte {
	if len(s.data) == 0 {
		return 0
	}
	b := s.data[0]
	s.data = s.data[1:]
	return b
}

func (s *source) uint64() uint64 {
	var b [8]byte
	s.data = s.data[copy(b[:], s.data):]
	return binary.LittleEndian.Uint64(b[:])
}

func (s *source) text() string {
	n := min(int(s.byte())%40, len(s.data))
	t := string(s.data[:n])
	s.data = s.data[n:]
	return t
}

func (s *source) keep(a abi.Any) abi.Any {
	s.owned = append(s.owned, a)
	return a
}

// made calls a global function that makes a container of the next values.
func (s *source) made(function string, depth int) abi.Any {
	args := make([]abi.Any, int(s.byte())%5)
	for i := range args {
		args[i] = s.value(depth + 1)
	}
	handle := plane.Global(function)
	if handle == nil {
		return abi.None()
	}
	defer plane.DecRef(handle)
	result, ok := plane.Call(handle, args)
	if !ok {
		takeRaised()
		return abi.None()
	}
	return s.keep(result)
}

func (s *source) value(depth int) abi.Any {
	if s.size++; s.size > 100 || depth > 4 {
		return abi.None()
	}
	switch s.byte() % 23 {
	case 1:
		return abi.Int(int64(int8(s.byte())))
	case 2:
		return abi.Int(int64(s.uint64()))
	case 3:
		return abi.Bool(s.byte()&1 != 0)
	case 4:
		return abi.Float(math.Float64frombits(s.uint64()))
	case 5, 6:
		v, _ := plane.NewString(s.text())
		return s.keep(v)
	case 7: // a C string, up to the first zero byte
		text := append([]byte(s.text()), 0)
		s.pin.Pin(&text[0])
		return abi.Any{TypeIndex: abi.IndexRawStr, Bits: uint64(uintptr(unsafe.Pointer(&text[0])))}
	case 8:
		text := append([]byte(s.text()), 0)
		view := &abi.ByteArray{Data: unsafe.Pointer(&text[0]), Size: uintptr(len(text) - 1)}
		s.pin.Pin(&text[0])
		s.pin.Pin(view)
		return abi.Any{TypeIndex: abi.IndexByteArrayPtr, Bits: uint64(uintptr(unsafe.Pointer(view)))}
	case 9:
		return s.made("ffi.Array", depth)
	case 10:
		return s.made("ffi.List", depth)
	case 11:
		return s.made("ffi.Map", depth)
	case 12:
		return s.made("ffi.Dict", depth)
	case 13:
		return s.made("ffi.Shape", depth)
	case 14:
		return abi.DataTypeValue(abi.DataType{Code: s.byte(), Bits: s.byte(), Lanes: uint16(s.uint64())})
	case 15:
		return abi.DeviceValue(abi.Device{Type: int32(s.byte()), ID: int32(s.uint64())})
	case 16:
		return kwargsObject
	case 17:
		return invalidObject
	case 18:
		handle := plane.Global("ffi.ArraySize")
		return s.keep(abi.ObjectValue(handle))
	case 19: // an object to be moved from
		v := s.made("ffi.Array", depth)
		object := new(unsafe.Pointer)
		s.pin.Pin(object)
		s.moves = append(s.moves, object)
		if v.IsObject() {
			abi.IncRef(v.Pointer())
			*object = v.Pointer()
		}
		return abi.Any{TypeIndex: abi.IndexObjectRValueRef, Bits: uint64(uintptr(unsafe.Pointer(object)))}
	case 20:
		return abi.Any{TypeIndex: abi.IndexDLTensorPtr}
	case 21:
		return abi.Any{TypeIndex: int32(s.byte()%8) + abi.IndexSmallBytes + 2, Bits: s.uint64()}
	case 22: // a value that was made before
		if len(s.owned) > 0 {
			s.aliased = true
			return s.owned[int(s.byte())%len(s.owned)]
		}
	}
	return abi.None()
}

func (s *source) release() {
	for _, object := range s.moves {
		plane.DecRef(*object)
	}
	for i := len(s.owned) - 1; i >= 0; i-- {
		plane.Reset(&s.owned[i])
	}
	s.pin.Unpin()
}

// FuzzPackedCall calls every builtin function with arbitrary arguments: it must return a result or raise an error, not
// crash, and leak nothing.
func FuzzPackedCall(f *testing.F) {
	names := fuzzedFunctions()
	for i := range names {
		f.Add([]byte{byte(i)})
		f.Add([]byte{byte(i), 9, 2, 1, 5, 1, 200, 1, 0})
		f.Add([]byte{byte(i), 11, 4, 5, 3, 'k', 'e', 'y', 1, 2, 7, 12, 'l', 'o', 'n', 'g', 'e', 'r', ' ', 'a', 'g', 'a', 'i', 'n', 4, 5, 3, 'k', 'e', 'y'})
		f.Add([]byte{byte(i), 10, 3, 9, 2, 1, 1, 2, 1, 12, 2, 3, 1, 1, 4, 1, 2, 18, 3, 1})
		f.Add([]byte{byte(i), 5, 30, '{', '"', 'a', '"', ':', '[', '1', ',', 't', 'r', 'u', 'e', ']', '}', 0, 3, 1, 3, 0})
		f.Add([]byte{byte(i), 19, 1, 1, 5, 16, 17, 14, 2, 32, 1})
		f.Add([]byte{byte(i), 10, 2, 1, 1, 1, 2, 1, 0, 1, 1, 22, 0, 22, 0})
		f.Add([]byte{byte(i), 12, 2, 1, 1, 10, 0, 22, 1, 22, 0})
	}
	for _, input := range testenv.Corpus(f, "testdata/FuzzPackedCall.corpus") {
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		before := liveObjects()
		s := &source{data: data}
		name := names[int(s.byte())%len(names)]
		function := plane.Global(name)
		if function == nil {
			t.Skip("removed")
		}
		args := make([]abi.Any, 0, 4)
		for len(s.data) > 0 && len(args) < 6 {
			args = append(args, s.value(0))
		}
		callAndCheck(t, name, function, args)
		plane.DecRef(function)
		s.release()
		if s.aliased && storesInto(name) {
			return // a container may hold itself now, and nothing collects such a cycle here
		}
		for index, count := range liveObjects() {
			if count != before[index] {
				t.Errorf("%s: live objects of type %d: %d, before %d", name, index, count, before[index])
			}
		}
	})
}

func storesInto(name string) bool {
	switch name {
	case "ffi.ListAppend", "ffi.ListInsert", "ffi.ListSetItem", "ffi.ListReplaceSlice", "ffi.DictSetItem":
		return true
	}
	return false
}

func callAndCheck(t *testing.T, name string, function unsafe.Pointer, args []abi.Any) {
	t.Helper()
	result, ok := plane.Call(function, args)
	raised := plane.TakeRaised()
	switch {
	case ok && raised != nil:
		t.Errorf("%s succeeds and raises %s", name, abi.ErrorOf(raised).Message.String())
	case !ok && raised == nil:
		t.Errorf("%s fails without an error", name)
	}
	plane.DecRef(raised)
	if ok {
		plane.Reset(&result)
	}
}
