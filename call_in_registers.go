//go:build (amd64 || arm64) && !go1.27

package selfsame

import (
	"math"
	"reflect"
	"runtime"
	"unsafe"
)

// Calls of Go funcs without reflect.Value.Call, which costs several times the conversions of a typical call.
//
// Go passes the words of arguments in registers, integers and pointers in one row and floats in another, in the order of
// the parameters whatever their types (the ABI specification in the Go source, cmd/compile/abi-internal.md). A func whose
// arguments all fit can therefore be called as if it took numInts integers and numFloats floats: it looks at its own
// registers only. Pointers among the integers are kept alive by the frame that they were read from. Results must have
// their own types, since a new pointer lives nowhere else; there are few kinds of them.
//
// Only Go releases that this was tried with do it: the build constraint names the first that is not among them. For those
// too registersWork checks it once, when the program starts; should it fail, calls go through reflection.

const (
	numInts   = 9
	numFloats = 8
)

// word is one register's worth of an argument.
type word struct {
	param  int
	offset uintptr
	size   uintptr
	float  bool
}

// resultKind is how a result comes back.
type resultKind int

const (
	resultNone resultKind = iota
	resultInt
	resultFloat
	resultPointer
	resultString
	resultSlice
	resultInterface
)

// Func types with the registers of all funcs that return the same.
type (
	i = uint64
	p = unsafe.Pointer

	funcNone      = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64)
	funcInt       = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64) i
	funcFloat     = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64) float64
	funcPointer   = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64) p
	funcString    = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64) string
	funcSlice     = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64) []byte
	funcInterface = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64) (p, p)

	funcError          = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64) error
	funcIntError       = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64) (i, error)
	funcFloatError     = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64) (float64, error)
	funcPointerError   = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64) (p, error)
	funcStringError    = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64) (string, error)
	funcSliceError     = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64) ([]byte, error)
	funcInterfaceError = func(a0, a1, a2, a3, a4, a5, a6, a7, a8 i, f0, f1, f2, f3, f4, f5, f6, f7 float64) (p, p, error)
)

// callByRegisters is nil for a func that it cannot call.
func callByRegisters(fn reflect.Value) func(*callFrame) error {
	if !registersWork {
		return nil
	}
	return registerCall(fn)
}

func registerCall(fn reflect.Value) func(*callFrame) error {
	t := fn.Type()
	words, ok := wordsOf(t)
	if !ok {
		return nil
	}
	kind, size, ok := resultOf(t)
	if !ok {
		return nil
	}
	fails := t.NumOut() > 0 && t.Out(t.NumOut()-1) == errorType
	holder := reflect.New(t) // the func value's own word
	holder.Elem().Set(fn)
	target := holder.UnsafePointer()
	return func(f *callFrame) error {
		var a [numInts]i
		var x [numFloats]float64
		loadWords(words, f, &a, &x)
		err := callAs(target, kind, size, fails, &a, &x, f.to)
		runtime.KeepAlive(f)
		return err
	}
}

// loadWords reads the arguments' words.
func loadWords(words []word, f *callFrame, a *[numInts]i, x *[numFloats]float64) {
	ints, floats := 0, 0
	for k := range words {
		w := &words[k]
		place := unsafe.Add(f.at[w.param], w.offset)
		if w.float {
			if w.size == 8 {
				x[floats] = *(*float64)(place)
			} else {
				x[floats] = math.Float64frombits(uint64(*(*uint32)(place)))
			}
			floats++
			continue
		}
		switch w.size {
		case 8:
			a[ints] = *(*uint64)(place)
		case 4:
			a[ints] = uint64(*(*uint32)(place))
		case 2:
			a[ints] = uint64(*(*uint16)(place))
		default:
			a[ints] = uint64(*(*uint8)(place))
		}
		ints++
	}
}

// callAs calls the func whose value lies at target and stores its result at `to`.
func callAs(target unsafe.Pointer, kind resultKind, size uintptr, fails bool, a *[numInts]i, x *[numFloats]float64,
	to unsafe.Pointer) (err error) {
	switch kind {
	case resultNone:
		if !fails {
			(*(*funcNone)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
			return nil
		}
		return (*(*funcError)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
	case resultInt:
		var r i
		if !fails {
			r = (*(*funcInt)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		} else {
			r, err = (*(*funcIntError)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		}
		storeInt(to, size, r)
	case resultFloat:
		var r float64
		if !fails {
			r = (*(*funcFloat)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		} else {
			r, err = (*(*funcFloatError)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		}
		storeInt(to, size, math.Float64bits(r)) // a float32 stands in the lower half
	case resultPointer:
		var r p
		if !fails {
			r = (*(*funcPointer)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		} else {
			r, err = (*(*funcPointerError)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		}
		*(*p)(to) = r
	case resultString:
		var r string
		if !fails {
			r = (*(*funcString)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		} else {
			r, err = (*(*funcStringError)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		}
		*(*string)(to) = r
	case resultSlice:
		var r []byte
		if !fails {
			r = (*(*funcSlice)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		} else {
			r, err = (*(*funcSliceError)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		}
		*(*[]byte)(to) = r
	case resultInterface:
		var r [2]p
		if !fails {
			r[0], r[1] = (*(*funcInterface)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		} else {
			r[0], r[1], err = (*(*funcInterfaceError)(target))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		}
		*(*[2]p)(to) = r
	}
	return err
}

func storeInt(to unsafe.Pointer, size uintptr, r i) {
	switch size {
	case 8:
		*(*uint64)(to) = r
	case 4:
		*(*uint32)(to) = uint32(r)
	case 2:
		*(*uint16)(to) = uint16(r)
	default:
		*(*uint8)(to) = uint8(r)
	}
}

// wordsOf says where the parameters' words lie; ok is false when they do not all fit into registers.
func wordsOf(t reflect.Type) (words []word, ok bool) {
	ints, floats := 0, 0
	for n := range t.NumIn() {
		in := t.In(n)
		count := 1
		switch in.Kind() {
		case reflect.Float32, reflect.Float64:
			words = append(words, word{param: n, size: in.Size(), float: true})
			floats++
			continue
		case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
			reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
			reflect.Pointer, reflect.UnsafePointer:
			words = append(words, word{param: n, size: in.Size()})
			ints++
			continue
		case reflect.String, reflect.Interface:
			count = 2
		case reflect.Slice:
			count = 3
		default:
			return nil, false
		}
		for k := range count {
			words = append(words, word{param: n, offset: uintptr(k) * 8, size: 8})
		}
		ints += count
	}
	return words, ints <= numInts && floats <= numFloats
}

// resultOf is the kind of the result beside an error.
func resultOf(t reflect.Type) (kind resultKind, size uintptr, ok bool) {
	if t.NumOut() == 0 || t.NumOut() == 1 && t.Out(0) == errorType {
		return resultNone, 0, true
	}
	out := t.Out(0)
	switch out.Kind() {
	case reflect.Float32, reflect.Float64:
		kind = resultFloat
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		kind = resultInt
	case reflect.Pointer, reflect.UnsafePointer:
		kind = resultPointer
	case reflect.String:
		kind = resultString
	case reflect.Slice:
		kind = resultSlice
	case reflect.Interface:
		kind = resultInterface
	default:
		return 0, 0, false
	}
	return kind, out.Size(), true
}

// registersWork is the result of calling two funcs that use every kind of register.
var registersWork = func() bool {
	type args struct {
		fn   reflect.Value
		in   []any
		want []any
	}
	for _, c := range []args{
		{reflect.ValueOf(func(a int8, x float64, s string, y float32, b bool, v any, e []byte, z float64) (string, error) {
			if a == -3 && x == 1.5 && y == 2.5 && b && v == any("v") && len(e) == 2 && e[1] == 7 && z == -4 {
				return s, nil
			}
			return "", errRegisters
		}), []any{int8(-3), 1.5, "text", float32(2.5), true, "v", []byte{1, 7}, -4.0}, []any{"text"}},
		{reflect.ValueOf(func(x float32, n *int) float32 { return x + float32(*n) }), []any{float32(0.5), new(int)}, []any{float32(0.5)}},
	} {
		call := registerCall(c.fn)
		if call == nil {
			return false
		}
		f := &callFrame{}
		t := c.fn.Type()
		for n := range t.NumIn() {
			place := reflect.New(t.In(n))
			if c.in[n] != nil {
				place.Elem().Set(reflect.ValueOf(c.in[n]))
			}
			f.in, f.at = append(f.in, place.Elem()), append(f.at, place.UnsafePointer())
		}
		place := reflect.New(t.Out(0))
		f.to = place.UnsafePointer()
		if err := call(f); err != nil || place.Elem().Interface() != c.want[0] {
			return false
		}
	}
	return true
}()

var errRegisters = newError("InternalError", "arguments in other registers than expected")
