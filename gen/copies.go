package gen

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// form is a way to write a Go value and to read it again. The values are pointers to it.
type form struct {
	name  string
	has   func(value any) bool // it is a way for values of that type
	write func(value any) ([]byte, error)
	read  func(data []byte, to any) error
}

// methodForms are the forms of types that have methods for them.
var methodForms = []form{
	formOf("binary", encoding.BinaryMarshaler.MarshalBinary, encoding.BinaryUnmarshaler.UnmarshalBinary),
	formOf("text", encoding.TextMarshaler.MarshalText, encoding.TextUnmarshaler.UnmarshalText),
	formOf("gob", gobEncoder.GobEncode, gobDecoder.GobDecode),
	formOf("json", json.Marshaler.MarshalJSON, json.Unmarshaler.UnmarshalJSON),
}

// fieldForms are the forms of parts of values that are written by their fields. JSON does not tell an int from a float in an any, so a part
// that is written as JSON may be read as another one.
var fieldForms = [][]form{methodForms, methodForms[:3]}

// forms are the ways in which a Go value is written and read again, in the order in which they are tried.
var forms = slices.Concat(
	[]form{{"plain", isPlain, writePlain, readPlain}},
	methodForms,
	[]form{
		{"fields", func(any) bool { return true }, writeFields(fieldForms[0]), readFields(fieldForms[0])},
		{"all fields", func(any) bool { return true }, writeFields(fieldForms[1]), readFields(fieldForms[1])},
	},
)

// formOf returns the form of types that have a method to write a value and one to read it.
func formOf[W, R any](name string, write func(W) ([]byte, error), read func(R, []byte) error) form {
	return form{name, func(v any) bool {
		_, writes := v.(W)
		_, reads := v.(R)
		return writes && reads
	}, func(v any) ([]byte, error) { return write(v.(W)) }, func(data []byte, to any) error { return read(to.(R), data) }}
}

func isPlain(v any) bool {
	_, is := plainOf(v)
	return is
}

func writePlain(v any) ([]byte, error) {
	plain, _ := plainOf(v)
	return json.Marshal(plain.Interface())
}

func readPlain(data []byte, to any) error {
	plain, _ := plainOf(to)
	read := reflect.New(plain.Type())
	err := json.Unmarshal(data, read.Interface())
	if err == nil {
		to := reflect.ValueOf(to).Elem()
		to.Set(read.Elem().Convert(to.Type()))
	}
	return err
}

// plainOf returns the value of a number, bool or text type behind a pointer, as one of Go's own types.
func plainOf(pointer any) (plain reflect.Value, is bool) {
	v := reflect.ValueOf(pointer).Elem()
	var t reflect.Type
	switch {
	case v.CanInt():
		t = reflect.TypeFor[int64]()
	case v.CanUint():
		t = reflect.TypeFor[uint64]()
	case v.CanFloat():
		t = reflect.TypeFor[float64]()
	case v.Kind() == reflect.Bool:
		t = reflect.TypeFor[bool]()
	case v.Kind() == reflect.String && utf8.ValidString(v.String()):
		t = reflect.TypeFor[string]()
	default:
		return v, false
	}
	return v.Convert(t), true
}

// The interfaces of package encoding/gob, which no package should link for them.
type (
	gobEncoder interface{ GobEncode() ([]byte, error) }
	gobDecoder interface{ GobDecode([]byte) error }
)

// Dump returns the value behind a pointer as bytes, and the name of their form: the first of MarshalBinary, MarshalText, GobEncode,
// MarshalJSON and its fields, of which an equal value is read. A method that panics gives none. It fails with a TypeError where none
// gives one. With sharing the bytes serve one call of [Load] in this process, and the value that is read has the same funcs. Generated code
// makes pickles and copies of it. Any goroutine may call it.
func Dump(pointer any, sharing ...bool) (form string, data []byte, err error) {
	if len(sharing) > 0 && sharing[0] {
		return dumpSharing(pointer)
	}
	t := reflect.TypeOf(pointer).Elem()
	failed := ""
	for _, f := range forms {
		if !f.has(pointer) {
			continue
		}
		again := reflect.New(t).Interface()
		data, err := f.tried(pointer, again)
		switch {
		case err != nil:
			failed += "; " + f.name + ": " + err.Error()
		case !reflect.DeepEqual(again, pointer):
			failed += "; " + f.name + ": the value that is read is another one"
		default:
			return f.name, data, nil
		}
	}
	return "", nil, fault.New("TypeError", "cannot copy or pickle a value of the Go type %s, which cannot be written and read again%s", t, failed)
}

// tried writes a value and reads it again. The methods of a type may panic, as for a zero value that they were not made for.
func (f *form) tried(pointer, again any) (data []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	if data, err = f.write(pointer); err == nil {
		err = f.read(data, again)
	}
	return data, err
}

// Load stores in the variable behind a pointer the value of bytes that [Dump] returned. It fails with a ValueError for other bytes. Any
// goroutine may call it.
func Load(pointer any, form string, data []byte) error {
	t := reflect.TypeOf(pointer).Elem()
	if form == sharingForm {
		return loadSharing(pointer, string(data))
	}
	for _, f := range forms {
		if f.name != form || !f.has(pointer) {
			continue
		}
		if err := f.read(data, pointer); err != nil {
			return fault.New("ValueError", "expected the %s form of a value of the Go type %s: %v", form, t, err)
		}
		return nil
	}
	return fault.New("ValueError", "the Go type %s has no %s form", t, form)
}
