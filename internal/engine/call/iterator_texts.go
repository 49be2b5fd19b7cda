package call

import (
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
)

// Texts that a loop has yielded wait as views of Go's memory until a caller takes their batch: one call into C makes the Array and
// all of them, where each took one of its own. They are copied, because the loop may use the memory of a text again.

// The sizes of the first and of the largest chunks of memory for such texts.
const firstTextChunk, largestTextChunk = 128, 8192

// batchOf is elements that a caller has taken. Views among them point into texts.
type batchOf struct {
	items []abi.Any
	texts [][]byte
}

// first makes *result the first element, owned.
func (b *batchOf) first(result *abi.Any) error {
	defer runtime.KeepAlive(b.texts)
	if b.items[0].TypeIndex != abi.IndexRawStr {
		*result = b.items[0]
		return nil
	}
	text, _ := b.items[0].Text()
	return values.PutText(text, result)
}

// array makes *result an Array of the elements.
func (b *batchOf) array(result *abi.Any) error {
	defer runtime.KeepAlive(b.texts)
	defer values.ReleaseAll(b.items)
	return values.PutContainer(abi.IndexArray, b.items, result)
}

// textView makes *v a view of a text that the loop has yielded. It returns false for a text that needs a conversion of its own. It may
// only be called on the goroutine of the loop.
func (it *iteration) textView(s string, v *abi.Any) bool {
	small, isSmall, ok := convert.TextForView(s)
	if isSmall || !ok {
		*v = small
		return ok
	}
	if len(s) >= cap(it.chunk)-len(it.chunk) { // with its zero
		it.chunk = make([]byte, 0, max(len(s)+1, min(2*cap(it.chunk), largestTextChunk), firstTextChunk))
		it.mu.Lock()
		it.texts = append(it.texts, it.chunk)
		it.mu.Unlock()
	}
	begin := len(it.chunk)
	it.chunk = append(append(it.chunk, s...), 0)
	*v = abi.Any{TypeIndex: abi.IndexRawStr, Bits: uint64(uintptr(unsafe.Pointer(&it.chunk[begin])))}
	return true
}

// elementTo returns how an element is converted for the loop of the iteration, where it lies in memory of its type.
func (it *iteration) elementTo(element *convert.Conv) func(src unsafe.Pointer, v *abi.Any) error {
	if element.Fast != convert.FastString {
		return element.To
	}
	return func(src unsafe.Pointer, v *abi.Any) error {
		if it.textView(*(*string)(src), v) {
			return nil
		}
		return element.To(src, v)
	}
}
