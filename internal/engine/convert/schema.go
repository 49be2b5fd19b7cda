package selfsame

import (
	"encoding/json"
	"strings"
)

// constant returns the functions name and schema of a conv for a type with fixed names.
func constant(name, schema string) (func() string, func() string) {
	text := leafSchema(schema)
	return func() string { return name }, func() string { return text }
}

// leafSchema returns the schema of a type without arguments.
func leafSchema(name string) string { return `{"type":` + quote(name) + `}` }

// nestedSchema returns the schema of a type with arguments.
func nestedSchema(name string, args ...string) string {
	return `{"type":` + quote(name) + `,"args":[` + strings.Join(args, ",") + `]}`
}

func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = quote(text)
	}
	return "[" + strings.Join(quoted, ",") + "]"
}

func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return string(text)
}
