package selfcopy

import (
	"debug/elf"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// jumpSize is the size of the jump that a copy has at the start of each function that Go calls: image_linux.c, x86-64. On
// 64-bit ARM a jump is as long as the shortest function.
const jumpSize = 5

// A jump that is longer than its function must not reach the next one.
//
// Requirement: C14
func TestEveryFunctionThatGoCallsHasRoomForAJump(t *testing.T) {
	library := os.Getenv("SELFSAME_LIBRARY")
	if library == "" {
		t.Skip("SELFSAME_LIBRARY does not name the built library")
	}
	file := testenv.Value(elf.Open(library))(t)
	defer file.Close()
	if file.Machine != elf.EM_X86_64 {
		t.Skip("the jump is as long as the shortest function")
	}
	symbols := testenv.Value(file.Symbols())(t)
	var functions []elf.Symbol
	for _, s := range symbols {
		// Functions in assembly may have no type.
		if kind := elf.ST_TYPE(s.Info); (kind == elf.STT_FUNC || kind == elf.STT_NOTYPE) && s.Section != elf.SHN_UNDEF {
			functions = append(functions, s)
		}
	}
	slices.SortFunc(functions, func(a, b elf.Symbol) int { return int(int64(a.Value) - int64(b.Value)) })
	var called []string
	for _, dir := range ours {
		for _, m := range listed.FindAllStringSubmatch(read(t, dir, "called_from_go.c"), -1) {
			called = append(called, m[1])
		}
	}
	checked := 0
	for i, f := range functions {
		if !slices.Contains(called, f.Name) {
			continue
		}
		checked++
		for _, next := range functions[i+1:] {
			if next.Value != f.Value {
				if room := next.Value - f.Value; room < jumpSize {
					t.Errorf("%s has %d bytes before %s; a jump takes %d: make the function longer", f.Name, room, next.Name, jumpSize)
				}
				break
			}
		}
	}
	if checked < len(called)*9/10 {
		t.Errorf("only %d of %d functions are in %s: %s", checked, len(called), library, strings.Join(called, " "))
	}
}
