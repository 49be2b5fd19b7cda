package selfsame

import (
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/regcall"
)

// Funcs that take and return only numbers, text and objects are called without an argument frame: their arguments go from the
// values of the ABI directly into registers (internal/regcall).

// callWithWords returns an invoker that passes arguments as words, or nil when a parameter or result is something other than
// a number, an object or text. The invoker falls back to other when an argument needs a conversion or has a wrong type.
func callWithWords(fn reflect.Value, sig *signature, other invoker) invoker {
	if !onlyWords(sig) {
		return nil
	}
	direct := regcall.Of(fn)
	if direct == nil {
		return nil
	}
	var kind fastKind
	if sig.result != nil {
		kind = sig.result.fast
	}
	return func(args []abi.Any, result *abi.Any) error {
		var words regcall.Words
		var held [regcall.NumInts]unsafe.Pointer // the handles among words.Ints, for the garbage collector
		if !argumentWords(sig.params, args, &words, &held) {
			return other(args, result)
		}
		var out resultMemory
		to := unsafe.Pointer(&out.word)
		switch kind {
		case fastHandle:
			to = unsafe.Pointer(&out.pointer)
		case fastString:
			to = unsafe.Pointer(&out.text)
		case fastBytes:
			to = unsafe.Pointer(&out.bytes)
		}
		err := direct.Call(&words, to)
		runtime.KeepAlive(&held)
		if err != nil {
			return err
		}
		if err := resultWord(sig.result, &out, result); err != nil {
			return sig.returned(err)
		}
		return nil
	}
}

// resultMemory has a place for each kind of result.
type resultMemory struct {
	word    uint64
	pointer unsafe.Pointer
	text    string
	bytes   []byte
}

// onlyWords says whether each parameter and the result of a func is words that usually need no conversion.
func onlyWords(sig *signature) bool {
	for _, c := range sig.params {
		switch c.fast {
		case fastInt64, fastFloat64, fastBool, fastBorrowed, fastHandle, fastString, fastBytes, fastLent,
			fastNumbers, fastLentNumbers:
		default:
			return false
		}
	}
	if sig.result == nil {
		return true
	}
	switch sig.result.fast {
	case fastInt64, fastFloat64, fastBool, fastHandle, fastString, fastBytes:
		return true
	}
	return false
}

// argumentWords stores the borrowed arguments in w. In held it stores the pointers among them, to handles and to the
// memory of text, where Go's collector sees them. It returns false when an argument needs a conversion or has a wrong
// type.
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
		case fastString:
			s, ok := v.Text()
			if !ok {
				return false
			}
			held[ints] = unsafe.Pointer(unsafe.StringData(s))
			w.Ints[ints], w.Ints[ints+1] = uint64(uintptr(held[ints])), uint64(len(s))
			ints++
		case fastBytes, fastLent:
			copies := copiedBytes
			if c.fast == fastLent {
				copies = lentBytes
			}
			b, ok := copies(v)
			if !ok {
				return false
			}
			held[ints] = unsafe.Pointer(unsafe.SliceData(b))
			w.Ints[ints], w.Ints[ints+1], w.Ints[ints+2] = uint64(uintptr(held[ints])), uint64(len(b)), uint64(cap(b))
			ints += 2
		case fastNumbers, fastLentNumbers:
			first, n, ok := adjacentNumbers(v, c.elements)
			if !ok {
				return false
			}
			if c.fast == fastNumbers {
				first = copyElements(first, n, uintptr(c.elements.Bits/8)).first
			}
			held[ints] = first
			w.Ints[ints], w.Ints[ints+1], w.Ints[ints+2] = uint64(uintptr(first)), uint64(n), uint64(n)
			ints += 2
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

// resultWord makes *v an owned value of a result. c is nil for no result.
func resultWord(c *conv, out *resultMemory, v *abi.Any) error {
	if c == nil {
		*v = abi.None()
		return nil
	}
	switch c.fast {
	case fastString:
		return putText(out.text, v)
	case fastBytes:
		return putBytes(out.bytes, v)
	case fastHandle:
		if k := (*handles.State)(out.pointer); k != nil {
			if object := k.Address(); object != nil {
				abi.IncRef(object)
				runtime.KeepAlive(k)
				*v = abi.ObjectValue(object)
				return nil
			}
		}
		return resultByConv(c, out.pointer, v) // None, or the error of a handle that was released
	case fastBool:
		*v = abi.Bool(uint8(out.word) != 0)
	default:
		*v = abi.Any{TypeIndex: c.plain, Bits: out.word}
	}
	return nil
}

//go:noinline // only this function moves the pointer to the heap
func resultByConv(c *conv, pointer unsafe.Pointer, v *abi.Any) error {
	return c.to(unsafe.Pointer(&pointer), v)
}
