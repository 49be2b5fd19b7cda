package gen

import (
	"encoding/json"
	"reflect"
	"sync"
)

// JSON refuses a struct with a field of a func or a channel, also where that is nil and there is nothing to write. Structs with such fields
// are written here, field by field; what else they hold is JSON's.

var refusedTypes sync.Map // by type, whether JSON refuses its values

// refused does hasFunc's work, once for each type.
func refused(t reflect.Type) bool {
	known, ok := refusedTypes.Load(t)
	if !ok {
		known = hasFunc(t, map[reflect.Type]bool{})
		refusedTypes.Store(t, known)
	}
	return known.(bool)
}

// hasFunc says whether JSON refuses values of a type because of funcs or channels in fields of structs.
func hasFunc(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] || t.Implements(reflect.TypeFor[json.Marshaler]()) || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Func, reflect.Chan:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return hasFunc(t.Elem(), seen)
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() && hasFunc(f.Type, seen) {
				return true
			}
		}
	}
	return false
}

// marshalFields writes a value as JSON, without funcs and channels that are nil.
func marshalFields(v reflect.Value) ([]byte, error) {
	if !refused(v.Type()) {
		if v.CanAddr() { // its own method may be one of the pointer
			return json.Marshal(v.Addr().Interface())
		}
		return json.Marshal(v.Interface())
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return marshalFields(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			break
		}
		parts := make([]json.RawMessage, v.Len())
		for i := range parts {
			part, err := marshalFields(v.Index(i))
			if err != nil {
				return nil, err
			}
			parts[i] = part
		}
		return json.Marshal(parts)
	case reflect.Struct:
		parts := map[string]json.RawMessage{}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			part, err := marshalFields(v.Field(i))
			if err != nil {
				return nil, err
			}
			parts[f.Name] = part
		}
		return json.Marshal(parts)
	default:
		if !v.IsNil() {
			return nil, &json.UnsupportedTypeError{Type: v.Type()}
		}
	}
	return []byte("null"), nil
}

// unmarshalFields reads what marshalFields wrote.
func unmarshalFields(data []byte, to reflect.Value) error {
	if !refused(to.Type()) {
		return json.Unmarshal(data, to.Addr().Interface())
	}
	if string(data) == "null" {
		return nil
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return unmarshalFields(data, to.Elem())
	case reflect.Slice, reflect.Array:
		var parts []json.RawMessage
		if err := json.Unmarshal(data, &parts); err != nil {
			return err
		}
		if to.Kind() == reflect.Slice {
			to.Set(reflect.MakeSlice(to.Type(), len(parts), len(parts)))
		}
		for i := range min(len(parts), to.Len()) {
			if err := unmarshalFields(parts[i], to.Index(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Struct:
		var parts map[string]json.RawMessage
		if err := json.Unmarshal(data, &parts); err != nil {
			return err
		}
		for i := range to.NumField() {
			part, has := parts[to.Type().Field(i).Name]
			if f := to.Type().Field(i); has && f.IsExported() {
				if err := unmarshalFields(part, to.Field(i)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return &json.UnmarshalTypeError{Value: string(data), Type: to.Type()}
}
