package sourcetext

import (
	"slices"
	"strings"
	"sync"
)

// kept has, for each parameter of the program's funcs, whether the func may keep it after a call. `selfsame-ffi build` sets it when it links, from
// what the compiler says of each func; in a program that `go build` makes it is empty, and every func may keep everything.
//
// It has a section for each package, which ends with a semicolon: the import path, and for each func a blank, the rest of its
// symbol, = and a letter for each parameter, the receiver included. The funcs stand in the order of their symbols. The letter is NotKept, or OnlyRead if the parameter is a
// slice that the func does not write either; or MayBeKept; or, if the parameter leaves the func as part of one result, the digit
// of that. KeepsNothing follows if the func keeps no handle but in its results, and Short if a call of it ends at once.
//
// RATIONALE.md, "Why a build looks at which handles a func keeps"
var kept string

// The letters of a parameter, and those of a func.
const (
	MayBeKept = '+'
	NotKept   = '-'
	OnlyRead  = 'r'

	KeepsNothing = '*'
	Short        = '!'
)

// keptSections has the funcs of the sections of kept by import path.
var keptSections = sync.OnceValue(func() map[string][]string {
	sections := map[string][]string{}
	for section := range strings.SplitSeq(kept, ";") {
		path, funcs, _ := strings.Cut(section, " ")
		sections[path] = strings.Split(funcs, " ")
	}
	return sections
})

// KeptBy returns the letters of a func's parameters; "" when nothing is known of the func.
func KeptBy(symbol string) string {
	if kept == "" {
		return ""
	}
	slash := strings.LastIndexByte(symbol, '/') + 1
	if strings.Contains(symbol[slash:], ".go:") { // the place of a literal
		return lettersOf(symbol, max(slash-1, 0))
	}
	for i := slash; i < len(symbol); i++ { // the last part of an import path may have dots
		if symbol[i] == '.' {
			if letters := lettersOf(symbol, i); letters != "" {
				return letters
			}
		}
	}
	return ""
}

// lettersOf does KeptBy's work for a symbol whose import path ends at a place.
func lettersOf(symbol string, end int) string {
	funcs := keptSections()[symbol[:end]]
	at, found := slices.BinarySearchFunc(funcs, symbol[end:], func(entry, wanted string) int {
		name, _, _ := strings.Cut(entry, "=")
		return strings.Compare(name, wanted)
	})
	if !found {
		return ""
	}
	_, letters, _ := strings.Cut(funcs[at], "=")
	return letters
}
