package gen

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/selfsame-ffi/selfsame/internal/engine/wrapping"
)

// fieldsReader reads what writeFields wrote, and counts as that does.
type fieldsReader struct {
	places []reflect.Value // pointers and maps by their numbers; no value for slices
	forms  []form
	shared []reflect.Value // the funcs
}

// readFields returns a func that stores the value of the JSON of writeFields in the variable behind a pointer.
func readFields(forms []form) func(data []byte, pointer any) error {
	return func(data []byte, pointer any) error { return readTree(data, pointer, forms, nil) }
}

func readTree(data []byte, pointer any, forms []form, shared []reflect.Value) error {
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		return err
	}
	r, v := &fieldsReader{forms: forms, shared: shared}, reflect.ValueOf(pointer).Elem()
	if v.Kind() == reflect.Struct {
		return r.fields(tree, v)
	}
	return r.read(tree, v)
}

// as returns a part of the tree as what it must be for a value of a type.
func as[T any](tree any, of reflect.Type) (T, error) {
	part, is := tree.(T)
	if !is {
		return part, fmt.Errorf("expected %T for a %s, got %T", part, of, tree)
	}
	return part, nil
}

func (r *fieldsReader) read(tree any, to reflect.Value) error {
	to = open(to)
	t := to.Type()
	if own := ownForm(to, r.forms); own != nil {
		data, err := bytesOf(tree, t)
		if err != nil {
			return err
		}
		return own.read(data, to.Addr().Interface())
	}
	switch to.Kind() {
	case reflect.Bool:
		value, err := as[bool](tree, t)
		to.SetBool(value)
		return err
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		text, _ := as[json.Number](tree, t)
		value, err := strconv.ParseInt(text.String(), 10, t.Bits())
		to.SetInt(value)
		return err
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		text, _ := as[json.Number](tree, t)
		value, err := strconv.ParseUint(text.String(), 10, t.Bits())
		to.SetUint(value)
		return err
	case reflect.Float32, reflect.Float64:
		value, err := float(tree, t)
		to.SetFloat(value)
		return err
	case reflect.Complex64, reflect.Complex128:
		parts, err := as[[]any](tree, t)
		if err != nil || len(parts) != 2 {
			return fmt.Errorf("expected two numbers for a %s, got %v", t, tree)
		}
		re, err := float(parts[0], t)
		if err != nil {
			return err
		}
		im, err := float(parts[1], t)
		to.SetComplex(complex(re, im))
		return err
	case reflect.String:
		data, err := bytesOf(tree, t)
		to.SetString(string(data))
		return err
	case reflect.Array:
		return r.elements(tree, to)
	case reflect.Struct:
		return r.fields(tree, to)
	}
	if tree == nil {
		return nil
	}
	switch to.Kind() {
	case reflect.Slice:
		return r.slice(tree, to)
	case reflect.Pointer, reflect.Map:
		return r.reference(tree, to)
	case reflect.Func:
		return r.sharedFunc(tree, to)
	case reflect.Interface:
		held, err := as[map[string]any](tree, t)
		for name, value := range held {
			if name == heldFunc {
				return r.sharedFunc(value, to)
			}
			of := heldType(name)
			if of == nil || !of.AssignableTo(t) {
				return fmt.Errorf("a %s cannot hold a %s", t, name)
			}
			made := reflect.New(of).Elem()
			err = r.read(value, made)
			to.Set(made)
		}
		return err
	}
	return fmt.Errorf("a %s cannot be read", t)
}

// sharedFunc stores one of the shared funcs, by its number.
func (r *fieldsReader) sharedFunc(tree any, to reflect.Value) error {
	text, _ := as[json.Number](tree, to.Type())
	number, err := strconv.Atoi(text.String())
	if err != nil || number < 0 || number >= len(r.shared) || !r.shared[number].Type().AssignableTo(to.Type()) {
		return fmt.Errorf("no func for a %s is shared", to.Type())
	}
	to.Set(r.shared[number])
	return nil
}

// heldType returns the type of a name that heldName returned, nil for another name.
func heldType(name string) reflect.Type {
	if t, known := plainTypes[name]; known {
		return t
	}
	if t := wrapping.TypeNamed(name); t != nil {
		return t
	}
	return metType(name)
}

func float(tree any, of reflect.Type) (float64, error) {
	text, err := as[json.Number](tree, of)
	if err != nil {
		return 0, err
	}
	bits, err := strconv.ParseUint(text.String(), 10, 64)
	return math.Float64frombits(bits), err
}

func bytesOf(tree any, of reflect.Type) ([]byte, error) {
	text, err := as[string](tree, of)
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(text)
}

func (r *fieldsReader) elements(tree any, to reflect.Value) error {
	list, err := as[[]any](tree, to.Type())
	if err == nil && len(list) != to.Len() {
		err = fmt.Errorf("expected %d elements for a %s, got %d", to.Len(), to.Type(), len(list))
	}
	for i := 0; err == nil && i < len(list); i++ {
		err = r.read(list[i], to.Index(i))
	}
	return err
}

func (r *fieldsReader) slice(tree any, to reflect.Value) error {
	t := to.Type()
	if t.Elem().Kind() == reflect.Uint8 {
		data, err := bytesOf(tree, t)
		if len(data) > 0 {
			r.places = append(r.places, reflect.Value{})
		}
		to.SetBytes(data)
		return err
	}
	list, err := as[[]any](tree, t)
	if err != nil {
		return err
	}
	if len(list) > 0 && t.Elem().Size() > 0 {
		r.places = append(r.places, reflect.Value{})
	}
	to.Set(reflect.MakeSlice(t, len(list), len(list)))
	return r.elements(tree, to)
}

// reference reads a pointer or a map: one that there is already, by its number, or a new one.
func (r *fieldsReader) reference(tree any, to reflect.Value) error {
	t := to.Type()
	if text, is := tree.(json.Number); is {
		number, err := strconv.Atoi(text.String())
		if err != nil || number < 0 || number >= len(r.places) || !r.places[number].IsValid() || r.places[number].Type() != t {
			return fmt.Errorf("nothing for a %s has the number %s", t, text)
		}
		to.Set(r.places[number])
		return nil
	}
	list, err := as[[]any](tree, t)
	if err != nil {
		return err
	}
	if to.Kind() == reflect.Map {
		to.Set(reflect.MakeMapWithSize(t, len(list)))
		r.places = append(r.places, to)
		return r.entries(list, to)
	}
	if len(list) != 1 {
		return fmt.Errorf("expected one value for a %s, got %d", t, len(list))
	}
	made := reflect.New(t.Elem())
	if made.Type() != t {
		made = made.Convert(t)
	}
	to.Set(made)
	if t.Elem().Kind() != reflect.Struct || ownForm(made.Elem(), r.forms) != nil {
		r.places = append(r.places, made)
	}
	return r.read(list[0], made.Elem())
}

func (r *fieldsReader) entries(list []any, to reflect.Value) error {
	for _, one := range list {
		pair, err := as[[]any](one, to.Type())
		if err != nil || len(pair) != 2 {
			return fmt.Errorf("expected a key and a value of a %s, got %v", to.Type(), one)
		}
		key, value := reflect.New(to.Type().Key()).Elem(), reflect.New(to.Type().Elem()).Elem()
		if err := (&fieldsReader{forms: r.forms}).read(pair[0], key); err != nil {
			return err
		}
		if err := r.read(pair[1], value); err != nil {
			return err
		}
		to.SetMapIndex(key, value)
	}
	return nil
}

func (r *fieldsReader) fields(tree any, to reflect.Value) error {
	t := to.Type()
	if t.Size() > 0 {
		r.places = append(r.places, to.Addr())
	}
	parts, err := as[map[string]any](tree, t)
	known := 0
	for i := 0; err == nil && i < t.NumField(); i++ {
		if part, has := parts[t.Field(i).Name]; has {
			known++
			err = r.read(part, to.Field(i))
		}
	}
	if err == nil && known < len(parts) {
		err = fmt.Errorf("a %s has not all of %d fields", t, len(parts))
	}
	return err
}
