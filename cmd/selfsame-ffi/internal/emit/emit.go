// Package emit has what the packages below it share: each of them writes one language, and alone knows its syntax.
package emit

import (
	"fmt"
	"strings"
)

// File is a generated file.
type File struct {
	Name string
	Text []byte
}

// Text is a text that grows by lines.
type Text struct{ strings.Builder }

// Line writes a line behind so many spaces. An empty line has none.
func (t *Text) Line(spaces int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if text != "" {
		t.WriteString(strings.Repeat(" ", spaces))
		t.WriteString(text)
	}
	t.WriteByte('\n')
}

// Lines writes lines as they stand in format, which begins with a line break for the reader's sake.
func (t *Text) Lines(format string, args ...any) {
	fmt.Fprintf(t, strings.TrimPrefix(format, "\n")+"\n", args...)
}
