// Package linediff compares two texts line by line.
package linediff

import (
	"fmt"
	"strings"

	"github.com/pmezard/go-difflib/difflib"
)

// context is how many equal lines are shown around a change.
const context = 3

// Unified returns the differences of two texts of the file at path, as `diff -u` shows them; "" when they are equal.
func Unified(path, before, after string) string {
	if before == after {
		return ""
	}
	a, b := lines(before), lines(after)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", path, path)
	write := func(kind byte, lines []string) {
		for _, line := range lines {
			fmt.Fprintf(&out, "%c%s\n", kind, line)
		}
	}
	for _, hunk := range difflib.NewMatcher(a, b).GetGroupedOpCodes(context) {
		first, last := hunk[0], hunk[len(hunk)-1]
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n", first.I1+1, last.I2-first.I1, first.J1+1, last.J2-first.J1)
		for _, change := range hunk {
			if change.Tag == 'e' {
				write(' ', a[change.I1:change.I2])
				continue
			}
			write('-', a[change.I1:change.I2])
			write('+', b[change.J1:change.J2])
		}
	}
	return out.String()
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
