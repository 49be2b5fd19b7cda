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

// metadataOf is the metadata text of a field, method or function. named may be nil.
func metadataOf(schema string, named *arguments) string {
	text := `{"type_schema":` + quote(schema)
	if named != nil {
		text += `,"arg_names":` + quoteAll(named.names)
		if len(named.texts) > 0 {
			text += `,"arg_defaults":` + quoteAll(named.texts)
		}
	}
	return text + "}"
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
