package convert

import (
	"reflect"
	"unicode/utf8"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Letter is the type of a parameter that is a rune in Go: a text of one character, or its number.
type Letter rune

// NewConv implements Converter.
func (Letter) NewConv() (*Conv, error) {
	number, err := For(reflect.TypeFor[rune]())
	if err != nil {
		return nil, err
	}
	c := CallConv("", "", func(dst unsafe.Pointer, v *abi.Any) error {
		text, ok := v.Text()
		if !ok {
			return number.From(v, dst)
		}
		r, size := utf8.DecodeRuneInString(text)
		if size == 0 || size != len(text) {
			return fault.New("ValueError", "expected a str of one character, got one of %d", utf8.RuneCountInString(text))
		}
		*(*rune)(dst) = r
		return nil
	}, number.To)
	const name = "a str of one character or an int"
	c.OnlyParameter = "is a parameter only; use rune"
	c.Name = func() string { return name }
	c.Schema = func() string { return NestedSchema("Variant", LeafSchema("ffi.String"), number.Schema()) }
	c.Type = KindType(bridge.KindAny, name)
	return c, nil
}
