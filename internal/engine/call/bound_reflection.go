package call

import (
	"context"
	"errors"
	"reflect"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// bindByReflection makes a func of any type t, of the signature, that calls f.
func bindByReflection(f *handles.State, t reflect.Type, sig *Signature) reflect.Value {
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		out := make([]reflect.Value, t.NumOut())
		for i := range out {
			out[i] = reflect.Zero(t.Out(i))
		}
		err := callBound(f, sig, in, out)
		switch {
		case err == nil:
		case sig.failed(err, out):
		case !sig.fails || sig.failsAs != nil:
			arguments := make([]any, len(in))
			for i, v := range in {
				arguments[i] = v.Interface()
			}
			Raise(err, arguments...)
		default:
			out[len(out)-1] = reflect.ValueOf(&err).Elem()
		}
		return out
	})
}

// failed makes an error the last of the results of a func whose errors are of a type of their own, and says whether it is of that type, or
// is around one.
func (s *Signature) failed(err error, out []reflect.Value) bool {
	if s.failsAs == nil {
		return false
	}
	as := reflect.New(s.failsAs)
	if !errors.As(err, as.Interface()) {
		return false
	}
	out[len(out)-1] = as.Elem()
	return true
}

// callOf says that funcs of type t and the signature call a callback, which what names in errors about its result. It sees slices and
// maps among the arguments where Go has them, as a func in Go does.
func (s *Signature) callOf(t reflect.Type, what func() string) {
	s.callback = what
	if convert.ShownArgument == nil {
		return
	}
	fills := filled(t, what())
	for i := range t.NumIn() {
		if s.variadic && i == t.NumIn()-1 {
			break
		}
		if i != fills && t.In(i).Kind() == reflect.Slice && t.In(i).Elem().Kind() == reflect.Uint8 {
			continue
		}
		if c := convert.ShownArgument(t.In(i)); c != nil {
			if s.shown == nil {
				s.shown = make([]*convert.Conv, t.NumIn())
			}
			s.shown[i] = c
		}
	}
}

// callBound calls f with the arguments of a func of the signature, and stores the results in out.
func callBound(f *handles.State, sig *Signature, in, out []reflect.Value) error {
	args := make([]any, 0, len(in))
	for i, v := range in {
		switch {
		case i == sig.context:
			if ctx, ok := v.Interface().(context.Context); ok && ctx.Err() != nil {
				return context.Cause(ctx)
			}
		case sig.variadic && i == len(in)-1:
			for k := range v.Len() {
				args = append(args, v.Index(k).Interface())
			}
		case sig.shown != nil && sig.shown[i] != nil:
			args = append(args, typed(sig.shown[i], v))
		case v.Kind() == reflect.Interface && v.Type() != convert.AnyType:
			args = append(args, typed(convert.MustFor(v.Type()), v))
		default:
			args = append(args, v.Interface())
		}
	}
	frame, err := CallWith(f, args)
	if err != nil {
		return err
	}
	result := frame.Result
	values.PutFrame(frame)
	defer values.Release(result)
	switch {
	case sig.Result == nil:
		return nil
	case sig.several == nil:
		return sig.resultError(fromInto(sig.Result, &result, out, 0))
	}
	if result.TypeIndex != abi.IndexArray && result.TypeIndex != abi.IndexList {
		return sig.resultError(convert.Mismatched(&result))
	}
	items := abi.SeqOf(result.Pointer()).Items()
	if len(items) != len(sig.several) {
		return sig.resultError(convert.WrongSize(len(items)))
	}
	for i, c := range sig.several {
		if err := fromInto(c, &items[i], out, i); err != nil {
			return sig.resultError(convert.AtIndex("Array", i, err))
		}
	}
	return nil
}

// typed returns a copy of a value, which c converts.
func typed(c *convert.Conv, v reflect.Value) convert.Typed {
	memory := reflect.New(v.Type())
	memory.Elem().Set(v)
	return convert.Typed{Conv: c, At: memory.UnsafePointer()}
}

// fromInto stores the Go value of a borrowed value in out[i].
func fromInto(c *convert.Conv, v *abi.Any, out []reflect.Value, i int) error {
	memory := reflect.New(out[i].Type())
	if err := c.From(v, memory.UnsafePointer()); err != nil {
		return err
	}
	out[i] = memory.Elem()
	return nil
}
