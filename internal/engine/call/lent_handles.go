package call

import (
	"reflect"
	"strings"
	"sync"

	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/sourcetext"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// A call of a func that does not keep some of its arguments has a handles.Lent from before their conversion until the result was
// converted and the memory of the arguments was cleared. A panic ends it too.

var lents = sync.Pool{New: func() any { return new(handles.Lent) }}

// StartLent returns what the handles that the func's parameters lend are to be fetched with; nil when no parameter lends.
// EndLent must follow.
func (s *Signature) StartLent() *handles.Lent {
	if s.lendsHandles == nil {
		return nil
	}
	return lents.Get().(*handles.Lent)
}

// EndLent ends what StartLent has returned.
func EndLent(lent *handles.Lent) {
	if lent != nil {
		lent.End()
		lents.Put(lent)
	}
}

// lentTo returns lent, which StartLent has returned, if parameter i lends its handles, otherwise nil.
func (s *Signature) lentTo(i int, lent *handles.Lent) *handles.Lent {
	if lent == nil || !s.lendsHandles[i] {
		return nil
	}
	return lent
}

// WithObject returns the signature of a constructor's func whose first parameter, the new object, is converted as the others
// are.
func (s *Signature) WithObject(object *convert.Conv) *Signature {
	whole := *s
	whole.Params, whole.Hidden = append([]*convert.Conv{object}, s.Params...), 1
	if s.lendsHandles != nil {
		whole.lendsHandles = append([]bool{false}, s.lendsHandles...)
	}
	return &whole
}

// ReadKept finds out whether the func is short, and whether it keeps any handle. Parameters that the func with the signature's
// symbol does not keep lend their handles, and those that it does not write either lend their memory. It knows what
// `selfsame-ffi build` knows. The first skip of the func's parameters are no parameters of the signature.
func (s *Signature) ReadKept(t reflect.Type, skip int) {
	kept := sourcetext.KeptBy(s.Symbol)
	kept, s.short = strings.CutSuffix(kept, string(sourcetext.Short))
	kept, s.keepsNoHandle = strings.CutSuffix(kept, string(sourcetext.KeepsNothing))
	if kept == "" {
		return
	}
	shift := len(kept) - t.NumIn() // 1 for the receiver of a method value
	if shift < 0 || shift > 1 {
		return
	}
	at := skip
	for i, c := range s.Params {
		if at == s.context {
			at++
		}
		lends := c.LendsHandles()
		if c.Element != nil && s.variadic && i == len(s.Params)-1 {
			lends = c.Element.LendsHandles()
		}
		if lends && !s.mayKeep(kept[at+shift], t) {
			if s.lendsHandles == nil {
				s.lendsHandles = make([]bool, len(s.Params))
			}
			s.lendsHandles[i] = true
		}
		if kept[at+shift] == sourcetext.OnlyRead {
			s.Params[i] = c.Lending()
		}
		at++
	}
}

// mayKeep says whether a func of type t may keep a parameter, from its letter in the table of sourcetext. A result that has the
// parameter does not keep it if the result is copied before the call ends.
func (s *Signature) mayKeep(letter byte, t reflect.Type) bool {
	if letter == sourcetext.NotKept || letter == sourcetext.OnlyRead {
		return false
	}
	result := int(letter - '0')
	return letter < '0' || result >= t.NumOut() || !isCopied(t.Out(result))
}

// isCopied says whether no value of a result type leads to a Go value once it was converted. The value of a func, a
// channel, an iterator or an interface may do so.
func isCopied(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Slice, reflect.Array:
		return isCopied(t.Elem())
	case reflect.Map:
		return isCopied(t.Key()) && isCopied(t.Elem())
	case reflect.Pointer:
		if typetable.IsClassStruct(t.Elem()) {
			return true
		}
		c, err := convert.For(t)
		return err == nil && c.HandleOf != nil
	default:
		return k == reflect.String || k >= reflect.Bool && k <= reflect.Complex128 && k != reflect.Uintptr
	}
}
