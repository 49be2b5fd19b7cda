package selfsame

import (
	"context"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// adaptedFunc calls a Go func whose parameters are not those that callers pass: it has a context, is variadic, or returns
// several results. Other funcs take the faster ways of goFunc and of an Adapter.
type adaptedFunc struct {
	fn   reflect.Value
	sig  *signature
	skip int // leading parameters that the caller sets: the new object of a constructor
}

func newAdaptedFunc(fn reflect.Value, sig *signature, skip int) *adaptedFunc {
	return &adaptedFunc{fn: fn, sig: sig, skip: skip}
}

// invoke converts the borrowed arguments, calls the func and makes *result an owned value of its results.
func (a *adaptedFunc) invoke(args []abi.Any, result *abi.Any) error {
	in, err := a.convert(args)
	if err != nil {
		return err
	}
	return a.call(in, result)
}

// convert makes the func's arguments, except for the context and the first skip ones.
func (a *adaptedFunc) convert(args []abi.Any) ([]reflect.Value, error) {
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
			if err := a.collect(args[k:], in[i]); err != nil {
				return nil, err
			}
			break
		}
		if err := a.sig.params[k].from(&args[k], memory.UnsafePointer()); err != nil {
			return nil, a.sig.argumentError(k, err)
		}
		k++
	}
	return in, nil
}

// collect stores the arguments of a variadic parameter in the slice to.
func (a *adaptedFunc) collect(args []abi.Any, to reflect.Value) error {
	fixed := a.sig.fixed()
	element := a.sig.params[fixed].element
	to.Set(reflect.MakeSlice(to.Type(), len(args), len(args)))
	for j := range args {
		if err := element.from(&args[j], to.Index(j).Addr().UnsafePointer()); err != nil {
			return a.sig.argumentError(fixed+j, err)
		}
	}
	return nil
}

// call calls the func, with a context if it takes one, and stores its results.
func (a *adaptedFunc) call(in []reflect.Value, result *abi.Any) error {
	var out []reflect.Value
	run := func() error {
		if a.sig.variadic {
			out = a.fn.CallSlice(in)
		} else {
			out = a.fn.Call(in)
		}
		if a.sig.fails {
			err, _ := out[len(out)-1].Interface().(error)
			return err
		}
		return nil
	}
	var err error
	if at := a.sig.context; at >= 0 {
		err = withContext(a.sig.name, func(ctx context.Context) error {
			in[at] = reflect.ValueOf(&ctx).Elem()
			return run()
		})
	} else {
		err = run()
	}
	if err != nil {
		return err
	}
	switch {
	case a.sig.several != nil:
		return a.sig.returned(a.sig.storeResults(out, result))
	case a.sig.result == nil || a.skip > 0:
		*result = abi.None()
		return nil
	}
	return a.sig.returned(a.sig.result.to(addressable(out[0]), result))
}

// addressable returns the address of a copy of a value.
func addressable(v reflect.Value) unsafe.Pointer {
	memory := reflect.New(v.Type())
	memory.Elem().Set(v)
	return memory.UnsafePointer()
}

// storeResults makes *v an owned tuple of several results.
func (s *signature) storeResults(out []reflect.Value, v *abi.Any) error {
	owned := make([]abi.Any, len(s.several))
	defer func() { releaseAll(owned) }()
	for i, c := range s.several {
		if err := c.to(addressable(out[i]), &owned[i]); err != nil {
			return inElement(fmt.Sprintf("result %d", i), err)
		}
	}
	if err := packItems(v, "tuple", owned...); err != nil {
		return err
	}
	return nil
}

// resultsConv makes the conversion of several results: a tuple. It serves names and schemas; storeResults and bind
// convert.
func resultsConv(parts []*conv) *conv {
	made := &conv{
		traits: traitsOf(parts...),
		goType: reflect.TypeFor[[]any](),
		name:   func() string { return "Tuple<" + namesOf(parts) + ">" },
		schema: func() string { return nestedSchema("Tuple", schemasOf(parts)...) },
		typ:    kindType(bridge.KindAny, "Tuple"),
	}
	made.callsOnly = true
	return made
}
