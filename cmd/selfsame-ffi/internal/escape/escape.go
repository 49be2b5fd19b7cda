// Package escape writes text from outside (names, docs and messages of libraries, processes and files) into each kind of
// output that this tool makes: one func for each.
//
// In every output, characters that act on a terminal or change the order in which a text is read are shown by their
// number. A reader of generated code then sees the order that the compiler reads.
package escape

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hidden reports whether a character acts instead of being shown: controls, marks of the direction of text, line
// separators that few programs know, the byte order mark, and what is no character. Also what no reader sees, so that no
// text hides in it: fillers, the space without width, and the block of tags and further variation selectors.
func hidden(r rune) bool {
	switch {
	case unicode.IsControl(r), r == 0x061C, r == 0x200E, r == 0x200F, 0x2028 <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F,
		r == 0xFEFF, 0xFFF9 <= r && r <= 0xFFFB, 0xE0000 <= r && r <= 0xE0FFF,
		r == 0x115F, r == 0x1160, r == 0x180E, r == 0x200B, r == 0x3164, r == 0xFFA0:
		return true
	}
	return r&0xFFFE == 0xFFFE || 0xFDD0 <= r && r <= 0xFDEF
}

// each replaces hidden characters but those in kept, and bytes that are no UTF-8.
func each(text, kept string, char func(rune) string, bad func(byte) string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(bad(text[i]))
		case hidden(r) && !strings.ContainsRune(kept, r):
			b.WriteString(char(r))
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// numbered shows a character by its number, for readers.
func numbered(r rune) string {
	switch {
	case r <= 0xFF:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xFFFF:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

func numberedByte(c byte) string { return fmt.Sprintf(`\x%02x`, c) }

// Terminal returns a text of several lines as a terminal may show it.
func Terminal(text string) string { return each(text, "\n\t", numbered, numberedByte) }

// TerminalLine returns a text as a part of one line on a terminal.
func TerminalLine(text string) string { return each(text, "", numbered, numberedByte) }

// JSON returns JSON with the same values that a terminal may show.
func JSON(text []byte) []byte {
	// Outside of texts JSON has no hidden characters but white space, and in texts an escape may stand for any.
	return []byte(each(string(text), "\n\t\r", func(r rune) string {
		if r > 0xFFFF {
			high, low := utf16(r)
			return fmt.Sprintf(`\u%04x\u%04x`, high, low)
		}
		return fmt.Sprintf(`\u%04x`, r)
	}, func(byte) string { return `\ufffd` }))
}

func utf16(r rune) (high, low rune) {
	r -= 0x10000
	return 0xD800 + r>>10, 0xDC00 + r&0x3FF
}

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

// RustComment returns a line of text behind // or /// in Rust.
func RustComment(line string) string { return each(line, "\t", numbered, numberedByte) }

// RustString returns a string literal of Rust. Bytes that are no UTF-8, which no text of Rust has, become U+FFFD.
func RustString(text string) string {
	text = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
	return `"` + each(text, "", func(r rune) string { return fmt.Sprintf(`\u{%x}`, r) }, func(byte) string { return `\u{fffd}` }) + `"`
}

// PythonComment returns a line of text behind # in Python.
func PythonComment(line string) string { return each(line, "\t", numbered, numberedByte) }

// PythonString returns a string literal of Python.
func PythonString(text string) string {
	text = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
	return `"` + each(text, "", numbered, func(byte) string { return `\ufffd` }) + `"`
}

// PythonDoc returns what stands between the quotes of a docstring of several lines.
func PythonDoc(text string) string {
	text = strings.ReplaceAll(text, `\`, `\\`)
	text = each(text, "\n\t", numbered, func(byte) string { return `\ufffd` })
	text = strings.ReplaceAll(text, `"""`, `\"\"\"`)
	if rest, ok := strings.CutSuffix(text, `"`); ok && (len(rest)-len(strings.TrimRight(rest, `\`)))%2 == 0 {
		text = rest + `\"`
	}
	return text
}

// words are the texts that no shell and no list of flags reads otherwise.
var words = regexp.MustCompile(`^[A-Za-z0-9_./@%=:,+-]+$`)

// Shell returns a text as one word of a command that a reader may copy from a terminal into a shell.
func Shell(text string) string {
	if words.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(TerminalLine(text), "'", `'\''`) + "'"
}

// Flag returns one argument for a list of arguments that the go command or a compiler splits at blanks and quotes: in
// quotes where it must be. Such a list has no escapes, so a text with both quotes is an error.
func Flag(text string) (string, error) {
	switch {
	case strings.ContainsAny(text, "\n\r\x00"):
		return "", fmt.Errorf("expected a path without line ends, got %q", text)
	case !strings.ContainsAny(text, " \t'\""):
		return text, nil
	case !strings.Contains(text, `"`):
		return `"` + text + `"`, nil
	case !strings.Contains(text, "'"):
		return "'" + text + "'", nil
	}
	return "", fmt.Errorf("expected a path without ' or without \", got %q", text)
}
