package handles

import (
	"reflect"
	"strings"
)

const frontend = "github.com/selfsame-ffi/selfsame"

// mostLooks is the number of values that reachesState looks at before it gives up.
const mostLooks = 64

// reachesState says whether a State can be reached from a Go value, or what it does not look into.
func reachesState(value any) bool {
	looks := mostLooks
	return reaches(reflect.ValueOf(value), &looks)
}

func reaches(v reflect.Value, looks *int) bool {
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
		return reaches(v.Elem(), looks)
	case reflect.Struct:
		for i := range v.NumField() {
			if reaches(v.Field(i), looks) {
				return true
			}
		}
		return false
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if reaches(v.Index(i), looks) {
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
