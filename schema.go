package selfsame

import (
	"encoding/json"
	"strings"
)

// leafSchema is the schema of a type without arguments.
func leafSchema(name string) string { return `{"type":` + quote(name) + `}` }

// nestedSchema is the schema of a type with arguments.
func nestedSchema(name string, args ...string) string {
	return `{"type":` + quote(name) + `,"args":[` + strings.Join(args, ",") + `]}`
}

// metadataOf is the metadata text of a field, method or function.
func metadataOf(schema string, argNames []string) string {
	text := `{"type_schema":` + quote(schema)
	if len(argNames) > 0 {
		quoted := make([]string, len(argNames))
		for i, name := range argNames {
			quoted[i] = quote(name)
		}
		text += `,"arg_names":[` + strings.Join(quoted, ",") + `]`
	}
	return text + "}"
}

func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return string(text)
}
