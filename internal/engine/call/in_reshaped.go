package call

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// reshapedFunc calls a Go func whose parameters are not those that callers pass: it has a context, is variadic, or returns
// several results. Other funcs take the faster ways of goFunc and of an Adapter.
type reshapedFunc struct {
	fn   reflect.Value
	sig  *Signature
	skip int // leading parameters that the caller sets: the new object of a constructor
}

func NewReshapedFunc(fn reflect.Value, sig *Signature, skip int) *reshapedFunc {
	return &reshapedFunc{fn: fn, sig: sig, skip: skip}
}

// callReshaped converts the borrowed arguments, calls the func and makes *result an owned value of its results.
func (a *reshapedFunc) callReshaped(args []abi.Any, result *abi.Any) error {
	lent := a.sig.StartLent()
	defer EndLent(lent)
	in, err := a.Convert(args, lent)
	if err != nil {
		return err
	}
	return a.Call(in, result)
}

// callInContext does callReshaped's work with a context of the caller's.
func (a *reshapedFunc) callInContext(ctx *callContext, args []abi.Any, result *abi.Any) error {
	lent := a.sig.StartLent()
	defer EndLent(lent)
	in, err := a.Convert(args, lent)
	if err != nil {
		return err
	}
	in[a.sig.context] = ctx.value()
	out, err := a.results(in)
	if err != nil {
		return err
	}
	return ctx.storing(&a.sig.results, func() error { return a.store(out, result) })
}

// Convert makes the func's arguments, except for the context and the first skip ones. lent is what StartLent returned.
func (a *reshapedFunc) Convert(args []abi.Any, lent *handles.Lent) ([]reflect.Value, error) {
	t := a.fn.Type()
	in := make([]reflect.Value, t.NumIn())
	k := 0
	for i := a.skip; i < len(in); i++ {
		if i == a.sig.context {
			continue
		}
		memory := reflect.New(t.In(i))
		in[i] = memory.Elem()
		if a.sig.variadic && k == a.sig.fixed() {
			if err := a.collect(args[k:], in[i], a.sig.lentTo(k, lent)); err != nil {
				return nil, err
			}
			break
		}
		if err := a.sig.Params[k].Lend(&args[k], memory.UnsafePointer(), a.sig.lentTo(k, lent)); err != nil {
			return nil, a.sig.argumentError(k, err)
		}
		k++
	}
	return in, nil
}

// collect stores the arguments of a variadic parameter in the slice to.
func (a *reshapedFunc) collect(args []abi.Any, to reflect.Value, lent *handles.Lent) error {
	fixed := a.sig.fixed()
	element := a.sig.Params[fixed].Element
	to.Set(reflect.MakeSlice(to.Type(), len(args), len(args)))
	first, size, done := to.UnsafePointer(), to.Type().Elem().Size(), 0
	if element.Leading != nil {
		done = element.Leading(args, first)
	}
	for j := done; j < len(args); j++ {
		if err := element.Lend(&args[j], unsafe.Add(first, uintptr(j)*size), lent); err != nil {
			return a.sig.argumentError(fixed+j, err)
		}
	}
	return nil
}

// Call calls the func, with a context if it takes one, and stores its results.
func (a *reshapedFunc) Call(in []reflect.Value, result *abi.Any) (err error) {
	var out []reflect.Value
	var ctx *callContext
	if at := a.sig.context; at >= 0 {
		ctx = newCallContext()
		defer func() { ctx.end(&a.sig.results, err) }()
		in[at] = ctx.value()
		run := func() (err error) {
			out, err = a.results(in)
			return err
		}
		if a.sig.short { // it is over before anybody could interrupt it
			err = run()
		} else {
			err = ctx.withContext(a.sig.name, run)
		}
	} else {
		out, err = a.results(in)
	}
	if err != nil {
		return err
	}
	return ctx.storing(&a.sig.results, func() error { return a.store(out, result) })
}

// results calls the func and returns its results, the error among them only as err.
func (a *reshapedFunc) results(in []reflect.Value) (out []reflect.Value, err error) {
	if a.sig.variadic {
		out = a.fn.CallSlice(in)
	} else {
		out = a.fn.Call(in)
	}
	if a.sig.fails {
		err = failure(out)
	}
	return out, err
}

// store makes *result an owned value of the func's results.
func (a *reshapedFunc) store(out []reflect.Value, result *abi.Any) error {
	switch {
	case a.sig.several != nil:
		return a.sig.returned(a.sig.storeResults(out, result))
	case a.sig.Result == nil || a.skip > 0:
		*result = abi.None()
		return nil
	}
	return a.sig.returned(a.sig.Result.To(addressable(out[0]), result))
}

// addressable returns the address of a copy of a value.
func addressable(v reflect.Value) unsafe.Pointer {
	memory := reflect.New(v.Type())
	memory.Elem().Set(v)
	return memory.UnsafePointer()
}

// storeResults makes *v an owned tuple of several results.
func (s *Signature) storeResults(out []reflect.Value, v *abi.Any) error {
	owned := make([]abi.Any, len(s.several))
	defer func() { values.ReleaseAll(owned) }()
	for i, c := range s.several {
		if err := c.To(addressable(out[i]), &owned[i]); err != nil {
			return convert.InElement(fmt.Sprintf("result %d", i), err)
		}
	}
	if err := convert.PackItems(v, "tuple", owned...); err != nil {
		return err
	}
	return nil
}

// resultsConv makes the conversion of several results: a tuple. It serves names and schemas; storeResults and bind
// convert.
func resultsConv(parts []*convert.Conv) *convert.Conv {
	made := &convert.Conv{
		Traits: convert.TraitsOf(parts...),
		GoType: reflect.TypeFor[[]any](),
		Name:   func() string { return "Tuple<" + convert.NamesOf(parts) + ">" },
		Schema: func() string { return convert.NestedSchema("Tuple", convert.SchemasOf(parts)...) },
		Type:   convert.KindType(bridge.KindAny, "Tuple"),
	}
	made.CallsOnly = true
	return made
}
