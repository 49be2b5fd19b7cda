// Package naming makes names in other languages of names in Go and of registered names.
package naming

import (
	"slices"
	"strings"
	"unicode"
)

// Snake returns a Go name as other languages write it: TypeKey becomes type_key, HTTPServer http_server, ID2Name id2_name.
// An underscore is added where a word begins: at a capital behind a small letter or a digit, and at the last of several
// capitals if a small letter follows.
func Snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) {
			afterLower := i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]))
			beforeLower := i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if afterLower || beforeLower && runes[i-1] != '_' {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// IsIdentifier says whether a text is a name in Go and Python: letters, digits and underscores, and no digit at the front.
func IsIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// Language is a language that code is written in.
type Language struct {
	Keywords []string
	ASCII    bool // its names have ASCII letters only
}

// Identifier makes a name in the language of a registered name. Other characters become underscores, and a digit at the front
// gets one before it. A keyword, or a name that the written file uses for itself (reserved), gets one at its end.
func (l *Language) Identifier(name string, reserved ...string) string {
	var b strings.Builder
	for i, r := range name {
		allowed := !l.ASCII || r <= unicode.MaxASCII
		switch {
		case allowed && (r == '_' || unicode.IsLetter(r) || i > 0 && unicode.IsDigit(r)):
			b.WriteRune(r)
		case allowed && unicode.IsDigit(r):
			b.WriteRune('_')
			b.WriteRune(r)
		default:
			b.WriteRune('_')
		}
	}
	id := b.String()
	for id == "" || slices.Contains(l.Keywords, id) || slices.Contains(reserved, id) {
		id += "_"
	}
	return id
}
