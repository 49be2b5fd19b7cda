package arrow

// #include "memory.h"
import "C"

import (
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

type (
	schema = C.SsArrowSchema
	array  = C.SsArrowArray
)

// A reader stores values of an array, from the one with the number from on, at as many places.
type reader func(a *array, from int, to *places) error

// FromStream returns a slice of what the ArrowArrayStream at an address has, whose arrays are of structs. It releases the stream.
func (f *Form) FromStream(stream unsafe.Pointer) (made reflect.Value, err error) {
	s := (*C.SsArrowStream)(stream)
	defer C.ss_arrow_stream_release(s)
	if s.release == nil {
		return made, fault.New("ValueError", "the Arrow stream was read already")
	}
	failed := func(status C.int) error {
		why := "it gives no reason"
		if text := C.ss_arrow_last_error(s); text != nil {
			why = C.GoString(text)
		}
		return fault.New("RuntimeError", "the Arrow stream fails with the errno %d: %s", int(status), why)
	}
	ofType := new(schema) // C writes there, and into the arrays; this memory of Go has no pointers to Go's
	if status := C.ss_arrow_get_schema(s, ofType); status != 0 {
		return made, failed(status)
	}
	defer C.ss_arrow_schema_release(ofType)
	read, err := f.rows(ofType)
	if err != nil {
		return made, err
	}
	var arrays []*array
	defer func() {
		for _, a := range arrays {
			C.ss_arrow_array_release(a)
		}
	}()
	n := 0
	for {
		next := new(array)
		if status := C.ss_arrow_get_next(s, next); status != 0 {
			return made, failed(status)
		}
		if next.release == nil {
			break
		}
		arrays = append(arrays, next)
		n += int(next.length)
	}
	return f.collect(read, arrays, n)
}

// FromArray returns a slice of what the ArrowArray at an address has, an array of structs with the ArrowSchema at the other. It
// releases both.
func (f *Form) FromArray(ofType, values unsafe.Pointer) (made reflect.Value, err error) {
	s, a := (*schema)(ofType), (*array)(values)
	defer C.ss_arrow_schema_release(s)
	defer C.ss_arrow_array_release(a)
	if s.release == nil || a.release == nil {
		return made, fault.New("ValueError", "the Arrow array was read already")
	}
	read, err := f.rows(s)
	if err != nil {
		return made, err
	}
	return f.collect(read, []*array{a}, int(a.length))
}

// rows returns what reads rows.
func (f *Form) rows(s *schema) (reader, error) {
	if format := C.GoString(s.format); format != "+s" {
		return nil, fault.New("TypeError", "expected an Arrow table or an array of structs, got %s", wordsOf(format))
	}
	return f.reader(s, "")
}

func (f *Form) collect(read reader, arrays []*array, n int) (reflect.Value, error) {
	made := reflect.MakeSlice(reflect.SliceOf(f.Type), n, n)
	done := 0
	for _, a := range arrays {
		to := places{n: int(a.length), stride: f.Type.Size()}
		if to.n == 0 {
			continue
		}
		to.first = made.Index(done).Addr().UnsafePointer()
		if err := read(a, 0, &to); err != nil {
			return made, err
		}
		done += to.n
	}
	return made, nil
}

// refused returns the error for a column of another type than the form's.
func (f *Form) refused(name, format string) error {
	return fault.New("TypeError", "column '%s': expected %s, got %s", name, f.words(), wordsOf(format))
}

// reader returns what reads a column of a type into values of the form.
func (f *Form) reader(s *schema, name string) (read reader, err error) {
	if f.kind == pointer {
		inner, err := f.of.reader(s, name)
		if err != nil {
			return nil, err
		}
		return f.pointers(inner), nil
	}
	format := C.GoString(s.format)
	switch {
	case s.dictionary != nil:
		values, err := f.reader(s.dictionary, name)
		if err != nil {
			return nil, err
		}
		if read = f.dictionary(format, values); read == nil {
			return nil, f.refused(name, format)
		}
	case format == "n":
		read = func(*array, int, *places) error { return nil }
	case f.kind == record:
		if format != "+s" {
			return nil, f.refused(name, format)
		}
		if read, err = f.columns(s, name); err != nil {
			return nil, err
		}
	case f.kind == list || f.kind == fixedList:
		if read, err = f.lists(s, format, name); err != nil {
			return nil, err
		}
	case f.kind == text:
		read = f.texts(format, "u", name)
	case f.kind == binary:
		read = f.texts(format, "z", name)
	case f.kind == fixedBinary:
		if format == f.format {
			read = readFixed(f.Type.Len())
		}
	case f.kind == boolean:
		if format == "b" {
			read = readBools
		}
	case f.kind == number && strings.HasPrefix(format, "d:"):
		read = f.decimals(format, name)
	default:
		read = f.numbers(format, name)
	}
	if read == nil {
		return nil, f.refused(name, format)
	}
	return f.withNulls(read, name, format == "n"), nil
}

// isNull says whether value i of an array is null.
func isNull(a *array, i int) bool {
	if a.n_buffers == 0 {
		return false
	}
	bits := unsafe.Slice(a.buffers, 1)[0]
	at := int(a.offset) + i
	return bits != nil && *(*byte)(unsafe.Add(bits, at/8))>>(at%8)&1 == 0
}

// data returns a buffer of an array.
func data(a *array, i int) unsafe.Pointer { return unsafe.Slice(a.buffers, a.n_buffers)[i] }

// withNulls makes a reader leave out what is null, where the zero value stands for that.
func (f *Form) withNulls(read reader, name string, all bool) reader {
	accepts := f.kind == binary || f.kind == list || f.kind == timestamp
	return func(a *array, from int, to *places) error {
		if !all && a.null_count == 0 {
			return read(a, from, to)
		}
		var without []unsafe.Pointer
		for i := range to.n {
			if !all && !isNull(a, from+i) {
				continue
			}
			if to.of(i) == nil { // a pointer is nil, or what the value is in is null
				continue
			}
			if !accepts {
				return fault.New("ValueError", "column '%s': row %d is null, expected %s; have a pointer in Go", name, from+i, f.words())
			}
			if without == nil {
				without = make([]unsafe.Pointer, to.n)
				for j := range to.n {
					without[j] = to.of(j)
				}
			}
			without[i] = nil
		}
		if without != nil {
			to = &places{n: to.n, at: without}
		}
		return read(a, from, to)
	}
}

// pointers returns what makes pointers to what read reads, nil for null.
func (f *Form) pointers(read reader) reader {
	return func(a *array, from int, to *places) error {
		values := reflect.MakeSlice(reflect.SliceOf(f.of.Type), to.n, to.n)
		at := make([]unsafe.Pointer, to.n)
		all := a.n_buffers == 0 && a.n_children == 0 // of the type null
		for i := range at {
			if p := to.of(i); p != nil && !all && !isNull(a, from+i) {
				at[i] = values.Index(i).Addr().UnsafePointer()
				*(*unsafe.Pointer)(p) = at[i]
			}
		}
		return read(a, from, &places{n: to.n, at: at})
	}
}

// columns returns what reads structs, by the names of their fields in Python or in Go.
func (f *Form) columns(s *schema, name string) (reader, error) {
	children := unsafe.Slice(s.children, s.n_children)
	type column struct {
		at   int
		to   uintptr
		read reader
	}
	var columns []column
	for _, part := range f.fields {
		at := -1
		for i, child := range children {
			if n := C.GoString(child.name); n == part.name || n == part.goName && at < 0 {
				at = i
			}
		}
		if at < 0 {
			if part.form.kind == pointer {
				continue
			}
			return nil, fault.New("TypeError", "expected a column '%s' of %s, got %s", dotted(name, part.name), part.form.words(), namesOf(children))
		}
		read, err := part.form.reader(children[at], dotted(name, part.name))
		if err != nil {
			return nil, err
		}
		columns = append(columns, column{at, part.offset, read})
	}
	return func(a *array, from int, to *places) error {
		for _, c := range columns {
			part := to.field(c.to)
			if err := c.read(unsafe.Slice(a.children, a.n_children)[c.at], int(a.offset)+from, &part); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func namesOf(children []*schema) string {
	if len(children) == 0 {
		return "no columns"
	}
	names := make([]string, len(children))
	for i, child := range children {
		names[i] = C.GoString(child.name)
	}
	return "the columns " + strings.Join(names, ", ")
}

// dictionary returns what reads values that indices stand for; nil for a type that is no index.
func (f *Form) dictionary(format string, values reader) reader {
	load := loads[format]
	if load == nil {
		return nil
	}
	return func(a *array, from int, to *places) error {
		n := int(a.dictionary.length)
		known := reflect.MakeSlice(reflect.SliceOf(f.Type), n, n)
		all := places{n: n, stride: f.Type.Size()}
		if n > 0 {
			all.first = known.Index(0).Addr().UnsafePointer()
		}
		if err := values(a.dictionary, 0, &all); err != nil {
			return err
		}
		indices := data(a, 1)
		for i := range to.n {
			if p := to.of(i); p != nil {
				at := load(indices, int(a.offset)+from+i)
				if at < 0 || at >= int64(n) {
					return fault.New("ValueError", "index %d of a dictionary of %d values", at, n)
				}
				reflect.NewAt(f.Type, p).Elem().Set(known.Index(int(at)))
			}
		}
		return nil
	}
}

// lists returns what reads lists: nil for those of another type.
func (f *Form) lists(s *schema, format, name string) (reader, error) {
	var end func(offsets unsafe.Pointer, i int) int
	short, long := loads["i"], loads["l"]
	length := lengthOf(format)
	switch {
	case format == "+l":
		end = func(offsets unsafe.Pointer, i int) int { return int(short(offsets, i)) }
	case format == "+L":
		end = func(offsets unsafe.Pointer, i int) int { return int(long(offsets, i)) }
	case length >= 0:
		end = func(_ unsafe.Pointer, i int) int { return i * length }
	default:
		return nil, f.refused(name, format)
	}
	read, err := f.of.reader(*s.children, name)
	if err != nil {
		return nil, err
	}
	return func(a *array, from int, to *places) error {
		var ends unsafe.Pointer
		if length < 0 {
			ends = data(a, 1)
		}
		first := int(a.offset) + from
		begin := end(ends, first)
		n := end(ends, first+to.n) - begin
		if f.kind == fixedList {
			at := make([]unsafe.Pointer, n)
			for i := range to.n {
				p, k := to.of(i), end(ends, first+i)-begin
				if p != nil && end(ends, first+i+1)-begin-k != f.Type.Len() {
					return fault.New("ValueError", "column '%s': expected %s, got %d in row %d", name, f.words(), end(ends, first+i+1)-begin-k, from+i)
				}
				for j := range f.Type.Len() {
					if p != nil {
						at[k+j] = add(p, uintptr(j)*f.of.Type.Size())
					}
				}
			}
			return read(*a.children, begin, &places{n: n, at: at})
		}
		all := reflect.MakeSlice(reflect.SliceOf(f.of.Type), n, n)
		if n > 0 {
			elements := places{n: n, first: all.UnsafePointer(), stride: f.of.Type.Size()}
			if err := read(*a.children, begin, &elements); err != nil {
				return err
			}
		}
		for i := range to.n {
			if p := to.of(i); p != nil {
				from, to := end(ends, first+i)-begin, end(ends, first+i+1)-begin
				reflect.NewAt(f.Type, p).Elem().Set(all.Slice3(from, to, to).Convert(f.Type))
			}
		}
		return nil
	}, nil
}

// lengthOf returns the length of all lists of a type, -1 where each has its own.
func lengthOf(format string) int {
	digits, ok := strings.CutPrefix(format, "+w:")
	if n, err := strconv.Atoi(digits); ok && err == nil {
		return n
	}
	return -1
}
