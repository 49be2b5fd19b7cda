package convert

import (
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
)

// Slices and maps of numbers, bools and text are converted by loops that the compiler knows the types of, without a call
// for each element. A loop gives up at the first element of another type; then the general conversion converts all again,
// and finds what is wrong or how such an element converts.

// reads is the conversion of one element: false when its value has another type.
type reads[E any] func(v *abi.Any) (e E, ok bool)

func readsInt64(v *abi.Any) (int64, bool) { return v.Int64(), v.TypeIndex == abi.IndexInt }

func readsFloat64(v *abi.Any) (float64, bool) { return v.Float64(), v.TypeIndex == abi.IndexFloat }

func readsBool(v *abi.Any) (bool, bool) { return v.Bits != 0, v.TypeIndex == abi.IndexBool }

// inBulk says whether there is a loop for elements of the type.
func inBulk(inner *Conv) bool {
	switch inner.Fast {
	case FastInt64, FastFloat64, FastBool, FastString:
		return true
	}
	return false
}

// bulkSlice stores at dst a slice of the elements. It returns false, and stores nothing, when an element has another type or
// there is no loop for the type of the elements. lent: they are lent values.
func bulkSlice(inner *Conv, items []abi.Any, dst unsafe.Pointer, lent bool) bool {
	switch inner.Fast {
	case FastInt64:
		return readSlice(items, dst, readsInt64)
	case FastFloat64:
		return readSlice(items, dst, readsFloat64)
	case FastBool:
		return readSlice(items, dst, readsBool)
	case FastString:
		return readSlice(items, dst, textReader(len(items), lent))
	}
	return false
}

func readSlice[E any](items []abi.Any, dst unsafe.Pointer, read reads[E]) bool {
	out := make([]E, len(items))
	for i := range items {
		e, ok := read(&items[i])
		if !ok {
			return false
		}
		out[i] = e
	}
	*(*[]E)(dst) = out // a slice of any type with such elements has this layout
	return true
}

// mapEntries are the keys and values that a Go map is made of: those of a container, or lent ones in turn.
type mapEntries struct {
	cell *container.Cell // nil: lent
	lent []abi.Any
	text reads[string] // how text among them is read; set by bulkMap
}

// count returns the number of keys and values.
func (e mapEntries) count() int {
	if e.cell == nil {
		return len(e.lent)
	}
	return 2 * int(e.cell.Size)
}

// mapInBulk says whether there is a loop for maps of the types.
func mapInBulk(key, value *Conv) bool {
	return (key.Fast == FastString || key.Fast == FastInt64) && (inBulk(value) || value.GoType == AnyType)
}

// bulkMap fills a Go map as bulkSlice fills a slice.
func bulkMap(key, value *Conv, entries mapEntries, dst unsafe.Pointer) bool {
	if key.Fast == FastString || value.Fast == FastString {
		entries.text = textReader(entries.count(), entries.cell == nil)
	}
	switch key.Fast {
	case FastString:
		return mapWithKeys(entries, value, dst, entries.text)
	case FastInt64:
		return mapWithKeys(entries, value, dst, readsInt64)
	}
	return false
}

func mapWithKeys[K comparable](entries mapEntries, value *Conv, dst unsafe.Pointer, key reads[K]) bool {
	switch {
	case value.Fast == FastInt64:
		return readMap(entries, dst, key, readsInt64)
	case value.Fast == FastFloat64:
		return readMap(entries, dst, key, readsFloat64)
	case value.Fast == FastString:
		return readMap(entries, dst, key, entries.text)
	case value.Fast == FastBool:
		return readMap(entries, dst, key, readsBool)
	case value.GoType == AnyType:
		return readMap(entries, dst, key, func(v *abi.Any) (e any, ok bool) {
			return e, value.From(v, unsafe.Pointer(&e)) == nil
		})
	}
	return false
}

func readMap[K comparable, V any](entries mapEntries, dst unsafe.Pointer, key reads[K], value reads[V]) bool {
	if entries.cell == nil {
		return readLentMap(entries.lent, dst, key, value)
	}
	out := make(map[K]V, entries.cell.Size)
	for pair := range entries.cell.All {
		k, ok := key(&pair.Key)
		if !ok {
			return false
		}
		v, ok := value(&pair.Value)
		if !ok {
			return false
		}
		out[k] = v
	}
	*(*map[K]V)(dst) = out // as is a map of any types with the same kinds
	return true
}

func readLentMap[K comparable, V any](lent []abi.Any, dst unsafe.Pointer, key reads[K], value reads[V]) bool {
	out := make(map[K]V, len(lent)/2)
	for i := 0; i+1 < len(lent); i += 2 {
		k, ok := key(&lent[i])
		if !ok {
			return false
		}
		v, ok := value(&lent[i+1])
		if !ok {
			return false
		}
		out[k] = v
	}
	*(*map[K]V)(dst) = out
	return true
}

// writes appends a value of an element to views, which borrow text from the views' own memory. It returns false for an
// element that needs the general conversion.
type writes[E any] func(w *bulkWriter, e E) bool

// bulkWriter has the values of a container that is about to be made in one call into C. Text lies in Go memory, each with
// a terminating zero, as the ABI has it.
type bulkWriter struct {
	views []abi.Any
	texts []byte
	at    []int // for each text in views: its number there
}

// bulkWriters has writers that are not in use: new memory for each result would make Go's collector run twice as often.
var bulkWriters = sync.Pool{New: func() any { return new(bulkWriter) }}

// maxPooled is the number of values, and of bytes of text, up to which the memory of a writer is kept.
const maxPooled = 1 << 16

// newBulkWriter returns an empty writer with room for a number of values. The caller must call done.
func newBulkWriter(values int) *bulkWriter {
	w := bulkWriters.Get().(*bulkWriter)
	if cap(w.views) < values {
		w.views = make([]abi.Any, 0, values)
	}
	return w
}

// done gives the writer back. Its values must not be used any more.
func (w *bulkWriter) done() {
	if cap(w.views) <= maxPooled && cap(w.texts) <= maxPooled {
		w.views, w.texts, w.at = w.views[:0], w.texts[:0], w.at[:0]
		bulkWriters.Put(w)
	}
}

func writesInt64(w *bulkWriter, n int64) bool { w.views = append(w.views, abi.Int(n)); return true }

func writesFloat64(w *bulkWriter, x float64) bool {
	w.views = append(w.views, abi.Float(x))
	return true
}

func writesBool(w *bulkWriter, b bool) bool { w.views = append(w.views, abi.Bool(b)); return true }

func writesText(w *bulkWriter, s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	if small, ok := abi.SmallStr(s); ok {
		w.views = append(w.views, small)
		return true
	}
	if strings.IndexByte(s, 0) >= 0 {
		return false
	}
	w.at = append(w.at, len(w.views))
	w.views = append(w.views, abi.Any{TypeIndex: abi.IndexRawStr, Bits: uint64(len(w.texts))})
	w.texts = append(append(w.texts, s...), 0)
	return true
}

// makesContainer makes the container of a type index of borrowed views: newNative, or newPython.
type makesContainer func(index int32, views []abi.Any) (abi.Any, error)

func newNative(index int32, views []abi.Any) (abi.Any, error) {
	object, err := values.NewContainer(index, views)
	if err != nil {
		return abi.Any{}, err
	}
	return abi.ObjectValue(object), nil
}

// container makes the container of the values. The values of text get their addresses here, when texts grows no more.
func (w *bulkWriter) container(index int32, maker makesContainer) (abi.Any, error) {
	for _, i := range w.at {
		w.views[i].Bits = uint64(uintptr(unsafe.Pointer(&w.texts[w.views[i].Bits])))
	}
	made, err := maker(index, w.views)
	runtime.KeepAlive(w.texts)
	return made, err
}

// bulkArray makes an Array of a slice with n elements at first; ok is false when that needs the general conversion.
func bulkArray(inner *Conv, first unsafe.Pointer, n int, maker makesContainer) (made abi.Any, ok bool, err error) {
	switch inner.Fast {
	case FastInt64, FastFloat64:
		return wordArray(inner.Plain, unsafe.Slice((*uint64)(first), n), maker)
	case FastBool:
		return writeArray(unsafe.Slice((*bool)(first), n), maker, writesBool)
	case FastString:
		return writeArray(unsafe.Slice((*string)(first), n), maker, writesText)
	}
	return abi.Any{}, false, nil
}

// wordArray does bulkArray's work for elements whose 8 bytes are the values of a type index.
func wordArray(index int32, words []uint64, maker makesContainer) (made abi.Any, ok bool, err error) {
	w := newBulkWriter(len(words))
	defer w.done()
	w.views = w.views[:len(words)]
	for i, word := range words {
		w.views[i] = abi.Any{TypeIndex: index, Bits: word}
	}
	made, err = w.container(abi.IndexArray, maker)
	return made, true, err
}

func writeArray[E any](elems []E, maker makesContainer, write writes[E]) (made abi.Any, ok bool, err error) {
	w := newBulkWriter(len(elems))
	defer w.done()
	for _, e := range elems {
		if !write(w, e) {
			return abi.Any{}, false, nil
		}
	}
	made, err = w.container(abi.IndexArray, maker)
	return made, true, err
}

// bulkMapObject does bulkArray's work for the Go map at src.
func bulkMapObject(key, value *Conv, src unsafe.Pointer, maker makesContainer) (made abi.Any, ok bool, err error) {
	switch key.Fast {
	case FastString:
		return mapObjectOf(value, src, maker, writesText)
	case FastInt64:
		return mapObjectOf(value, src, maker, writesInt64)
	}
	return abi.Any{}, false, nil
}

func mapObjectOf[K comparable](value *Conv, src unsafe.Pointer, maker makesContainer, key writes[K]) (abi.Any, bool, error) {
	switch value.Fast {
	case FastInt64:
		return writeMap(*(*map[K]int64)(src), maker, key, writesInt64)
	case FastFloat64:
		return writeMap(*(*map[K]float64)(src), maker, key, writesFloat64)
	case FastString:
		return writeMap(*(*map[K]string)(src), maker, key, writesText)
	case FastBool:
		return writeMap(*(*map[K]bool)(src), maker, key, writesBool)
	}
	return abi.Any{}, false, nil
}

func writeMap[K comparable, V any](m map[K]V, maker makesContainer, key writes[K], value writes[V]) (made abi.Any, ok bool,
	err error,
) {
	w := newBulkWriter(2 * len(m))
	defer w.done()
	for k, v := range m {
		if !key(w, k) || !value(w, v) {
			return abi.Any{}, false, nil
		}
	}
	made, err = w.container(abi.IndexMap, maker)
	return made, true, err
}
