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

func Quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return string(text)
}
