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
	Callables int          // exported funcs and methods
	Bound     int          // those of them that do in Python what they do in Go
	Noted     []*form.Item // those that are bound, and of which something does not come back
	Left      int          // those that are skipped
	Classes   int
	Constants int
	Skipped   []*form.Item // these, and what is no func or method
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
		switch {
		case i.Reason != nil:
			t.Left++
		case len(i.Notes) > 0:
			t.Noted = append(t.Noted, i)
		default:
			t.Bound++
		}
	}
	for _, list := range [][]*form.Item{t.Skipped, t.Noted} {
		slices.SortStableFunc(list, func(a, b *form.Item) int { return cmp.Compare(a.ID, b.ID) })
	}
	return t
}

// Share returns the share of callables that are bound without a note, in percent.
func (t *Table) Share() float64 {
	if t.Callables == 0 {
		return 100
	}
	return 100 * float64(t.Bound) / float64(t.Callables)
}

// Print writes the table.
func (t *Table) Print(out io.Writer) {
	fmt.Fprintf(out, "\nbound: %d of %d exported funcs and methods (%.1f %%), %d with a note, %d skipped; %d %s, %d %s\n", t.Bound,
		t.Callables, t.Share(), len(t.Noted), t.Left, t.Classes, plural(t.Classes, "class", "classes"), t.Constants,
		plural(t.Constants, "constant", "constants"))
	list(out, "bound with a note of what is lost:", t.Noted, func(i *form.Item) string { return strings.Join(i.Notes, "; ") })
	list(out, "skipped:", t.Skipped, reason)
	if len(t.Noted)+len(t.Skipped) > 0 {
		fmt.Fprintln(out, "What is missing can be written by hand, in overrides.go: any func of your own that takes and returns other types.")
	}
}

func list(out io.Writer, head string, items []*form.Item, text func(*form.Item) string) {
	if len(items) == 0 {
		return
	}
	width := 0
	for _, i := range items {
		width = max(width, min(len(i.ID), 40))
	}
	fmt.Fprintln(out, head)
	for _, i := range items {
		fmt.Fprintf(out, "  %-*s  %s\n", width, escape.TerminalLine(i.ID), escape.TerminalLine(text(i)))
	}
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
