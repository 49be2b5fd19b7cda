package convert

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

const (
	chunkBytes    = 256 // of a chunk of texts
	longestShared = 64  // a longer text has memory of its own, bytes
	fewestShared  = 16  // the texts of a container with fewer elements have memory of their own
)

// textChunks copies the short texts of a container into chunks that several of them share: one allocation for a chunk
// instead of one for each text. A text that is kept keeps its chunk, so chunks are small.
type textChunks struct {
	free []byte // the rest of the last chunk
}

// add copies a text.
func (c *textChunks) add(text []byte) string {
	n := len(text)
	if n == 0 || n > longestShared {
		return string(text)
	}
	if n > len(c.free) {
		c.free = make([]byte, chunkBytes)
	}
	copy(c.free, text)
	s := unsafe.String(&c.free[0], n) // these bytes are not written again
	c.free = c.free[n:]
	return s
}

// copied returns the text of what Content or LentContent returned. Without chunks the text has memory of its own.
func (c *textChunks) copied(content []byte, isBytes, ok bool) (string, bool) {
	switch {
	case !ok || isBytes:
		return "", false
	case c == nil:
		return string(content), true
	}
	return c.add(content), true
}

// Texts returns how a number of texts that come one after another are read. ok is false for a value that is no text.
func Texts(number int) func(v *abi.Any) (s string, ok bool) { return textReader(number, false) }

// textReader returns how the texts of a container with a number of elements are read. lent: they are lent values.
func textReader(elements int, lent bool) reads[string] {
	var chunks *textChunks
	if elements >= fewestShared {
		chunks = new(textChunks)
	}
	if lent {
		return func(v *abi.Any) (string, bool) { return chunks.copied(v.LentContent()) }
	}
	return func(v *abi.Any) (string, bool) { return chunks.copied(v.Content()) }
}
