// Package arrow lays slices of structs out as the columns of Arrow's C data interface, and reads such columns into structs.
//
// Why it writes the interface itself. It is three structs of C (selfsame/internal/arrow.h), and a column is filled with one loop
// over the rows. github.com/apache/arrow-go has builders that take one value at a time into memory of its own, from which its
// package cdata exports, and is linked into each library that `selfsame-ffi build` makes.
package arrow

import (
	"cmp"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// Form says how values of a Go type lie in Arrow memory. It never changes.
type Form struct {
	Type   reflect.Type
	kind   kind
	format string
	fields []field // of a struct
	of     *Form   // of a list its elements, of a pointer what it points to
}

type kind int

const (
	number kind = iota // as Go has it, also durations
	boolean
	text
	binary
	timestamp
	fixedBinary
	list
	fixedList
	record
	pointer // its values are those of what it points to, or null
)

// field is a column of a struct.
type field struct {
	name   string // in Python
	goName string
	offset uintptr
	form   *Form
}

var numbers = map[reflect.Kind]string{
	reflect.Int8: "c", reflect.Uint8: "C", reflect.Int16: "s", reflect.Uint16: "S", reflect.Int32: "i", reflect.Uint32: "I",
	reflect.Int64: "l", reflect.Uint64: "L", reflect.Int: "l", reflect.Uint: "L", reflect.Float32: "f", reflect.Float64: "g",
}

var forms sync.Map // reflect.Type -> *Form

// Of returns the form of a Go type, or an error that names the field that has none. Any goroutine may call it.
func Of(t reflect.Type) (*Form, error) {
	if known, ok := forms.Load(t); ok {
		return known.(*Form), nil
	}
	f, err := formOf(t, t.String(), nil)
	if err != nil {
		return nil, err
	}
	known, _ := forms.LoadOrStore(t, f)
	return known.(*Form), nil
}

// formOf does Of's work for what messages call path, within values of other types.
func formOf(t reflect.Type, path string, within []reflect.Type) (f *Form, err error) {
	f = &Form{Type: t}
	part := func(t reflect.Type, k kind, format string) (*Form, error) {
		f.kind, f.format = k, format
		f.of, err = formOf(t, path, within)
		return f, err
	}
	switch t {
	case reflect.TypeFor[time.Time]():
		f.kind, f.format = timestamp, "tsn:UTC"
		return f, nil
	case reflect.TypeFor[time.Duration]():
		f.format = "tDn"
		return f, nil
	}
	if f.format = numbers[t.Kind()]; f.format != "" {
		return f, nil
	}
	switch t.Kind() {
	case reflect.Bool:
		f.kind, f.format = boolean, "b"
		return f, nil
	case reflect.String:
		f.kind, f.format = text, "u"
		return f, nil
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			f.kind, f.format = binary, "z"
			return f, nil
		}
		return part(t.Elem(), list, "+l")
	case reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 && t.Len() > 0 {
			f.kind, f.format = fixedBinary, "w:"+strconv.Itoa(t.Len())
			return f, nil
		}
		return part(t.Elem(), fixedList, "+w:"+strconv.Itoa(t.Len()))
	case reflect.Pointer:
		return part(t.Elem(), pointer, "")
	case reflect.Struct:
		for _, outer := range within {
			if outer == t {
				return nil, fault.New("TypeError", "%s: %s contains itself, so it has no form in Arrow", path, t)
			}
		}
		f.kind, f.format = record, "+s"
		f.fields, err = fieldsOf(t, path, append(within, t))
		if err == nil && len(f.fields) == 0 {
			err = fault.New("TypeError", "%s: %s has no exported field, so it has no form in Arrow", path, t)
		}
		return f, err
	}
	return nil, fault.New("TypeError", "%s: %s has no form in Arrow", path, t)
}

// fieldsOf returns the columns of a struct. The fields of embedded structs are columns of their own.
func fieldsOf(t reflect.Type, path string, within []reflect.Type) (fields []field, err error) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("ffi")
		embedded := f.Anonymous && f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[time.Time]()
		if tag == "-" || !f.IsExported() && !embedded {
			continue
		}
		form, err := formOf(f.Type, path+"."+f.Name, within)
		if embedded && err == nil {
			for _, inner := range form.fields {
				inner.offset += f.Offset
				fields = append(fields, inner)
			}
			continue
		}
		if err != nil {
			if !f.IsExported() {
				continue
			}
			return nil, err
		}
		name, _ := strings.CutPrefix(tag, "name=")
		fields = append(fields, field{cmp.Or(naming.Normal(name), naming.Snake(f.Name)), f.Name, f.Offset, form})
	}
	return fields, nil
}

// IsRow says whether values are structs, or pointers to structs: the rows of a table.
func (f *Form) IsRow() bool { return f.kind == record || f.kind == pointer && f.of.kind == record }

// words returns what messages call the types of a form.
func (f *Form) words() string {
	switch f.kind {
	case pointer:
		return f.of.words()
	case list:
		return "list of " + f.of.words()
	case fixedList:
		return "list of " + strconv.Itoa(f.Type.Len()) + " " + f.of.words()
	}
	return wordsOf(f.format)
}

// wordsOf returns what messages call a type of Arrow: its name in pyarrow, or the interface's own form of it.
func wordsOf(format string) string {
	for _, known := range [...][2]string{
		{"n", "null"}, {"b", "bool"}, {"c", "int8"}, {"C", "uint8"}, {"s", "int16"}, {"S", "uint16"}, {"i", "int32"}, {"I", "uint32"},
		{"l", "int64"}, {"L", "uint64"}, {"e", "float16"}, {"f", "float32"}, {"g", "float64"}, {"u", "string"}, {"U", "large_string"},
		{"vu", "string_view"}, {"z", "binary"}, {"Z", "large_binary"}, {"vz", "binary_view"}, {"+s", "struct"}, {"+l", "list"},
		{"+L", "large_list"}, {"+m", "map"}, {"tdD", "date32"}, {"tdm", "date64"},
	} {
		if format == known[0] {
			return known[1]
		}
	}
	for _, known := range [...][2]string{
		{"ts", "timestamp"}, {"tD", "duration"}, {"tt", "time"}, {"d:", "decimal"}, {"+w:", "fixed_size_list"}, {"w:", "fixed_size_binary"},
	} {
		if rest, ok := strings.CutPrefix(format, known[0]); ok {
			if known[0] == "ts" && strings.HasSuffix(rest, ":") {
				return "timestamp without a time zone"
			}
			return known[1]
		}
	}
	return "the Arrow type " + format
}
