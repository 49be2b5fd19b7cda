// Package initstack reads from the stacks of goroutines which initialisation of a package runs.
package initstack

import "strings"

// initFunc returns the name of the function of a frame that initialises a package: an init function, or that of the package variables.
// It is "" for another one.
func initFunc(frame string) string {
	name := frame[:max(strings.LastIndexByte(frame, '('), 0)]
	if strings.HasSuffix(strings.TrimRight(name, "0123456789"), ".init.") || strings.HasSuffix(name, ".init") {
		return name
	}
	return ""
}

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
			if name := initFunc(line); name != "" {
				place, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
				return name + " at " + place + " (" + state + ")"
			}
		}
	}
	return ""
}
