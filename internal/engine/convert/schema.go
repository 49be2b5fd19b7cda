package convert

import (
	"encoding/json"
	"strings"
)

// constant returns the functions name and schema of a conv for a type with fixed names.
func constant(name, schema string) (func() string, func() string) {
	text := LeafSchema(schema)
	return func() string { return name }, func() string { return text }
}

// LeafSchema returns the schema of a type without arguments.
func LeafSchema(name string) string { return `{"type":` + Quote(name) + `}` }

// NestedSchema returns the schema of a type with arguments.
func NestedSchema(name string, args ...string) string {
	return `{"type":` + Quote(name) + `,"args":[` + strings.Join(args, ",") + `]}`
}

func QuoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = Quote(text)
	}
	return "[" + strings.Join(quoted, ",") + "]"
}

// Quote returns a string as JSON. It does itself what [json.Marshal] takes several times as long for, with the same result: the texts
// of a large package are thousands, and quoted when it is imported.
func Quote(s string) string {
	escapes := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '\n':
			escapes++
		case c < ' ' || c > '~' || c == '<' || c == '>' || c == '&':
			return quoteOther(s)
		}
	}
	if escapes == 0 {
		return `"` + s + `"`
	}
	var b strings.Builder
	b.Grow(len(s) + escapes + 2)
	b.WriteByte('"')
	for i := range len(s) {
		c := s[i]
		if c == '"' || c == '\\' {
			b.WriteByte('\\')
		} else if c == '\n' {
			b.WriteByte('\\')
			c = 'n'
		}
		b.WriteByte(c)
	}
	b.WriteByte('"')
	return b.String()
}

func quoteOther(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return string(text)
}
