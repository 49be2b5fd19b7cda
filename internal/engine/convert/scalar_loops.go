package convert

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
)

// Slices and maps of numbers, bools and text are converted by loops that the compiler knows the types of, without a call
// for each element. A loop gives up at the first element of another type; then the general conversion converts all again,
// and finds what is wrong or how such an element converts.

// reads is the conversion of one element: false when its value has another type.
type reads[E any] func(v *abi.Any) (e E, ok bool)

// scalar says how elements of one type are read and written. Text is read as textReader says, so it has no reads. A type
// without writes only enters Go.
type scalar[E any] struct {
	reads  reads[E]
	writes writes[E]
}

// reader returns how the elements of a container are read; text is how its texts are.
func (s scalar[E]) reader(text reads[string]) reads[E] {
	if s.reads != nil {
		return s.reads
	}
	return any(text).(reads[E])
}

// elementLoops are the loops for one type of elements, and of values of maps.
type elementLoops struct {
	// readSlice stores at dst a slice of the elements. It returns false, and stores nothing, when an element has another type.
	// lent: they are lent values.
	readSlice func(items []abi.Any, dst unsafe.Pointer, lent bool) bool
	// writeArray makes an Array of n elements at first; ok is false when that needs the general conversion.
	writeArray func(first unsafe.Pointer, n int, maker makesContainer) (made abi.Any, ok bool, err error)
	// writeList does writeArray's work for Python's own list.
	writeList func(first unsafe.Pointer, n int) (made abi.Any, ok bool, err error)

	ofTexts, ofInts mapLoops // maps whose keys are texts, or ints
}

// mapLoops are the loops for one type of maps.
type mapLoops struct {
	read  func(entries mapEntries, dst unsafe.Pointer) bool                                 // as readSlice
	write func(src unsafe.Pointer, maker makesContainer) (made abi.Any, ok bool, err error) // as writeArray; nil: no loop
}

// loops returns the loops for a type of elements, nil if there are none.
func (c *Conv) loops() *elementLoops {
	if int(c.Fast) >= len(scalarLoops) {
		return nil
	}
	return scalarLoops[c.Fast]
}

// mapLoopsFor returns the loops for a type of maps; without read there are none.
func mapLoopsFor(key, value *Conv) mapLoops {
	loops := value.loops()
	if value.GoType == AnyType {
		loops = loopsOf(scalar[any]{reads: func(v *abi.Any) (e any, ok bool) {
			return e, value.From(v, unsafe.Pointer(&e)) == nil
		}})
	}
	switch {
	case loops == nil:
	case key.Fast == FastString:
		return loops.ofTexts
	case key.Fast == FastInt64:
		return loops.ofInts
	}
	return mapLoops{}
}

func loopsOf[E any](of scalar[E]) *elementLoops {
	loops := &elementLoops{
		readSlice: func(items []abi.Any, dst unsafe.Pointer, lent bool) bool {
			var text reads[string]
			if of.reads == nil {
				text = textReader(len(items), lent)
			}
			return readSlice(items, dst, of.reader(text))
		},
		writeArray: func(first unsafe.Pointer, n int, maker makesContainer) (abi.Any, bool, error) {
			return writeArray(unsafe.Slice((*E)(first), n), maker, of.writes)
		},
		ofTexts: mapLoopsOf(scalar[string]{writes: writesText}, of),
		ofInts:  mapLoopsOf(scalar[int64]{reads: readsInt64, writes: writesInt64}, of),
	}
	loops.writeList = func(first unsafe.Pointer, n int) (abi.Any, bool, error) { return loops.writeArray(first, n, newPython) }
	return loops
}

// inWords changes the loops of elements whose 8 bytes are the values of a type index: an Array is made without a call for
// each, and Python's list by a service of Python.
func inWords(index int32, list *pythonService, loops *elementLoops) *elementLoops {
	loops.writeArray = func(first unsafe.Pointer, n int, maker makesContainer) (made abi.Any, ok bool, err error) {
		w := newBulkWriter(n)
		defer w.done()
		w.views = w.views[:n]
		for i, word := range unsafe.Slice((*uint64)(first), n) {
			w.views[i] = abi.Any{TypeIndex: index, Bits: word}
		}
		made, err = w.container(abi.IndexArray, maker)
		return made, true, err
	}
	loops.writeList = func(first unsafe.Pointer, n int) (abi.Any, bool, error) {
		made, err := newPythonNumbers(list, first, n)
		return made, true, err
	}
	return loops
}

func mapLoopsOf[K comparable, V any](key scalar[K], value scalar[V]) mapLoops {
	loops := mapLoops{read: func(entries mapEntries, dst unsafe.Pointer) bool {
		var text reads[string]
		if key.reads == nil || value.reads == nil {
			text = textReader(entries.count(), entries.cell == nil)
		}
		return readMap(entries, dst, key.reader(text), value.reader(text))
	}}
	if value.writes != nil {
		loops.write = func(src unsafe.Pointer, maker makesContainer) (abi.Any, bool, error) {
			return writeMap(*(*map[K]V)(src), maker, key.writes, value.writes)
		}
	}
	return loops
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
}

// count returns the number of keys and values.
func (e mapEntries) count() int {
	if e.cell == nil {
		return len(e.lent)
	}
	return 2 * int(e.cell.Size)
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
	if len(out) != int(entries.cell.Size) {
		return false
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
	if len(out) != len(lent)/2 {
		return false
	}
	*(*map[K]V)(dst) = out
	return true
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
