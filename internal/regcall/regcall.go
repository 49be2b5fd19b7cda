//go:build (amd64 || arm64) && !go1.27

package regcall

import (
	"errors"
	"math"
	"reflect"
	"runtime"
	"unsafe"
)

// parameterWord is one register's worth of a parameter.
type parameterWord struct {
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

// Func is a Go func that is called through registers.
type Func struct {
	target unsafe.Pointer // where the func value lies
	words  []parameterWord
	kind   resultKind
	size   uintptr // of the result
	fails  bool    // the last result is an error
}

// Of returns nil for a func that must be called through reflection.
func Of(fn reflect.Value) *Func {
	if !works {
		return nil
	}
	return newFunc(fn)
}

func newFunc(fn reflect.Value) *Func {
	t := fn.Type()
	words, ok := wordsOf(t)
	if !ok {
		return nil
	}
	kind, size, ok := resultOf(t)
	if !ok {
		return nil
	}
	value := reflect.New(t)
	value.Elem().Set(fn)
	return &Func{
		target: value.UnsafePointer(), words: words, kind: kind, size: size,
		fails: t.NumOut() > 0 && t.Out(t.NumOut()-1) == errorType,
	}
}

// Load reads the words of the arguments, which lie at the addresses of at. The caller keeps them alive until Call is over.
func (f *Func) Load(at []unsafe.Pointer, w *Words) {
	ints, floats := 0, 0
	for k := range f.words {
		p := &f.words[k]
		from := unsafe.Add(at[p.param], p.offset)
		if p.float {
			if p.size == 8 {
				w.Floats[floats] = *(*float64)(from)
			} else {
				w.Floats[floats] = math.Float64frombits(uint64(*(*uint32)(from)))
			}
			floats++
			continue
		}
		switch p.size {
		case 8:
			w.Ints[ints] = *(*uint64)(from)
		case 4:
			w.Ints[ints] = uint64(*(*uint32)(from))
		case 2:
			w.Ints[ints] = uint64(*(*uint16)(from))
		default:
			w.Ints[ints] = uint64(*(*uint8)(from))
		}
		ints++
	}
}

// Func types that take all registers, by the type of the result.
type (
	withoutResult    func(a0, a1, a2, a3, a4, a5, a6, a7, a8 uint64, x0, x1, x2, x3, x4, x5, x6, x7 float64)
	returning[R any] func(a0, a1, a2, a3, a4, a5, a6, a7, a8 uint64, x0, x1, x2, x3, x4, x5, x6, x7 float64) R
	failing[R any]   func(a0, a1, a2, a3, a4, a5, a6, a7, a8 uint64, x0, x1, x2, x3, x4, x5, x6, x7 float64) (R, error)
)

// interfaceWords is an interface value, in the same two registers.
type interfaceWords struct{ typ, data unsafe.Pointer }

// Call calls the func and stores its result, if it has one beside the error, at to. The error is the func's.
func (f *Func) Call(w *Words, to unsafe.Pointer) (err error) {
	switch f.kind {
	case resultNone:
		a, x := &w.Ints, &w.Floats
		if f.fails {
			return (*(*returning[error])(f.target))(
				a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		}
		(*(*withoutResult)(f.target))(
			a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		return nil
	case resultInt:
		var r uint64
		r, err = callFor[uint64](f, w)
		storeInt(to, f.size, r)
	case resultFloat:
		var r float64
		r, err = callFor[float64](f, w)
		storeInt(to, f.size, math.Float64bits(r)) // a float32 is in the lower half
	case resultPointer:
		*(*unsafe.Pointer)(to), err = callFor[unsafe.Pointer](f, w)
	case resultString:
		*(*string)(to), err = callFor[string](f, w)
	case resultSlice:
		*(*[]byte)(to), err = callFor[[]byte](f, w)
	case resultInterface:
		*(*interfaceWords)(to), err = callFor[interfaceWords](f, w)
	}
	return err
}

// callFor calls a func whose result is in the registers of an R.
func callFor[R any](f *Func, w *Words) (R, error) {
	a, x := &w.Ints, &w.Floats
	if f.fails {
		return (*(*failing[R])(f.target))(
			a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
	}
	return (*(*returning[R])(f.target))(
		a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]), nil
}

func storeInt(to unsafe.Pointer, size uintptr, r uint64) {
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

var errorType = reflect.TypeFor[error]()

// wordsOf says where the parameters' words lie; ok is false when they do not all fit into registers.
func wordsOf(t reflect.Type) (words []parameterWord, ok bool) {
	ints, floats := 0, 0
	for n := range t.NumIn() {
		in := t.In(n)
		count := 1
		switch in.Kind() {
		case reflect.Float32, reflect.Float64:
			words = append(words, parameterWord{param: n, size: in.Size(), float: true})
			floats++
			continue
		case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
			reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
			reflect.Pointer, reflect.UnsafePointer:
			words = append(words, parameterWord{param: n, size: in.Size()})
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
			words = append(words, parameterWord{param: n, offset: uintptr(k) * 8, size: 8})
		}
		ints += count
	}
	return words, ints <= NumInts && floats <= NumFloats
}

// resultOf returns the kind of the result beside an error.
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

// works says that two funcs which use every kind of register, called when the program starts, got their arguments.
var works = func() bool {
	type args struct {
		fn   reflect.Value
		in   []any
		want any
	}
	for _, c := range []args{
		{reflect.ValueOf(func(a int8, x float64, s string, y float32, b bool, v any, e []byte, z float64) (string, error) {
			if a == -3 && x == 1.5 && y == 2.5 && b && v == any("v") && len(e) == 2 && e[1] == 7 && z == -4 {
				return s, nil
			}
			return "", errRegisters
		}), []any{int8(-3), 1.5, "text", float32(2.5), true, "v", []byte{1, 7}, -4.0}, "text"},
		{reflect.ValueOf(func(x float32, n *int) float32 { return x + float32(*n) }), []any{float32(0.5), new(int)}, float32(0.5)},
	} {
		f := newFunc(c.fn)
		if f == nil {
			return false
		}
		t := c.fn.Type()
		var at []unsafe.Pointer
		for n := range t.NumIn() {
			argument := reflect.New(t.In(n))
			argument.Elem().Set(reflect.ValueOf(c.in[n]))
			at = append(at, argument.UnsafePointer())
		}
		result := reflect.New(t.Out(0))
		var w Words
		f.Load(at, &w)
		err := f.Call(&w, result.UnsafePointer())
		runtime.KeepAlive(at)
		if err != nil || result.Elem().Interface() != c.want {
			return false
		}
	}
	return true
}()

var errRegisters = errors.New("selfsame: arguments in other registers than expected")
