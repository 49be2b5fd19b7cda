package call

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/arrow"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// A result that is a slice of structs crosses to Python as a Function over the slice. The Python class GoRows makes a list of it when
// somebody looks at it, and columns of Arrow when a library of data frames asks for them.
//
// Why such a result is no list. A million structs are a million objects of Python, each made by a call, and what wants columns takes
// them apart again: some seconds. So it is not known before the first use what is to be made of them. The slice is a copy, as the
// list would be; values that have no form in Arrow, and rows that are pointers, are lists at once.

// rowsResult returns the conversion of a result, which is c but for slices of structs. plain: lists are Python's own.
func rowsResult(c *convert.Conv, plain bool) *convert.Conv {
	if c.Element == nil || c.Element.GoType.Kind() != reflect.Struct {
		return c
	}
	form := convert.RowsForm(c.GoType)
	if form == nil {
		return c
	}
	list := c
	if plain {
		list = convert.PlainResult(c)
	}
	var record *convert.Record
	if all := c.Element.Records; len(all) > 0 && all[0].GoType == c.GoType.Elem() {
		record = all[0]
	}
	made := *c
	made.Fast, made.BitsIndex = convert.NoFastPath, convert.NoBitsIndex
	made.Schema = func() string { return rowsSchema("ffi.Array", c.Element) }
	made.To = func(src unsafe.Pointer, v *abi.Any) error {
		if !convert.HasPython() {
			return list.To(src, v)
		}
		return (&rows{form, list, record, convert.CopyRows(reflect.NewAt(c.GoType, src).Elem())}).to(v)
	}
	return &made
}

// rowsSchema returns the schema of a type whose elements are rows.
func rowsSchema(name string, row *convert.Conv) string {
	return `{"type":` + convert.Quote(name) + `,"rows":true,"args":[` + row.Schema() + `]}`
}

// rows is what the Function of a slice of structs does.
type rows struct {
	form   *arrow.Form
	list   *convert.Conv   // of the slice type, with the list that a result would be
	record *convert.Record // nil: the structs are objects
	slice  reflect.Value   // not of a named type
}

// to makes *v the Python object of the rows.
func (r *rows) to(v *abi.Any) error {
	object, err := nativeFunc("rows", false, r.call)
	if err != nil {
		return err
	}
	*v = abi.ObjectValue(object)
	return convert.Repack(v, "rows", abi.Int(int64(r.slice.Len())))
}

// call makes the list if there are no arguments, rows of a list if that is the one argument, and else what [convert.FillArrow] does.
func (r *rows) call(args []abi.Any, result *abi.Any) error {
	memory := reflect.New(r.list.GoType)
	switch len(args) {
	case 0:
		if r.record != nil && r.slice.Len() > 0 {
			return r.record.List(r.slice, result)
		}
		memory.Elem().Set(r.slice.Convert(r.list.GoType))
		return r.list.To(memory.UnsafePointer(), result)
	case 1:
		if err := r.list.From(&args[0], memory.UnsafePointer()); err != nil {
			if m, ok := err.(*convert.Mismatch); ok {
				return m.Refused("", r.list.Name())
			}
			return err
		}
		of := reflect.New(r.slice.Type()).Elem()
		of.Set(memory.Elem().Convert(of.Type()))
		return (&rows{r.form, r.list, r.record, of}).to(result)
	}
	n, err := convert.FillArrow(r.form, r.slice, args)
	*result = abi.Int(int64(n))
	return err
}

// chunk is how many rows of an iterator one Arrow array has.
const chunk = 1 << 16

// rowLoop is the loop over an iterator of structs whose rows become Arrow arrays.
type rowLoop struct {
	form  *arrow.Form
	loop  func(yield func(row reflect.Value, err error) bool)
	chunk reflect.Value // the rows that the loop has yielded last
}

// run yields the number of rows in each chunk.
func (r *rowLoop) run(_ *iteration, yield func(v abi.Any, err error) bool) {
	n := 0
	begin := func() { r.chunk, n = reflect.MakeSlice(reflect.SliceOf(r.form.Type), chunk, chunk), 0 }
	give := func() bool {
		r.chunk = r.chunk.Slice(0, n)
		return yield(abi.Int(int64(n)), nil)
	}
	begin()
	more := true
	r.loop(func(row reflect.Value, err error) bool {
		if err != nil {
			if n > 0 {
				more = give()
			}
			return more && yield(abi.Any{}, err)
		}
		r.chunk.Index(n).Set(row)
		if n++; n == chunk {
			if more = give(); more {
				begin()
			}
		}
		return more
	})
	if more && n > 0 {
		give()
	}
}

// arrow fills an Arrow struct as [convert.FillArrow] does: the array of the next chunk, none at the end. The first row of the first
// one is 0.
func (it *iteration) arrow(args []abi.Any, result *abi.Any) error {
	if len(args) != 3 {
		return fault.New("TypeError", "iterator: expected 3 arguments, got %d", len(args))
	}
	*result = abi.Int(0)
	if what, _ := args[0].Text(); what == "array" {
		if args[2].Int64() == 0 {
			if err := it.byChunks(); err != nil {
				return err
			}
		}
		var n abi.Any
		if err := it.next(&n); err != nil {
			if e, ok := err.(*fault.Error); ok && e.Kind == "StopIteration" {
				return nil
			}
			return err
		}
		args = []abi.Any{args[0], args[1], abi.Int(-1)}
	}
	n, err := convert.FillArrow(it.rows.form, it.rows.chunk, args)
	*result = abi.Int(int64(n))
	return err
}

// byChunks makes a loop that has not begun one of chunks.
func (it *iteration) byChunks() error {
	it.mu.Lock()
	defer it.mu.Unlock()
	if it.started || it.stopped {
		return fault.New("ValueError", "the iterator was begun, and gives its rows once; make a list of the others")
	}
	it.loop, it.lazy = it.rows.run, true
	return nil
}
