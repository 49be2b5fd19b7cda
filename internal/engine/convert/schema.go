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

// AppendQuotedAll appends strings as a JSON list.
func AppendQuotedAll(text []byte, all []string) []byte {
	text = append(text, '[')
	for i, s := range all {
		if i > 0 {
			text = append(text, ',')
		}
		text = AppendQuoted(text, s)
	}
	return append(text, ']')
}

// Quote returns a string as JSON.
func Quote(s string) string { return string(AppendQuoted(make([]byte, 0, len(s)+2), s)) }

// AppendQuoted appends a string as JSON. It does itself what [json.Marshal] takes several times as long for, with the same result: the
// texts of a large package are thousands, and quoted when it is imported.
func AppendQuoted[T string | []byte](text []byte, s T) []byte {
	start := len(text)
	text = append(text, '"')
	from := 0 // of what is not copied yet
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			text = append(append(text, s[from:i]...), '\\')
			from = i
		case c == '\n':
			text = append(append(text, s[from:i]...), `\n`...)
			from = i + 1
		case c < ' ' || c > '~' || c == '<' || c == '>' || c == '&':
			return append(text[:start], quoteOther(string(s))...)
		}
	}
	return append(append(text, s[from:]...), '"')
}

func quoteOther(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return string(text)
}
