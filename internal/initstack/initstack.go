// Package initstack reads from the stacks of goroutines which initialisation of a package runs.
package initstack

import (
	"regexp"
	"strings"
)

// initFunc is the name of a function that initialises a package: an init function, or that of the package variables.
var initFunc = regexp.MustCompile(`^(.*\.init(?:\.\d+)?)\(`)

// Read says what goroutine 1, which initialises the packages, does: "<function> at <file>:<line> (<state>)", from the stacks
// of all goroutines. It is "" when that goroutine initialises nothing.
func Read(stacks string) string {
	for stack := range strings.SplitSeq(stacks, "\n\n") {
		rest, first := strings.CutPrefix(stack, "goroutine 1 [")
		if !first {
			continue
		}
		state, frames, _ := strings.Cut(rest, "]:\n")
		state, _, _ = strings.Cut(state, ",") // without for how long
		lines := strings.Split(frames, "\n")
		for i, line := range lines[:len(lines)-1] {
			if m := initFunc.FindStringSubmatch(line); m != nil {
				place, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
				return m[1] + " at " + place + " (" + state + ")"
			}
		}
	}
	return ""
}
