package convert

import (
	"reflect"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/arrow"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
)

// Slices of structs as columns of Arrow. The Python package asks for them, and hands over those of others, as addresses of the
// structs in internal/engine/arrow (python/src/selfsame_ffi/_go/arrow.py).

// RowsForm returns the form of the elements of a slice type if they are rows: structs whose fields all have one, or pointers to
// such. It is nil for other types.
func RowsForm(t reflect.Type) *arrow.Form {
	if !HasRows(t) {
		return nil
	}
	form, err := arrow.Of(t.Elem())
	if err != nil || !form.IsRow() {
		return nil
	}
	return form
}

// AcceptsRows says whether From accepts Python objects with columns of Arrow.
func (c *Conv) AcceptsRows() bool { return c.Element != nil && RowsForm(c.GoType) != nil }

// HasRows says whether the elements of a slice type are structs, or pointers to structs, of others than the public package.
func HasRows(t reflect.Type) bool {
	if t == nil || t.Kind() != reflect.Slice {
		return false
	}
	e := t.Elem()
	if e.Kind() == reflect.Pointer {
		e = e.Elem()
	}
	return e.Kind() == reflect.Struct && e != timeType && e != bigIntType.Elem() && !typetable.IsClassStruct(e) && !IsOwn(e) && !embedsOwn(e)
}

// CopyRows returns a slice of its own, not nil and of no named type, for rows that a func has returned, whose elements the func may
// still have. Objects that pointers lead to stay the same.
func CopyRows(rows reflect.Value) reflect.Value {
	t := reflect.SliceOf(rows.Type().Elem())
	if rows.IsNil() {
		return reflect.MakeSlice(t, 0, 0)
	}
	return deepCopy(rows.Convert(t), true)
}

// FillArrow fills an Arrow struct for a slice of rows as Python asks for it: ("schema", address) or ("array", address, first row). An
// array has as many rows as it can hold; with a first row below 0 it has all. It returns the number of its rows.
func FillArrow(form *arrow.Form, rows reflect.Value, args []abi.Any) (n int, err error) {
	if len(args) < 3 || args[1].TypeIndex != abi.IndexInt || args[2].TypeIndex != abi.IndexInt {
		return 0, Mismatched(&args[0])
	}
	what, _ := args[0].Text()
	if what == "schema" {
		return 0, form.Schema(args[1].Pointer())
	}
	first := int(args[2].Int64())
	return form.Array(rows, max(first, 0), first >= 0, args[1].Pointer())
}

// isArrow says whether a borrowed Python object has columns of Arrow for elements of a type. Where that has a class, what Go code made has
// the very elements: columns would make others, without the fields that are not exported.
func isArrow(v *abi.Any, element reflect.Type) bool {
	made, err := Unpack("isarrow", v, abi.Bool(IsForeign(element)))
	return err == nil && made.Int64() != 0
}

// readArrow stores in rows, a slice, what a borrowed Python object has as columns of Arrow; done is false for other objects.
func readArrow(form *arrow.Form, v *abi.Any, rows reflect.Value) (done bool, err error) {
	parts, err := Unpack("arrow", v, abi.Bool(IsForeign(rows.Type().Elem())))
	if _, other := err.(*Mismatch); other {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	defer values.Release(parts) // with the capsules
	var made reflect.Value
	if items := abi.SeqOf(parts.Pointer()).Items(); len(items) == 2 {
		made, err = form.FromStream(items[0].Pointer())
	} else {
		made, err = form.FromArray(items[0].Pointer(), items[1].Pointer())
	}
	if err == nil {
		rows.Set(made.Convert(rows.Type()))
	}
	return true, err
}
