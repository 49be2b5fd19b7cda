package main

import (
	"debug/elf"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// A copy of the library, for a forked child, has the first 8 bytes of the thread-local variables, which must be Go's.
// It has room for a jump of 5 bytes at the begin of each C function that Go calls (internal/selfcopy). Requirement: C14
func TestLibraryCanBeCopied(t *testing.T) {
	library := testenv.Value(elf.Open(testenv.Library(t)))(t)
	defer library.Close()
	symbols := testenv.Value(library.Symbols())(t)
	var starts []uint64 // of functions
	for _, symbol := range symbols {
		if elf.ST_TYPE(symbol.Info) == elf.STT_FUNC {
			starts = append(starts, symbol.Value)
		}
	}
	slices.Sort(starts)
	listed, found := listedFunctions(t), 0
	for _, symbol := range symbols {
		if elf.ST_TYPE(symbol.Info) == elf.STT_TLS && (symbol.Name == "runtime.tlsg") != (symbol.Value == 0) {
			t.Errorf("the thread-local variable %s lies at %d", symbol.Name, symbol.Value)
		}
		if elf.ST_TYPE(symbol.Info) == elf.STT_FUNC && listed[symbol.Name] {
			found++
			next, _ := slices.BinarySearch(starts, symbol.Value+1)
			if next < len(starts) && starts[next] < symbol.Value+5 {
				t.Errorf("%s has %d bytes, and the next function begins within 5: too few for a jump", symbol.Name, symbol.Size)
			}
		}
	}
	if found < len(listed) {
		t.Errorf("%d of %d listed functions are in the library", found, len(listed))
	}
}

func listedFunctions(t *testing.T) map[string]bool {
	names := map[string]bool{}
	for _, folder := range []string{"internal/plane", "internal/tie", "internal/cxx", "internal/control"} {
		text := testenv.Value(os.ReadFile(filepath.Join(testenv.Root(), folder, "called_from_go.c")))(t)
		for _, match := range regexp.MustCompile(`(?m)^SS_CALLED_FROM_GO\((\w+)\);`).FindAllSubmatch(text, -1) {
			names[string(match[1])] = true
		}
	}
	return names
}
