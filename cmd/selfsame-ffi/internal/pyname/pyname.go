// Package pyname makes Python names of the names in Go.
package pyname

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Keywords are the keywords of Python 3.9 to 3.13.
var Keywords = []string{
	"False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
	"else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or",
	"pass", "raise", "return", "try", "while", "with", "yield",
}

// reserved are the names that the generated module uses for itself.
var reserved = []string{
	"_ffi", "_typing", "_dataclasses", "_datetime", "_builtins", "_os", "annotations", "__all__", "__doc__", "__file__", "__name__", "__path__",
	"__version__",
	"_ctypes", "_keyword", "_load", "_KWARGS", "_named", "_register", "_keywords", "_with_keywords", "_members",
}

// Identifier makes a Python identifier of a registered name: other characters become underscores, and a keyword gets an
// underscore at its end.
func Identifier(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '_' || unicode.IsLetter(r) || i > 0 && unicode.IsDigit(r):
			b.WriteRune(r)
		case unicode.IsDigit(r):
			b.WriteRune('_')
			b.WriteRune(r)
		default:
			b.WriteRune('_')
		}
	}
	id := b.String()
	if id == "" || slices.Contains(Keywords, id) || slices.Contains(reserved, id) {
		id += "_"
	}
	return id
}

// Snake turns a Go name into a Python one: maxDepth and MaxDepth become max_depth, URL becomes url.
func Snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) {
			afterLower := i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]))
			beforeLower := i > 0 && i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])
			if afterLower || beforeLower {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Parameters makes Python names of the parameters of a Go func: unique identifiers, none of them `self`. "" stands for a
// parameter without a name, in names and in the result.
func Parameters(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		if name == "" {
			continue
		}
		id := Identifier(Snake(name))
		if id == "self" {
			id = "self_"
		}
		if slices.Contains(out[:i], id) {
			id = fmt.Sprintf("%s%d", id, i)
		}
		out[i] = id
	}
	return out
}
