package call

import (
	"reflect"

	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
)

// A package variable, so that package variables may ask for the conversions of funcs.
var _ = func() bool {
	convert.Calls = convert.CallTypes{Conv: convThatCalls, Iterator: iteratorConvOf}
	return true
}()

// convThatCalls makes the conversion of a type whose values call: a func, an iterator, a channel to receive from or a stream.
func convThatCalls(t reflect.Type) (c *convert.Conv, ok bool, err error) {
	switch t.Kind() {
	case reflect.Func, reflect.Chan:
		if c, ok, err := iteratorConvOf(t, convert.For); ok {
			return c, true, err
		}
		if t.Kind() == reflect.Func {
			c, err = funcConv(t)
			return c, true, err
		}
	case reflect.Interface, reflect.Pointer:
		if isStream(t) && !(t.Kind() == reflect.Pointer && typetable.IsClassStruct(t.Elem())) {
			return streamConv(t), true, nil
		}
	}
	return nil, false, nil
}

// iteratorConvOf makes the conversion of an iter.Seq, an iter.Seq2 or a channel to receive from.
func iteratorConvOf(t reflect.Type, lookup convert.Lookup) (c *convert.Conv, ok bool, err error) {
	if t.Kind() == reflect.Chan && t.ChanDir() == reflect.RecvDir {
		c, err = chanConv(t, lookup)
		return c, true, err
	}
	elements := seqElements(t)
	if elements == nil {
		return nil, false, nil
	}
	c, err = seqConv(t, elements, lookup)
	return c, true, err
}
