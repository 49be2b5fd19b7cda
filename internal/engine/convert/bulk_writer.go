package convert

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
)

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

// done gives the writer back. The caller must not use its values any more.
func (w *bulkWriter) done() {
	if cap(w.views) <= maxPooled && cap(w.texts) <= maxPooled {
		w.views, w.texts, w.at = w.views[:0], w.texts[:0], w.at[:0]
		bulkWriters.Put(w)
	}
}

// makesContainer makes the container of a type index of borrowed views: newNative, or newPython.
type makesContainer func(index int32, views []abi.Any) (abi.Any, error)

func newNative(index int32, views []abi.Any) (abi.Any, error) { return values.Container(index, views) }

// container makes the container of the values. The values of text get their addresses here, when texts grows no more.
func (w *bulkWriter) container(index int32, maker makesContainer) (abi.Any, error) {
	for _, i := range w.at {
		w.views[i].Bits = uint64(uintptr(unsafe.Pointer(&w.texts[w.views[i].Bits])))
	}
	made, err := maker(index, w.views)
	runtime.KeepAlive(w.texts)
	return made, err
}
