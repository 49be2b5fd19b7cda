// Package linediff compares two texts line by line.
package linediff

import (
	"fmt"
	"strings"
)

// context is how many equal lines are shown around a change.
const context = 3

// Unified returns the differences of two texts of the file at path, as `diff -u` shows them; "" when they are equal.
func Unified(path, before, after string) string {
	if before == after {
		return ""
	}
	edits := compare(lines(before), lines(after))
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", path, path)
	for i := 0; i < len(edits); {
		if edits[i].kind == ' ' {
			i++
			continue
		}
		start, end := max(0, i-context), i
		for equal := 0; end < len(edits) && equal <= 2*context; end++ {
			if edits[end].kind == ' ' {
				equal++
			} else {
				equal = 0
			}
		}
		end = trimTail(edits, i, end)
		hunk(&b, edits[start:end])
		i = end
	}
	return b.String()
}

// trimTail returns the end of a hunk that begins at i: no more equal lines than context are behind the last change.
func trimTail(edits []edit, i, end int) int {
	last := i
	for k := i; k < end; k++ {
		if edits[k].kind != ' ' {
			last = k
		}
	}
	return min(end, last+1+context)
}

func hunk(b *strings.Builder, edits []edit) {
	var minus, plus int
	for _, e := range edits {
		if e.kind != '+' {
			minus++
		}
		if e.kind != '-' {
			plus++
		}
	}
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", edits[0].before+1, minus, edits[0].after+1, plus)
	for _, e := range edits {
		b.WriteByte(e.kind)
		b.WriteString(e.text)
		b.WriteByte('\n')
	}
}

// edit is a line of one text (-, +) or of both (' '), with its place, or that of the line behind it, in both.
type edit struct {
	kind          byte
	text          string
	before, after int
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// mostSteps bounds the search for the shortest list of edits; beyond it the rest is shown as replaced.
const mostSteps = 4000

// compare returns the edits that make b of a: few ones, by the algorithm of Myers, between the equal beginnings and ends.
func compare(a, b []string) []edit {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var edits []edit
	for i := range head {
		edits = append(edits, edit{' ', a[i], i, i})
	}
	edits = append(edits, between(a[head:len(a)-tail], b[head:len(b)-tail], head)...)
	for i := range tail {
		edits = append(edits, edit{' ', a[len(a)-tail+i], len(a) - tail + i, len(b) - tail + i})
	}
	return edits
}

// between does compare's work for texts whose first line has the number first.
func between(a, b []string, first int) []edit {
	n, m := len(a), len(b)
	reached := map[int]int{1: 0} // the furthest place in a on each diagonal
	var trail []map[int]int
	for steps := 0; steps <= min(n+m, mostSteps); steps++ {
		trail = append(trail, copied(reached, steps))
		for k := -steps; k <= steps; k += 2 {
			x := 0
			if k == -steps || k != steps && reached[k-1] < reached[k+1] {
				x = reached[k+1]
			} else {
				x = reached[k-1] + 1
			}
			y := x - k
			for x < n && y < m && a[x] == b[y] {
				x, y = x+1, y+1
			}
			reached[k] = x
			if x >= n && y >= m {
				return walkBack(a, b, first, trail)
			}
		}
	}
	var edits []edit
	for i, text := range a {
		edits = append(edits, edit{'-', text, first + i, first})
	}
	for i, text := range b {
		edits = append(edits, edit{'+', text, first + n, first + i})
	}
	return edits
}

// copied copies the diagonals that the next step reads.
func copied(reached map[int]int, steps int) map[int]int {
	out := make(map[int]int, 2*steps+3)
	for k := -steps - 1; k <= steps+1; k++ {
		if x, ok := reached[k]; ok {
			out[k] = x
		}
	}
	return out
}

func walkBack(a, b []string, first int, trail []map[int]int) []edit {
	var reversed []edit
	x, y := len(a), len(b)
	for steps := len(trail) - 1; steps >= 0; steps-- {
		reached, k := trail[steps], x-y
		previous := k - 1
		if k == -steps || k != steps && reached[k-1] < reached[k+1] {
			previous = k + 1
		}
		px := reached[previous]
		py := px - previous
		for x > px && y > py {
			x, y = x-1, y-1
			reversed = append(reversed, edit{' ', a[x], first + x, first + y})
		}
		if steps == 0 {
			break
		}
		if x == px {
			y--
			reversed = append(reversed, edit{'+', b[y], first + x, first + y})
		} else {
			x--
			reversed = append(reversed, edit{'-', a[x], first + x, first + y})
		}
	}
	edits := make([]edit, 0, len(reversed))
	for i := len(reversed) - 1; i >= 0; i-- {
		edits = append(edits, reversed[i])
	}
	return edits
}
