package escape

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/rangetable"

	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// known are the characters of Unicode 13, which Python 3.9 has: a later letter is no part of a name there.
var known = rangetable.Assigned("13.0.0")

// verticalTilde is a letter that is punctuation in programs.
const verticalTilde = '\u2e2f'

// PythonName makes a name of Python of any text, which is itself when Python reads it as written. The rule, which
// docs/security.md tells: Python reads a name in its NFKC form, so that form it gets. What is neither letter, digit nor
// underscore becomes an underscore, and a digit at the front gets one before it. A keyword, a name in reserved, and one
// between double underscores, which Python would call by itself, get one at the end.
func PythonName(text string, reserved ...string) string {
	var b strings.Builder
	for _, r := range norm.NFKC.String(text) {
		letter := r == '_' || unicode.IsLetter(r) && unicode.Is(known, r) && !hidden(r) && r != verticalTilde
		digit := unicode.IsDigit(r) && unicode.Is(known, r)
		if digit && b.Len() == 0 {
			b.WriteByte('_')
		}
		if letter || digit {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	id := b.String()
	for id == "" || slices.Contains(naming.Python.Keywords, id) || slices.Contains(reserved, id) || betweenUnderscores(id) {
		id += "_"
	}
	return id
}

// betweenUnderscores reports whether a name is one that Python has a meaning for, now or later.
func betweenUnderscores(name string) bool {
	return len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") && !strings.HasSuffix(name, "___")
}

// IsPythonSpecial reports whether a text is the name of a special method, such as __len__.
func IsPythonSpecial(text string) bool {
	return betweenUnderscores(text) && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
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

// PythonLine writes a Python string literal on one line whose line breaks are \n, as the lines of a .pth file need it.
func PythonLine(text string) string { return strings.ReplaceAll(PythonString(text), `\x0a`, `\n`) }
