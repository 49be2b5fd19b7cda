package call

import (
	"context"
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
		case !sig.fails:
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
		case v.Kind() == reflect.Interface && v.Type() != convert.AnyType:
			memory := reflect.New(v.Type())
			memory.Elem().Set(v)
			args = append(args, convert.Typed{Conv: convert.MustFor(v.Type()), At: memory.UnsafePointer()})
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

// fromInto stores the Go value of a borrowed value in out[i].
func fromInto(c *convert.Conv, v *abi.Any, out []reflect.Value, i int) error {
	memory := reflect.New(out[i].Type())
	if err := c.From(v, memory.UnsafePointer()); err != nil {
		return err
	}
	out[i] = memory.Elem()
	return nil
}
