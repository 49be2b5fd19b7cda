package pywriter

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// keywords are the keywords of Python 3.9 to 3.13.
var keywords = []string{
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

// identifier makes a Python identifier of a registered name: other characters become underscores, and a keyword gets an
// underscore at its end.
func identifier(name string) string {
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
	if id == "" || slices.Contains(keywords, id) || slices.Contains(reserved, id) {
		id += "_"
	}
	return id
}

// IsPackageName reports whether name can be written in an import statement.
func IsPackageName(name string) bool {
	return name != "" && isASCII(name) && identifier(name) == name
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// scope holds the names of one Python namespace.
type scope struct {
	where string
	taken map[string]string // Python name: registered name
}

func newScope(where string) *scope { return &scope{where: where, taken: map[string]string{}} }

// take adds a name. It fails if the name is taken.
func (s *scope) take(id, registered string) error {
	if other, ok := s.taken[id]; ok {
		return fmt.Errorf("%s and %s would both be called %s in %s; register one under another name",
			other, registered, id, s.where)
	}
	s.taken[id] = registered
	return nil
}

func (s *scope) has(id string) bool {
	_, taken := s.taken[id]
	return taken
}

// argumentNames makes Python parameter names, which are unique in one function. A repeated name gets its position
// appended.
func argumentNames(names []string, n int) []string {
	out := make([]string, n)
	for i := range out {
		id := fmt.Sprintf("arg%d", i)
		if i < len(names) && names[i] != "" {
			id = identifier(snake(names[i]))
		}
		if id == "self" || slices.Contains(out[:i], id) {
			id = fmt.Sprintf("%s%d", id, i)
		}
		out[i] = id
	}
	return out
}

// snake turns a Go name into a Python one: maxDepth and MaxDepth become max_depth, URL becomes url.
func snake(name string) string {
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
