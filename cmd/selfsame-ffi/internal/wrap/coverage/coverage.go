// Package coverage counts what a plan binds, and prints the table at the end of selfsame-ffi wrap.
package coverage

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// Table is the coverage of a wrapped package.
type Table struct {
	Bound, Callables int // exported funcs and methods
	Classes          int
	Constants        int
	Skipped          []*form.Item
}

// Of counts a plan.
func Of(p *form.Plan) *Table {
	t := &Table{Classes: len(p.Classes), Constants: len(p.Constants)}
	seen := map[string]bool{}
	for _, i := range p.Items() {
		if i.Reason != nil {
			t.Skipped = append(t.Skipped, i)
		}
		if !i.Counted || seen[i.ID] {
			continue
		}
		seen[i.ID] = true
		t.Callables++
		if i.Reason == nil {
			t.Bound++
		}
	}
	slices.SortStableFunc(t.Skipped, func(a, b *form.Item) int { return cmp.Compare(a.ID, b.ID) })
	return t
}

// Share returns the share of callables that are bound, in percent.
func (t *Table) Share() float64 {
	if t.Callables == 0 {
		return 100
	}
	return 100 * float64(t.Bound) / float64(t.Callables)
}

// Print writes the table.
func (t *Table) Print(out io.Writer) {
	fmt.Fprintf(out, "\nbound: %d of %d exported funcs and methods (%.1f %%), %d %s, %d %s\n", t.Bound, t.Callables, t.Share(),
		t.Classes, plural(t.Classes, "class", "classes"), t.Constants, plural(t.Constants, "constant", "constants"))
	if len(t.Skipped) == 0 {
		return
	}
	width := 0
	for _, i := range t.Skipped {
		width = max(width, min(len(i.ID), 40))
	}
	fmt.Fprintf(out, "skipped:\n")
	for _, i := range t.Skipped {
		fmt.Fprintf(out, "  %-*s  %s\n", width, escape.TerminalLine(i.ID), escape.TerminalLine(reason(i)))
	}
	fmt.Fprintln(out, "What is missing can be written by hand, in overrides.go: any func of your own that takes and returns other types.")
}

// reason returns why an item is left out and, where there is something to write instead, what.
func reason(i *form.Item) string {
	text := strings.Join(strings.Fields(i.Reason.String()), " ")
	if advice := i.Reason.Advice(); advice != "" {
		text += "; " + advice
	}
	return text
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
