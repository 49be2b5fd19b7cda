// Package listing writes the content of a library for readers: lines of at most 80 columns.
package listing

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// width is the number of columns.
const width = 80

// Lister writes listings.
type Lister struct {
	out    io.Writer
	colour bool
	err    error
}

// Write writes the classes and functions of a library. colour makes the names of classes and functions bold.
func Write(out io.Writer, lib *model.Library, colour bool) error {
	l := &Lister{out: out, colour: colour}
	classes := slices.Clone(lib.Classes)
	slices.SortStableFunc(classes, func(a, b model.Class) int { return cmp.Compare(a.Key, b.Key) })
	for i, c := range classes {
		if i > 0 {
			l.line("")
		}
		l.class(c)
	}
	functions := slices.Clone(lib.Functions)
	slices.SortStableFunc(functions, func(a, b model.Function) int { return cmp.Compare(a.Name, b.Name) })
	for i, f := range functions {
		if i == 0 && len(classes) > 0 {
			l.line("")
		}
		l.function(0, "function ", f)
	}
	return l.err
}

func (l *Lister) line(text string) {
	if l.err == nil {
		_, l.err = fmt.Fprintln(l.out, strings.TrimRight(text, " "))
	}
}

// name returns a name in bold letters if the output has colours.
func (l *Lister) name(text string) string {
	if l.colour {
		return "\x1b[1m" + text + "\x1b[0m"
	}
	return text
}

func (l *Lister) class(c model.Class) {
	l.wrapped(0, "class ", c.Key, "("+c.Parent+")")
	l.doc(4, c.Doc)
	if c.Init != nil {
		init := *c.Init
		init.Name = "constructor"
		l.function(2, "", init)
	}
	l.fields(c.Fields)
	for _, m := range c.Members {
		l.wrapped(2, "member ", m.Name, fmt.Sprintf(" = %d", m.Number))
	}
	for _, m := range c.Methods {
		kind := "method "
		if m.Static {
			kind = "static method "
		}
		l.function(2, kind, m)
	}
}

// fields writes a table of names and types.
func (l *Lister) fields(fields []model.Field) {
	longest := 0
	for _, f := range fields {
		longest = max(longest, len(f.Name))
	}
	for _, f := range fields {
		text := strings.Repeat(" ", longest-len(f.Name)) + "  " + f.Type.String()
		if f.Default != "" {
			text += " = " + f.Default
		}
		if !f.Writable {
			text += ", read-only"
		}
		l.wrapped(2, "field ", f.Name, text)
		l.doc(6, f.Doc)
	}
}

func (l *Lister) function(indent int, kind string, f model.Function) {
	l.wrapped(indent, kind, f.Name, signature(f))
	l.doc(indent+4, f.Doc)
}

// signature returns the part behind the name, with Python's syntax.
func signature(f model.Function) string {
	if !f.Typed {
		return "(...)"
	}
	var params []string
	for i, arg := range f.Args {
		text := arg.String()
		if i < len(f.ArgNames) && f.ArgNames[i] != "" {
			text = f.ArgNames[i] + ": " + text
		}
		if k := i - (len(f.Args) - len(f.ArgDefaults)); k >= 0 {
			text += " = " + f.ArgDefaults[k]
		}
		params = append(params, text)
	}
	if len(f.ByName) > 0 {
		params = append(params, "*")
	}
	for _, field := range f.ByName {
		text := field.Name + ": " + field.Type.String()
		if field.Default != "" {
			text += " = " + field.Default
		}
		params = append(params, text)
	}
	text := "(" + strings.Join(params, ", ") + ")"
	if f.Name != "constructor" {
		text += " -> " + f.Result.String()
	}
	return text
}

// wrapped writes a line that begins with a name, and its continuation where it is too long.
func (l *Lister) wrapped(indent int, kind, name, rest string) {
	name, rest = escape.TerminalLine(name), escape.TerminalLine(rest)
	prefix := strings.Repeat(" ", indent) + kind
	lines := fold(prefix+name+rest, width, indent+6)
	lines[0] = strings.Replace(lines[0], prefix+name, prefix+l.name(name), 1)
	for _, text := range lines {
		l.line(text)
	}
}

// doc writes the first paragraph of a doc.
func (l *Lister) doc(indent int, doc string) {
	first, _, _ := strings.Cut(strings.TrimSpace(doc), "\n\n")
	if first == "" {
		return
	}
	space := strings.Repeat(" ", indent)
	for _, text := range fold(space+escape.TerminalLine(strings.Join(strings.Fields(first), " ")), width, indent) {
		l.line(text)
	}
}

// fold breaks a line at blanks. The lines after the first are indented.
func fold(text string, width, indent int) []string {
	var lines []string
	for {
		runes := []rune(text)
		if len(runes) <= width {
			return append(lines, text)
		}
		start := len(runes) - len([]rune(strings.TrimLeft(text, " ")))
		cut := -1
		for i := start; i < len(runes) && (i <= width || cut < 0); i++ {
			if runes[i] == ' ' {
				cut = i
			}
		}
		if cut < 0 {
			return append(lines, text) // one long word
		}
		lines = append(lines, string(runes[:cut]))
		text = strings.Repeat(" ", indent) + strings.TrimLeft(string(runes[cut:]), " ")
	}
}
