package selfsame

import (
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// readDefault reads the default of the field's tag.
func (f *field) readDefault(where string) error {
	if !f.hasDefault {
		return nil
	}
	v, err := parseDefault(f.defaultText, f.conv)
	if err != nil {
		return newError("ValueError", "selfsame: field %s: the default `%s` is not %s", where, f.defaultText, f.conv.name())
	}
	f.defaultValue = v
	return nil
}

// initialValue is the owned value of the field in a new object: the default of its tag, or what its cell begins with.
func (f *field) initialValue() (abi.Any, error) {
	if f.hasDefault || f.cell == nil {
		return retained(f.defaultValue), nil
	}
	return reflect.New(f.cell).Interface().(cell).initial()
}

// parseDefault reads a default: None, a number, true, false or 'text'. The value is owned.
func parseDefault(text string, c *conv) (abi.Any, error) {
	var v abi.Any
	switch {
	case text == "None":
		v = abi.None()
	case text == "true" || text == "True":
		v = abi.Bool(true)
	case text == "false" || text == "False":
		v = abi.Bool(false)
	case strings.HasPrefix(text, "'") && strings.HasSuffix(text, "'") && len(text) > 1:
		s, err := newText(text[1 : len(text)-1])
		if err != nil {
			return abi.Any{}, err
		}
		v = s
	default:
		if n, err := strconv.ParseInt(text, 0, 64); err == nil {
			v = abi.Int(n)
		} else if x, err := strconv.ParseFloat(text, 64); err == nil {
			v = abi.Float(x)
		} else {
			return abi.Any{}, err
		}
	}
	owned, got, failed := bridge.Convert(v, c.typ())
	releaseValue(v)
	if got != "" {
		return abi.Any{}, &mismatch{got: got}
	}
	return owned, takeError(failed)
}

// storeInitial puts an owned value into the field of a prototype.
func (f *field) storeInitial(prototype unsafe.Pointer, v abi.Any) error {
	place := unsafe.Add(prototype, f.offset)
	switch {
	case f.cell != nil && f.size == unsafeSizeofAny:
		*(*abi.Any)(place) = v
	case f.cell != nil:
		*(*unsafe.Pointer)(place) = nil
		if v.IsObject() {
			*(*uintptr)(place) = uintptr(v.Bits)
		}
	case f.hasDefault:
		return f.conv.from(&v, place) // a number: nothing is owned
	}
	return nil
}
