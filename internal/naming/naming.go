// Package naming makes names in other languages of names in Go and of registered names.
package naming

import (
	"slices"
	"strings"
	"unicode"
)

// mixedWords are words that have capitals inside.
var mixedWords = strings.Fields(`ATime CTime DType EBook EMail EPub ETag GitHub GitLab GraphQL JavaScript LaTeX MTime MySQL NaN NoSQL OAuth
	OpenAPI OpenSSL PostgreSQL QName RRule SQLite TypeScript UInt WebSocket WiFi XPath YouTube A11y B2B E2E H2C I18n K8s L10n MacOS P2P`)

// Snake returns a Go name as other languages write it: TypeKey becomes type_key, HTTPServer http_server, ID2Name id2_name.
// An underscore is added where a word begins: at a capital behind a small letter or a digit, and at the last of several
// capitals if a small letter follows. IPv4, IDs, 3D and OAuth are words as well: they become ipv4, ids, 3d and oauth. Of capitals
// that are several known acronyms each is a word: JSONAPI becomes json_api. Letters are in normal form, as Normal has it.
func Snake(name string) string {
	var b strings.Builder
	runes := []rune(Normal(name))
	acronym := false // the last word was one of several acronyms
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		afterLower := i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) && !isDimension(runes[i:]))
		word, begins := 0, acronym
		acronym = false
		if i == 0 || begins || !unicode.IsUpper(runes[i-1]) {
			word = acronymWithin(runes[i:])
			if acronym = word > 0; !acronym {
				word = wordWithin(runes[i:])
			}
		}
		if afterLower && unicode.IsDigit(r) {
			word = digitWordWithin(runes[i:])
			begins = word > 0
		}
		beforeLower := i > 0 && word == 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if begins || unicode.IsUpper(r) && (afterLower || beforeLower && runes[i-1] != '_') {
			b.WriteByte('_')
		}
		for _, r := range runes[i : i+max(word, 1)] {
			b.WriteRune(unicode.ToLower(r))
		}
		i += max(word, 1) - 1
	}
	return Normal(b.String())
}

// isDimension says whether the D of 3D begins a text.
func isDimension(runes []rune) bool { return runes[0] == 'D' && !isLowerAt(runes, 1) }

func isLowerAt(runes []rune, i int) bool { return i < len(runes) && unicode.IsLower(runes[i]) }

// wordWithin returns the length of the word at the beginning of a text whose capitals say nothing of where words begin: one of
// mixedWords, an abbreviation with a version as in IPv4, or several of something as in IDs. It returns 0 for other words.
func wordWithin(runes []rune) int {
	capitals := 0
	for capitals < len(runes) && unicode.IsUpper(runes[capitals]) {
		capitals++
	}
	if capitals == 0 {
		return 0
	}
	for _, word := range mixedWords {
		n := len(word)
		if len(runes) < n || string(runes[:n]) != word {
			continue
		}
		if n < len(runes) && runes[n] == 's' {
			n++
		}
		if !isLowerAt(runes, n) {
			return n
		}
	}
	if capitals < 2 || capitals == len(runes) {
		return 0
	}
	after := capitals + 1
	switch runes[capitals] {
	case 'v':
		if after < len(runes) && unicode.IsDigit(runes[after]) {
			return after
		}
	case 's':
		if !isLowerAt(runes, after) {
			return after
		}
	}
	return 0
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
	Normal   bool // its names are compared in normal form KC
}

// Identifier makes a name in the language of a registered name. Other characters become underscores, and a digit at the front
// gets one before it. A keyword, or a name that the written file uses for itself (reserved), gets one at its end.
func (l *Language) Identifier(name string, reserved ...string) string {
	if l.Normal {
		name = Normal(name)
	}
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
