package call

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// goFunc calls a Go func of any type by reflection. It converts the arguments into an argument frame in Go memory.
type goFunc struct {
	sig    *Signature
	skip   int // leading parameters that the caller sets: the new object of a constructor
	frames sync.Pool
	// call calls the func with the frame's arguments, writes its result to the frame and returns its error.
	Call func(f *callFrame) error
}

// callFrame is the argument frame of one call into Go, in typed memory, so that the garbage collector sees its pointers.
type callFrame struct {
	in  []reflect.Value
	At  []unsafe.Pointer // their addresses
	out reflect.Value
	to  unsafe.Pointer // its address, nil without a result
}

func NewGoFunc(fn reflect.Value, sig *Signature, skip int) *goFunc {
	t := fn.Type()
	g := &goFunc{sig: sig, skip: skip}
	hasResult := t.NumOut() > 1 || t.NumOut() == 1 && !sig.fails
	g.frames.New = func() any {
		f := &callFrame{}
		for i := range t.NumIn() {
			memory := reflect.New(t.In(i))
			f.in = append(f.in, memory.Elem())
			f.At = append(f.At, memory.UnsafePointer())
		}
		if hasResult {
			memory := reflect.New(t.Out(0))
			f.out, f.to = memory.Elem(), memory.UnsafePointer()
		}
		return f
	}
	g.Call = callByReflection(fn, sig.fails)
	return g
}

// Convert takes a frame from the pool and converts the arguments into it. On failure it puts the frame back. lent is what
// StartLent returned.
func (g *goFunc) Convert(args []abi.Any, lent *handles.Lent) (*callFrame, error) {
	f := g.frames.Get().(*callFrame)
	for i, c := range g.sig.Params {
		if err := c.Lend(&args[i], f.At[i+g.skip], g.sig.lentTo(i, lent)); err != nil {
			g.PutBack(f)
			return nil, g.sig.argumentError(i, err)
		}
	}
	return f, nil
}

// PutBack clears the frame, so that it keeps no Go value alive, and puts it back into the pool.
func (g *goFunc) PutBack(f *callFrame) {
	for i := range f.in {
		f.in[i].SetZero()
	}
	if f.to != nil {
		f.out.SetZero()
	}
	g.frames.Put(f)
}

// callByFrame converts the borrowed arguments, calls the func and makes *result an owned value of its result. When the func
// panics, the frame is dropped, as the func's caller may still use it.
func (g *goFunc) callByFrame(args []abi.Any, result *abi.Any) error {
	lent := g.sig.StartLent()
	defer EndLent(lent)
	f, err := g.Convert(args, lent)
	if err != nil {
		return err
	}
	err = g.Call(f)
	switch {
	case err != nil:
	case f.to == nil:
		*result = abi.None()
	default:
		err = g.sig.returned(g.sig.Result.To(f.to, result))
	}
	g.PutBack(f)
	return err
}

// callByReflection calls every func, at the price of reflection. fails says whether the last result is an error.
func callByReflection(fn reflect.Value, fails bool) func(*callFrame) error {
	return func(f *callFrame) error {
		out := fn.Call(f.in)
		if f.to != nil {
			f.out.Set(out[0])
		}
		if fails {
			return failure(out)
		}
		return nil
	}
}
