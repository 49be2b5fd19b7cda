package call

import (
	"reflect"
	"slices"

	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// Why some callbacks get a buffer where others get bytes. A func([]byte) that consumes what it gets is happy with bytes: they are a key,
// they have decode, and they stay what they are. A callback that fills what it gets, as the Read of a reader does, needs the memory itself.
// The types do not tell a Read from a Write, so the name decides there.

// filled returns the place of the bytes among the parameters of a func type that a callback fills: it returns how many. what names the
// callback. It is -1 where there are none.
func filled(t reflect.Type, what string) int {
	counts := t.NumOut() > 0 && t.Out(0).Kind() == reflect.Int && (t.NumOut() == 1 || t.NumOut() == 2 && t.Out(1) == convert.ErrorType)
	if !counts || t.IsVariadic() || naming.Consumes(what) {
		return -1
	}
	at := -1
	for i := range t.NumIn() {
		if in := t.In(i); in.Kind() != reflect.Slice || in.Elem().Kind() != reflect.Uint8 {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

// filling returns the signature of a callback that fills the bytes at a place among its parameters in Go.
func (s *Signature) filling(at int) *Signature {
	made := *s
	made.Params = slices.Clone(s.Params)
	if s.context >= 0 && s.context < at {
		at--
	}
	c := *made.Params[at]
	c.Schema = func() string { return convert.NestedSchema("go.Numbers", convert.LeafSchema("int")) }
	made.Params[at] = &c
	return &made
}
