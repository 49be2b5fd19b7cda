package clayout

import (
	"reflect"
	"testing"
)

// Compare fails the test unless the mirrors, one value of each Go type, have the sizes and field offsets of their C types.
func Compare(t *testing.T, mirrors []any, sizes, offsets map[string]uintptr) {
	t.Helper()
	if len(mirrors) != len(sizes) {
		t.Errorf("%d mirrors, %d C types", len(mirrors), len(sizes))
	}
	checked := 0
	for _, mirror := range mirrors {
		typ := reflect.TypeOf(mirror)
		if want, ok := sizes[typ.Name()]; !ok || typ.Size() != want {
			t.Errorf("%s has %d bytes, in C %d", typ.Name(), typ.Size(), want)
		}
		for i := range typ.NumField() {
			field := typ.Field(i)
			if field.Name == "_" {
				continue
			}
			name := typ.Name() + "." + field.Name
			if want, ok := offsets[name]; !ok || field.Offset != want {
				t.Errorf("%s is at %d, in C at %d (known: %v)", name, field.Offset, want, ok)
			}
			checked++
		}
	}
	if checked != len(offsets) {
		t.Errorf("%d fields checked, C has %d", checked, len(offsets))
	}
}
