package gen

import (
	"encoding"
	"encoding/json"
	"reflect"
	"unicode/utf8"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// form is a way to write a Go value and to read it again.
type form struct {
	name  string
	write func(value any) (data []byte, has bool, err error)
	read  func(data []byte, to any) error
}

// forms are the ways in which a Go value is written and read again, in the order in which they are tried.
var forms = []form{
	{"plain", func(v any) ([]byte, bool, error) {
		plain, is := plainOf(v)
		if !is {
			return nil, false, nil
		}
		data, err := json.Marshal(plain.Interface())
		return data, true, err
	}, func(data []byte, to any) error {
		plain, _ := plainOf(to)
		read := reflect.New(plain.Type())
		err := json.Unmarshal(data, read.Interface())
		if err == nil {
			to := reflect.ValueOf(to).Elem()
			to.Set(read.Elem().Convert(to.Type()))
		}
		return err
	}},
	formOf("binary", encoding.BinaryMarshaler.MarshalBinary, encoding.BinaryUnmarshaler.UnmarshalBinary),
	formOf("text", encoding.TextMarshaler.MarshalText, encoding.TextUnmarshaler.UnmarshalText),
	formOf("gob", gobEncoder.GobEncode, gobDecoder.GobDecode),
	{"json", func(v any) ([]byte, bool, error) {
		data, err := marshalFields(reflect.ValueOf(v).Elem())
		return data, true, err
	}, func(data []byte, to any) error { return unmarshalFields(data, reflect.ValueOf(to).Elem()) }},
}

// formOf returns the form of types that have a method to write a value and one to read it.
func formOf[W, R any](name string, write func(W) ([]byte, error), read func(R, []byte) error) form {
	return form{name, func(v any) ([]byte, bool, error) {
		w, has := v.(W)
		if _, reads := v.(R); !has || !reads {
			return nil, false, nil
		}
		data, err := write(w)
		return data, true, err
	}, func(data []byte, to any) error { return read(to.(R), data) }}
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

// Dump returns the value behind a pointer as bytes, and the name of their form: the first of MarshalBinary, MarshalText, GobEncode and
// JSON, which has the exported fields, of which an equal value is read. It fails with a TypeError where none gives one. Generated code
// makes pickles and copies of it. Any goroutine may call it.
func Dump(pointer any) (form string, data []byte, err error) {
	t := reflect.TypeOf(pointer).Elem()
	failed := ""
	for _, f := range forms {
		data, has, err := f.write(pointer)
		if !has {
			continue
		}
		again := reflect.New(t).Interface()
		if err == nil {
			err = f.read(data, again)
		}
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

// Load stores in the variable behind a pointer the value of bytes that [Dump] returned. It fails with a ValueError for other bytes. Any
// goroutine may call it.
func Load(pointer any, form string, data []byte) error {
	t := reflect.TypeOf(pointer).Elem()
	for _, f := range forms {
		if _, has, _ := f.write(pointer); f.name != form || !has {
			continue
		}
		if err := f.read(data, pointer); err != nil {
			return fault.New("ValueError", "expected the %s form of a value of the Go type %s: %v", form, t, err)
		}
		return nil
	}
	return fault.New("ValueError", "the Go type %s has no %s form", t, form)
}
