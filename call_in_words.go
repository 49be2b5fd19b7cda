package selfsame

import (
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/regcall"
)

// The funcs that are called most take and return numbers and objects only. Their arguments go from the values of the ABI
// into registers without an argument frame (internal/regcall).

// callWithWords is nil for a func with other arguments or results. other serves the calls whose arguments have to be
// converted, or are wrong.
func callWithWords(fn reflect.Value, sig *signature, other invoker) invoker {
	if !onlyWords(sig) {
		return nil
	}
	direct := regcall.Of(fn)
	if direct == nil || !direct.OneWordEach() {
		return nil
	}
	returnsPointer := direct.ReturnsPointer()
	return func(args []abi.Any, result *abi.Any) error {
		var words regcall.Words
		var held [regcall.NumInts]unsafe.Pointer // the handles among the ints
		if !argumentWords(sig.params, args, &words, &held) {
			return other(args, result)
		}
		var out struct {
			word    uint64
			pointer unsafe.Pointer
		}
		to := unsafe.Pointer(&out.word)
		if returnsPointer {
			to = unsafe.Pointer(&out.pointer)
		}
		err := direct.Call(&words, to)
		runtime.KeepAlive(&held)
		if err != nil {
			return err
		}
		return resultWord(sig.result, out.word, out.pointer, result)
	}
}

// onlyWords says whether all that a func takes and returns is one word that needs no conversion in most calls.
func onlyWords(sig *signature) bool {
	for _, c := range sig.params {
		switch c.fast {
		case fastInt64, fastFloat64, fastBool, fastBorrowed, fastHandle:
		default:
			return false
		}
	}
	if sig.result == nil {
		return true
	}
	switch sig.result.fast {
	case fastInt64, fastFloat64, fastBool, fastHandle:
		return true
	}
	return false
}

// argumentWords reads the arguments; false: one of them needs a conversion, or is wrong.
func argumentWords(params []*conv, args []abi.Any, w *regcall.Words, held *[regcall.NumInts]unsafe.Pointer) bool {
	ints, floats := 0, 0
	for k, c := range params {
		v := &args[k]
		switch c.fast {
		case fastFloat64:
			if v.TypeIndex != abi.IndexFloat {
				return false
			}
			w.Floats[floats] = v.Float64()
			floats++
			continue
		case fastInt64:
			if v.TypeIndex != abi.IndexInt {
				return false
			}
			w.Ints[ints] = v.Bits
		case fastBool:
			if v.TypeIndex != abi.IndexBool {
				return false
			}
			if v.Bits != 0 {
				w.Ints[ints] = 1
			}
		case fastBorrowed:
			if !v.IsObject() || !c.classes[0].isInstance(v.TypeIndex) {
				return false
			}
			w.Ints[ints] = v.Bits
		default:
			if !v.IsObject() || !c.handleOf.isInstance(v.TypeIndex) {
				return false
			}
			held[ints] = unsafe.Pointer(handles.Fetch(v.Pointer()))
			w.Ints[ints] = uint64(uintptr(held[ints]))
		}
		ints++
	}
	return true
}

// resultWord makes *v an owned value of a result, which is nil for none.
func resultWord(c *conv, word uint64, pointer unsafe.Pointer, v *abi.Any) error {
	if c == nil {
		*v = abi.None()
		return nil
	}
	switch c.fast {
	case fastHandle:
		if k := (*handles.State)(pointer); k != nil {
			if object := k.Address(); object != nil {
				abi.IncRef(object)
				runtime.KeepAlive(k)
				*v = abi.ObjectValue(object)
				return nil
			}
		}
		return resultByConv(c, pointer, v) // None, or the error of a handle that was released
	case fastBool:
		*v = abi.Bool(uint8(word) != 0)
	default:
		*v = abi.Any{TypeIndex: c.plain, Bits: word}
	}
	return nil
}

//go:noinline // so that only this needs memory for the pointer
func resultByConv(c *conv, pointer unsafe.Pointer, v *abi.Any) error {
	return c.to(unsafe.Pointer(&pointer), v)
}
