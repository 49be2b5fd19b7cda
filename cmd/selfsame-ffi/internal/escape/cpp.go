package escape

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// CppName makes a name of C++ of any text: what is neither an ASCII letter, digit nor underscore becomes an underscore. A
// keyword, a name in reserved, and one that belongs to the compiler (__FILE__, _Pragma) get an underscore at the end.
func CppName(text string, reserved ...string) string {
	id := naming.Cpp.Identifier(text, reserved...)
	if ofCompiler.MatchString(id) {
		id = naming.Cpp.Identifier(id+"_", reserved...)
	}
	return id
}

// ofCompiler are the names that may be macros or keywords of a compiler. None of them ends in one underscore or in three.
var ofCompiler = regexp.MustCompile(`^(__|_[A-Z]).*([^_]|[^_]__)$`)

// continued is the end of a line that C++ joins with the next one: a backslash, or the trigraph for it, and blanks.
var continued = regexp.MustCompile(`(\\|\?\?/)[ \t]*$`)

// CppComment returns a line of text behind // in C++. A line that would swallow the next one gets a dot at its end.
func CppComment(line string) string {
	line = each(line, "\t", numbered, numberedByte)
	if continued.MatchString(line) {
		line = strings.TrimRight(line, " \t") + "."
	}
	return line
}

// CppString returns a string literal of C++.
func CppString(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch part := text[i : i+size]; {
		case r == '"', r == '\\', r == '?': // ?? begins a trigraph
			b.WriteString(`\` + part)
		case hidden(r), r == utf8.RuneError && size == 1:
			for _, c := range []byte(part) {
				fmt.Fprintf(&b, `\%03o`, c) // \x would take the digits behind it too
			}
		default:
			b.WriteString(part)
		}
		i += size
	}
	b.WriteByte('"')
	return b.String()
}
