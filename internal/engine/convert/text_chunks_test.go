package convert

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// lentTexts returns the texts as lent values, which view them.
func lentTexts(texts []string) []abi.Any {
	lent := make([]abi.Any, len(texts))
	for i, s := range texts {
		lent[i] = abi.Any{TypeIndex: abi.IndexRawStr, Len: uint32(len(s)), Bits: uint64(uintptr(unsafe.Pointer(unsafe.StringData(s))))}
	}
	return lent
}

// TestTextsThatShareChunksKeepTheirContent reads texts of lengths around those at which a text gets memory of its own, few
// and many, and compares all of them at the end: no text may have been written over by a later one.
func TestTextsThatShareChunksKeepTheirContent(t *testing.T) {
	for _, count := range []int{1, fewestShared - 1, fewestShared, 1000} {
		texts := make([]string, count)
		for i := range texts {
			texts[i] = strings.Repeat(fmt.Sprintf("%d, ", i), i%30)[:min(i%(longestShared+4), 3*(i%30))]
		}
		var read []string
		if !scalarLoops[FastString].readSlice(lentTexts(texts), unsafe.Pointer(&read), true) {
			t.Fatal("readSlice: expected a loop for text")
		}
		for i := range texts {
			if read[i] != texts[i] {
				t.Errorf("%d texts: expected text %d to be %q, got %q", count, i, texts[i], read[i])
			}
		}
	}
}

// TestAKeptTextKeepsASmallChunk looks at the chunk after each text: it is never larger than chunkBytes. A long text has
// memory of its own.
func TestAKeptTextKeepsASmallChunk(t *testing.T) {
	var chunks textChunks
	for length := range 3 * longestShared {
		before := len(chunks.free)
		chunks.add(make([]byte, length))
		if after := len(chunks.free); after >= chunkBytes || length > longestShared && after != before {
			t.Fatalf("after a text of %d bytes: expected chunks of %d bytes for texts of at most %d, got %d bytes left, %d before",
				length, chunkBytes, longestShared, after, before)
		}
	}
}
