package gen

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/engine/wrapping"
)

// A value whose methods do not write it is written by its fields, those that are not exported too, as JSON. Each struct, and what a pointer
// or a map refers to, has a number, so that what is shared is shared again. What nobody may have twice is refused: funcs, channels,
// addresses, locks in use, and what can be closed.

// place is where a value of a type is.
type place struct {
	at unsafe.Pointer
	of reflect.Type
}

// numbered gives places their numbers, in the order in which they are met. Parts have the first of the forms for which they have methods.
type numbered struct {
	places map[place]int
	forms  []form
	of     string           // the package of the whole value
	shared *[]reflect.Value // gets the funcs, which a copy shares; nil: they are refused
}

// writeFields returns a func that gives the JSON of the value behind a pointer.
func writeFields(forms []form) func(pointer any) ([]byte, error) {
	return func(pointer any) ([]byte, error) { return writeTree(pointer, forms, nil) }
}

func writeTree(pointer any, forms []form, shared *[]reflect.Value) ([]byte, error) {
	v := reflect.ValueOf(pointer).Elem()
	n := numbered{map[place]int{}, forms, v.Type().PkgPath(), shared}
	write := n.write
	if v.Kind() == reflect.Struct { // whose methods have been tried
		write = n.fields
	}
	tree, err := write(v)
	if err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}

// open returns a value that is reached by a field which is not exported as if it were exported.
func open(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	return v
}

// addressable returns a value that can be written as those of variables can.
func addressable(v reflect.Value) reflect.Value {
	made := reflect.New(v.Type()).Elem()
	made.Set(v)
	return made
}

// ownForm returns the one of forms that methods of a type give its values, nil for none.
func ownForm(v reflect.Value, forms []form) *form {
	if v.Type().PkgPath() == "" || v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		return nil
	}
	for i := range forms {
		if forms[i].has(v.Addr().Interface()) {
			return &forms[i]
		}
	}
	return nil
}

// meet gives a place a number. It fails for a second value at one place: two variables share memory in a way that is not known.
func (n numbered) meet(p place) error {
	if _, known := n.places[p]; known {
		return fmt.Errorf("two parts of it share a %s", p.of)
	}
	n.places[p] = len(n.places)
	return nil
}

func (n numbered) write(v reflect.Value) (any, error) {
	v = open(v)
	if own := ownForm(v, n.forms); own != nil {
		data, err := own.write(v.Addr().Interface())
		return data, err
	}
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return v.Uint(), nil
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(v.Float()), nil
	case reflect.Complex64, reflect.Complex128:
		return []uint64{math.Float64bits(real(v.Complex())), math.Float64bits(imag(v.Complex()))}, nil
	case reflect.String:
		return []byte(v.String()), nil
	case reflect.Array:
		return n.elements(v)
	case reflect.Struct:
		return n.fields(v)
	}
	if v.IsZero() {
		return nil, nil
	}
	switch v.Kind() {
	case reflect.Slice:
		if v.Len() > 0 && v.Type().Elem().Size() > 0 {
			if err := n.meet(place{v.UnsafePointer(), v.Type()}); err != nil {
				return nil, err
			}
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return v.Bytes(), nil
		}
		return n.elements(v)
	case reflect.Pointer, reflect.Map:
		p := place{v.UnsafePointer(), v.Type()}
		if v.Kind() == reflect.Pointer {
			p.of = v.Type().Elem()
		}
		if number, known := n.places[p]; known {
			return number, nil
		}
		if v.Kind() == reflect.Map {
			n.places[p] = len(n.places)
			return n.entries(v)
		}
		if v.Elem().Kind() != reflect.Struct || ownForm(v.Elem(), n.forms) != nil {
			n.places[p] = len(n.places)
		}
		to, err := n.write(v.Elem())
		return []any{to}, err
	case reflect.Func:
		if n.shared != nil {
			*n.shared = append(*n.shared, addressable(v))
			return len(*n.shared) - 1, nil
		}
	case reflect.Interface:
		if v.Elem().Kind() == reflect.Func && n.shared != nil {
			number, err := n.write(addressable(v.Elem()))
			return map[string]any{heldFunc: number}, err
		}
		name := n.heldName(v.Elem().Type())
		if name == "" {
			return nil, fmt.Errorf("it holds a %s as %s", v.Elem().Type(), v.Type())
		}
		value, err := n.write(addressable(v.Elem()))
		return map[string]any{name: value}, err
	}
	return nil, fmt.Errorf("it holds a %s", v.Type())
}

// heldFunc stands for the type of a func in an interface.
const heldFunc = "func"

// heldName names the type of a value in an interface: a plain one, one with a class, one of the package of the whole value, or one of
// numbers and texts alone. It is "" for others.
func (n numbered) heldName(t reflect.Type) string {
	if plainTypes[t.String()] == t {
		return t.String()
	}
	if name := wrapping.NameOf(t); name != "" {
		return name
	}
	of := t
	if t.Kind() == reflect.Pointer {
		of = t.Elem()
	}
	if (n.of == "" || of.PkgPath() != n.of) && !isData(t) {
		return ""
	}
	return meet(t)
}

// isData says whether values of a type have nothing but numbers and texts in them.
func isData(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return isData(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !isData(t.Field(i).Type) {
				return false
			}
		}
		return true
	default:
		return t.Name() != "" && (k >= reflect.Bool && k <= reflect.Complex128 && k != reflect.Uintptr || k == reflect.String)
	}
}

// plainTypes are types of values that an interface may hold, by their names, beside those that have classes.
var plainTypes = func() map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for _, v := range []any{
		false, int(0), int64(0), uint64(0), float64(0), "", []byte(nil), []any(nil), []string(nil), map[string]any(nil), map[string]string(nil),
	} {
		types[reflect.TypeOf(v).String()] = reflect.TypeOf(v)
	}
	return types
}()

func (n numbered) elements(v reflect.Value) (any, error) {
	list := make([]any, v.Len())
	for i := range list {
		var err error
		if list[i], err = n.write(v.Index(i)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// entries returns the keys and values of a map as pairs, in the order of the keys' JSON.
func (n numbered) entries(v reflect.Value) (any, error) {
	texts, pairs := map[string]reflect.Value{}, []string{}
	for _, key := range v.MapKeys() {
		written, err := numbered{map[place]int{}, n.forms, n.of, nil}.write(addressable(key)) // a key has no part that another value shares
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(written)
		if err != nil {
			return nil, err
		}
		texts[string(text)], pairs = key, append(pairs, string(text))
	}
	slices.Sort(pairs)
	list := make([]any, len(pairs))
	for i, text := range pairs {
		value, err := n.write(addressable(v.MapIndex(texts[text])))
		if err != nil {
			return nil, err
		}
		list[i] = []any{json.RawMessage(text), value}
	}
	return list, nil
}

func (n numbered) fields(v reflect.Value) (any, error) {
	t := v.Type()
	if t.Size() > 0 {
		if err := n.meet(place{v.Addr().UnsafePointer(), t}); err != nil {
			return nil, err
		}
	}
	_, closes := v.Addr().Interface().(io.Closer)
	for i := range t.NumField() {
		closes = closes || t.Field(i).Type.PkgPath() == "sync"
	}
	all := map[string]any{}
	for i := range t.NumField() {
		f, part := t.Field(i), v.Field(i)
		if isStruct := f.Type.Kind() == reflect.Struct && f.Type.PkgPath() != "sync"; part.IsZero() && !isStruct {
			continue
		}
		switch isPointer := f.Type.Kind() == reflect.Pointer; {
		case f.IsExported() || part.IsZero():
		case closes:
			return nil, fmt.Errorf("its field %s is not exported, and the value can be closed or locks it", f.Name)
		case isPointer && f.Type.Elem().Kind() == reflect.Struct && f.Type.Elem().PkgPath() != t.PkgPath() && ownForm(open(part).Elem(), n.forms) == nil:
			return nil, fmt.Errorf("its field %s is not exported, and refers to a %s of another package", f.Name, f.Type.Elem())
		}
		written, err := n.write(part)
		if err != nil {
			return nil, err
		}
		all[f.Name] = written
	}
	return all, nil
}
