package arrow

// #cgo CFLAGS: -I${SRCDIR}/../../../abi/include -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -O2
// #include "memory.h"
import "C"

import (
	"errors"
	"math"
	"reflect"
	"time"
	"unicode/utf8"
	"unsafe"

	_ "github.com/selfsame-ffi/selfsame/abi/include" // the headers, see there
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Schema makes the released ArrowSchema at out that of the form, which the caller owns.
func (f *Form) Schema(out unsafe.Pointer) error { return f.schema((*C.SsArrowSchema)(out), "", false) }

func (f *Form) schema(out *C.SsArrowSchema, name string, nullable bool) error {
	switch f.kind {
	case pointer:
		return f.of.schema(out, name, true)
	case timestamp:
		nullable = true
	}
	parts := f.fields
	if f.of != nil {
		parts = []field{{name: "item", form: f.of}}
	}
	flags := C.int64_t(0)
	if nullable {
		flags = C.SS_ARROW_NULLABLE
	}
	if C.ss_arrow_schema_init(out, (*C.char)(unsafe.Pointer(unsafe.StringData(f.format))), C.size_t(len(f.format)),
		(*C.char)(unsafe.Pointer(unsafe.StringData(name))), C.size_t(len(name)), flags, C.int64_t(len(parts))) != 0 {
		return noMemory()
	}
	children := unsafe.Slice(out.children, len(parts))
	for i, part := range parts {
		if err := part.form.schema(children[i], part.name, nullable && f.kind != list); err != nil {
			C.ss_arrow_schema_release(out)
			return err
		}
	}
	return nil
}

// Live returns how many Arrow structs of this package are not released. For tests.
func Live() int { return int(C.ss_arrow_live()) }

func noMemory() error { return fault.New("MemoryError", "out of memory for Arrow columns") }

// errTooLong is the reason why an array cannot have so many rows.
var errTooLong = errors.New("too long")

// Array makes the released ArrowArray at out one of values of a slice, from start on: of as many as one array can hold if some is
// true, else of all. It returns how many those are. The caller owns the array.
func (f *Form) Array(slice reflect.Value, start int, some bool, out unsafe.Pointer) (n int, err error) {
	for n = slice.Len() - start; ; n /= 2 {
		rows := places{n: n, stride: f.Type.Size()}
		if n > 0 {
			rows.first = slice.Index(start).Addr().UnsafePointer()
		}
		made := (*C.SsArrowArray)(out)
		err = f.array(made, rows, "")
		if err == nil && made.null_count > 0 { // a table has no rows that are null
			C.ss_arrow_array_release(made)
			return 0, fault.New("ValueError", "%s: a nil pointer is no row", f.of.Type)
		}
		if err != errTooLong {
			return n, err
		}
		if !some || n < 2 {
			return 0, fault.New("OverflowError", "more than 2 GB of text, bytes or elements of lists in one Arrow array; take __arrow_c_stream__")
		}
	}
}

// array makes *out the array of the values at some places, in a column of a name.
func (f *Form) array(out *C.SsArrowArray, rows places, name string) error {
	if f.kind == pointer {
		return f.of.array(out, rows.targets(), name)
	}
	buffers := map[kind]C.int64_t{text: 3, binary: 3, record: 1, fixedList: 1}[f.kind]
	if buffers == 0 {
		buffers = 2
	}
	children := len(f.fields)
	if f.of != nil {
		children = 1
	}
	if C.ss_arrow_array_init(out, C.int64_t(rows.n), buffers, C.int64_t(children)) != 0 {
		return noMemory()
	}
	err := f.write(out, &rows, name)
	if err == nil {
		err = nulls(out, &rows, f.kind == timestamp)
	}
	if err != nil {
		C.ss_arrow_array_release(out)
	}
	return err
}

func (f *Form) write(out *C.SsArrowArray, rows *places, name string) error {
	children := unsafe.Slice(out.children, out.n_children)
	switch f.kind {
	case boolean:
		bits := buffer[byte](out, 1, (rows.n+7)/8, true)
		if bits == nil {
			return noMemory()
		}
		for i := range rows.n {
			if p := rows.of(i); p != nil && *(*bool)(p) {
				bits[i/8] |= 1 << (i % 8)
			}
		}
		return nil
	case number:
		switch f.Type.Size() {
		case 1:
			return copyWords[uint8](out, rows)
		case 2:
			return copyWords[uint16](out, rows)
		case 4:
			return copyWords[uint32](out, rows)
		}
		return copyWords[uint64](out, rows)
	case timestamp:
		return fillTimes(out, rows, name)
	case text, binary:
		return fillTexts(out, rows, name, f.kind == text)
	case fixedBinary:
		size := f.Type.Len()
		data := buffer[byte](out, 1, rows.n*size, true)
		if data == nil {
			return noMemory()
		}
		for i := range rows.n {
			if p := rows.of(i); p != nil {
				copy(data[i*size:], unsafe.Slice((*byte)(p), size))
			}
		}
		return nil
	case list:
		elements, err := f.elements(out, rows)
		if err != nil {
			return err
		}
		return f.of.array(children[0], elements, name)
	case fixedList:
		at := make([]unsafe.Pointer, 0, rows.n*f.Type.Len())
		for i := range rows.n {
			p := rows.of(i)
			for j := range f.Type.Len() {
				at = append(at, add(p, uintptr(j)*f.of.Type.Size()))
			}
		}
		return f.of.array(children[0], places{n: len(at), at: at}, name)
	}
	for i, column := range f.fields {
		if err := column.form.array(children[i], rows.field(column.offset), dotted(name, column.name)); err != nil {
			return err
		}
	}
	return nil
}

// dotted names a column within another.
func dotted(name, part string) string {
	if name == "" {
		return part
	}
	return name + "." + part
}

// buffer allocates a buffer of an array for n elements; nil when out of memory.
func buffer[E any](out *C.SsArrowArray, at C.int64_t, n int, zeroed bool) []E {
	zeros := C.int(0)
	if zeroed {
		zeros = 1
	}
	made := C.ss_arrow_buffer(out, at, C.size_t(n)*C.size_t(unsafe.Sizeof(*new(E))), zeros)
	if made == nil {
		return nil
	}
	return unsafe.Slice((*E)(made), n)
}

// nulls marks what is not there, and times that are not set, if there are any.
func nulls(out *C.SsArrowArray, rows *places, times bool) error {
	if rows.at == nil && !times {
		return nil
	}
	isNull := func(i int) bool {
		p := rows.of(i)
		return p == nil || times && (*time.Time)(p).IsZero()
	}
	count := 0
	for i := range rows.n {
		if isNull(i) {
			count++
		}
	}
	if count == 0 {
		return nil
	}
	bits := buffer[byte](out, 0, (rows.n+7)/8, true)
	if bits == nil {
		return noMemory()
	}
	for i := range rows.n {
		if !isNull(i) {
			bits[i/8] |= 1 << (i % 8)
		}
	}
	out.null_count = C.int64_t(count)
	return nil
}

func copyWords[W any](out *C.SsArrowArray, rows *places) error {
	words := buffer[W](out, 1, rows.n, rows.at != nil)
	if words == nil {
		return noMemory()
	}
	if rows.at == nil {
		for i := range words {
			words[i] = *(*W)(unsafe.Add(rows.first, uintptr(i)*rows.stride))
		}
		return nil
	}
	for i := range words {
		if p := rows.of(i); p != nil {
			words[i] = *(*W)(p)
		}
	}
	return nil
}

// The seconds at the ends of the times that 64 bits of nanoseconds hold.
const earliest, latest = math.MinInt64 / 1_000_000_000, math.MaxInt64 / 1_000_000_000

func fillTimes(out *C.SsArrowArray, rows *places, name string) error {
	since := buffer[int64](out, 1, rows.n, true)
	if since == nil {
		return noMemory()
	}
	for i := range since {
		p := (*time.Time)(rows.of(i))
		if p == nil || p.IsZero() {
			continue
		}
		seconds := p.Unix()
		if since[i] = p.UnixNano(); seconds <= earliest || seconds >= latest {
			return fault.New("OverflowError", "column '%s': the time %s of row %d is not in the years 1678 to 2262, whose nanoseconds Arrow counts",
				name, p.Format(time.RFC3339), i)
		}
	}
	return nil
}

// offsets fills the offsets of what values of given lengths have, and returns how much that is.
func offsets(out *C.SsArrowArray, rows *places, length func(p unsafe.Pointer) int) (ends []int32, err error) {
	if ends = buffer[int32](out, 1, rows.n+1, false); ends == nil {
		return nil, noMemory()
	}
	total := 0
	for i := range rows.n {
		ends[i] = int32(total)
		if p := rows.of(i); p != nil {
			if total += length(p); total > math.MaxInt32 {
				return nil, errTooLong
			}
		}
	}
	ends[rows.n] = int32(total)
	return ends, nil
}

// fillTexts copies texts or bytes, which both begin with an address and a length.
func fillTexts(out *C.SsArrowArray, rows *places, name string, isText bool) error {
	ends, err := offsets(out, rows, func(p unsafe.Pointer) int { return len(*(*string)(p)) })
	if err != nil {
		return err
	}
	data := buffer[byte](out, 2, int(ends[rows.n]), false)
	if data == nil {
		return noMemory()
	}
	for i := range rows.n {
		if p := rows.of(i); p != nil {
			copy(data[ends[i]:], *(*string)(p))
		}
	}
	if !isText {
		return nil
	}
	valid := utf8.Valid(data)
	for i := range rows.n {
		one := data[ends[i]:ends[i+1]]
		if valid && (len(one) == 0 || utf8.RuneStart(one[0])) || !valid && utf8.Valid(one) {
			continue
		}
		return fault.New("ValueError", "column '%s': the text of row %d is not UTF-8; have a []byte", name, i)
	}
	return nil
}

// sliceHeader is the memory of a slice.
type sliceHeader struct {
	first    unsafe.Pointer
	len, cap int
}

// elements fills the offsets of lists, and returns the places of all their elements.
func (f *Form) elements(out *C.SsArrowArray, rows *places) (all places, err error) {
	ends, err := offsets(out, rows, func(p unsafe.Pointer) int { return (*sliceHeader)(p).len })
	if err != nil {
		return all, err
	}
	at := make([]unsafe.Pointer, 0, ends[rows.n])
	for i := range rows.n {
		if p := (*sliceHeader)(rows.of(i)); p != nil {
			for j := range p.len {
				at = append(at, add(p.first, uintptr(j)*f.of.Type.Size()))
			}
		}
	}
	return places{n: len(at), at: at}, nil
}
