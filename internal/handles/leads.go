package handles

import (
	"reflect"
	"strings"
)

const frontend = "github.com/selfsame-ffi/selfsame"

// mostLooks is the number of values that leadsToState looks at before it gives up.
const mostLooks = 64

// leadsToState says whether a Go value leads to a State, or to what it does not look into.
func leadsToState(value any) bool {
	looks := mostLooks
	return leads(reflect.ValueOf(value), &looks)
}

func leads(v reflect.Value, looks *int) bool {
	if *looks--; *looks < 0 {
		return true
	}
	switch k := v.Kind(); k {
	case reflect.Invalid, reflect.String:
		return false
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return false
		}
		if k == reflect.Pointer && isHandle(v.Type().Elem()) {
			return true
		}
		return leads(v.Elem(), looks)
	case reflect.Struct:
		for i := range v.NumField() {
			if leads(v.Field(i), looks) {
				return true
			}
		}
		return false
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if leads(v.Index(i), looks) {
				return true
			}
		}
		return false
	}
	return v.Kind() > reflect.Complex128 || v.Kind() == reflect.Uintptr
}

// isHandle says whether a pointer to a type is a State under another name: the frontend has no other pointers that errors lead
// to, except those of its errors.
func isHandle(t reflect.Type) bool {
	path := t.PkgPath()
	return path == frontend || strings.HasPrefix(path, frontend+"/internal/") && path != frontend+"/internal/fault"
}
