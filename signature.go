package selfsame

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// signature is a Go func's type as the ABI sees it.
type signature struct {
	name   string // in messages; empty for anonymous functions
	params []*conv
	hidden int   // how many leading parameters callers do not pass: a constructor's new object, which is also its result
	result *conv // nil: no result
	fails  bool  // the func's last result is an error
}

// signatureOf makes the signature of a func type without its first skip parameters, which the frontend passes itself.
func signatureOf(name string, t reflect.Type, skip int) (*signature, error) {
	s := &signature{name: name}
	if t.IsVariadic() {
		return nil, newError("TypeError", "selfsame: %s: expected a slice as the last parameter, got a variadic one",
			describe(name, t))
	}
	for i := skip; i < t.NumIn(); i++ {
		c, err := convFor(t.In(i))
		if err != nil {
			return nil, newError("TypeError", "selfsame: %s: parameter %d: %s", describe(name, t), i-skip, reason(err))
		}
		s.params = append(s.params, c)
	}
	results := t.NumOut()
	if results > 0 && t.Out(results-1) == errorType {
		s.fails = true
		results--
	}
	switch results {
	case 0:
	case 1:
		c, err := convFor(t.Out(0))
		if err != nil {
			return nil, newError("TypeError", "selfsame: %s: result: %s", describe(name, t), reason(err))
		}
		s.result = c
	default:
		return nil, newError("TypeError", "selfsame: %s: expected one result and an error at most, got %d results",
			describe(name, t), results)
	}
	return s, nil
}

// describe names a func in messages: by its registered name, if any, and its Go type.
func describe(name string, t reflect.Type) string {
	if name == "" {
		return t.String()
	}
	return fmt.Sprintf("%s (%s)", name, t)
}

// String returns the signature as it stands in messages.
func (s *signature) String() string {
	visible := s.params[s.hidden:]
	params := make([]string, len(visible))
	for i, p := range visible {
		params[i] = strconv.Itoa(i) + ": " + p.name()
	}
	result := "void"
	if s.result != nil {
		result = s.result.name()
	}
	return s.name + "(" + strings.Join(params, ", ") + ") -> " + result
}

// schema returns the type_schema of the function. self is the schema of a leading object parameter, "" if there is none.
func (s *signature) schema(self string) string {
	args := []string{leafSchema("None")}
	if s.result != nil {
		args[0] = s.result.schema()
	}
	if self != "" {
		args = append(args, self)
	}
	for _, p := range s.params {
		args = append(args, p.schema())
	}
	return nestedSchema("ffi.Function", args...)
}

// checkCount returns the error for a wrong number of arguments.
func (s *signature) checkCount(got int) error {
	if got == len(s.params) {
		return nil
	}
	return newError("TypeError", "Mismatched number of arguments when calling: `%s`. Expected %d but got %d arguments",
		s, len(s.params), got)
}

// argumentError adds to an error which argument it is about. i counts hidden parameters, the message does not.
func (s *signature) argumentError(i int, err error) error {
	name := s.params[i].name
	i -= s.hidden
	if m, ok := err.(*mismatch); ok {
		return newError("TypeError", "Mismatched type on argument #%d when calling: `%s`. Expected `%s` but got `%s`",
			i, s, name(), m.got)
	}
	if e, ok := err.(*Error); ok && e.object == nil {
		return newError(e.Kind, "%s (argument #%d when calling: `%s`)", e.Message, i, s)
	}
	return err
}

// reason returns an error's text for use inside another message: without its kind and without the prefix.
func reason(err error) string {
	text := err.Error()
	if e, ok := err.(*Error); ok {
		text = e.Message
	}
	return strings.TrimPrefix(text, "selfsame: ")
}

// classes returns the classes of the parameters and the result.
func (s *signature) classes() []*class {
	var out []*class
	for _, p := range s.params {
		out = append(out, p.classes...)
	}
	if s.result != nil {
		out = append(out, s.result.classes...)
	}
	return out
}

// leafSchema returns the schema of a type without arguments.
func leafSchema(name string) string { return `{"type":` + quote(name) + `}` }

// nestedSchema returns the schema of a type with arguments.
func nestedSchema(name string, args ...string) string {
	return `{"type":` + quote(name) + `,"args":[` + strings.Join(args, ",") + `]}`
}

// metadataOf returns the metadata JSON of a field, method or function. named may be nil.
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
