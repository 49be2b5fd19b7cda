package escape

import (
	"go/scanner"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// GoName makes a name of Go of any text: what is neither letter, digit nor underscore, and letters that nobody sees, become
// underscores. A keyword and a name in reserved get one at the end.
func GoName(text string, reserved ...string) string {
	return naming.Go.Identifier(Letters(text), reserved...)
}

// Letters replaces the letters of a name that nobody sees by underscores.
func Letters(name string) string {
	return each(name, "", func(rune) string { return "_" }, func(byte) string { return "_" })
}

// constraint is how an old build constraint begins, which a comment of Go may be.
var constraint = regexp.MustCompile(`^[ \t]*\+build\b`)

// GoComment returns a text as a line of a comment in Go. A line that would be a build constraint gets a backslash in front.
func GoComment(line string) string {
	line = each(line, "\t", numbered, numberedByte)
	if constraint.MatchString(line) {
		line = `\` + strings.TrimLeft(line, " \t")
	}
	return line
}

// GoString returns a string literal of Go. Unlike that of strconv.Quote, it has no letters that nobody sees.
func GoString(text string) string { return each(strconv.Quote(text), "", goNumber, numberedByte) }

// goNumber writes a character as it stands in a literal of Go, in which \x is a byte.
func goNumber(r rune) string {
	quoted := strconv.QuoteRuneToASCII(r)
	return quoted[1 : len(quoted)-1]
}

// GoSource returns a file of Go, with the hidden characters in its comments and literals between double quotes shown by their
// numbers. The values of the literals stay.
func GoSource(text []byte) []byte {
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, func(token.Position, string) {}, scanner.ScanComments)
	var b strings.Builder
	done := 0
	for {
		at, kind, literal := s.Scan()
		if kind == token.EOF {
			b.Write(text[done:])
			return []byte(b.String())
		}
		begin := file.Offset(at)
		if end := begin + len(literal); kind == token.COMMENT && string(text[begin:min(end, len(text))]) == literal {
			b.Write(text[done:begin])
			b.WriteString(each(literal, "\n\t", numbered, numberedByte))
			done = end
		} else if kind == token.STRING && literal[0] == '"' {
			b.Write(text[done:begin])
			b.WriteString(each(literal, "", goNumber, numberedByte))
			done = end
		}
	}
}
