package model

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

// Schema is a type as in reflection metadata: a name (`int`, `ffi.String`, a type key, `Optional`, ...) and its type
// arguments. The zero Schema is an unknown type.
type Schema struct {
	Type    string   `json:"type,omitempty"`
	Args    []Schema `json:"args,omitempty"`
	Accepts string   `json:"accepts,omitempty"` // of a parameter: what else it takes, Arrays, Buffers or Tables; not in the reflection metadata

	Present  bool `json:"present,omitempty"`  // of a parameter: None is no argument for it; not in the schema of reflection metadata
	Rows     bool `json:"rows,omitempty"`     // of a result that is a slice or an iterator of structs, which have columns in Arrow
	Variadic bool `json:"variadic,omitempty"` // of a function that is a value: the last argument stands for any number of them
}

// The values of Schema.Accepts.
const (
	Arrays  = "arrays"  // of numbers, whose elements are copied
	Buffers = "buffers" // of bytes
	Tables  = "tables"  // of structs, whose columns are in Arrow's form
)

// UnmarshalJSON reads a schema in both forms that headers write for functions: the types of the result and of the parameters
// in args, or apart in named_args. Arguments that are no types, as the length of a std::array, are left out.
func (s *Schema) UnmarshalJSON(text []byte) error {
	var read struct {
		Type    string            `json:"type"`
		Args    []json.RawMessage `json:"args"`
		Accepts string            `json:"accepts"`
		Rest    bool              `json:"variadic"`
		Present bool              `json:"present"`
		Rows    bool              `json:"rows"`
		Named   *struct {
			Return []Schema `json:"return"`
			Params []Schema `json:"params"`
		} `json:"named_args"`
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	s.Type, s.Args, s.Accepts, s.Variadic = read.Type, nil, read.Accepts, read.Rest
	s.Present, s.Rows = read.Present, read.Rows
	for _, arg := range read.Args {
		if arg[0] != '{' {
			continue
		}
		var schema Schema
		if err := json.Unmarshal(arg, &schema); err != nil {
			return err
		}
		s.Args = append(s.Args, schema)
	}
	if read.Named != nil && len(read.Named.Return) == 1 {
		s.Args = append(read.Named.Return, read.Named.Params...)
	}
	return nil
}

// metadata is the JSON object in the metadata of fields, methods and functions.
type metadata struct {
	TypeSchema string   `json:"type_schema"`
	ArgNames   []string `json:"arg_names"`
	Defaults   []string `json:"arg_defaults"`
	Doc        string   `json:"doc"`
	Property   string   `json:"property"`
	ByName     int      `json:"by_name"`
	Present    []int    `json:"present"` // parameters for which None is no argument
	Variadic   bool     `json:"variadic"`
	Context    bool     `json:"context"`
	GoFunc     string   `json:"go_func"`
	Numbers    []int    `json:"lent_numbers"` // parameters that take arrays of numbers
	Bytes      []int    `json:"lent_bytes"`   // parameters that take any buffer of bytes
	Tables     []int    `json:"arrow"`        // parameters that take tables of Arrow
	Records    []struct {
		Key    string `json:"key"`
		Doc    string `json:"doc"`
		Fields []struct {
			Name       string `json:"name"`
			Doc        string `json:"doc"`
			TypeSchema string `json:"type_schema"`
		} `json:"fields"`
	} `json:"records"`
}

// records returns the records that the metadata describes.
func (m *metadata) records() ([]Record, error) {
	var all []Record
	for _, r := range m.Records {
		made := Record{Key: r.Key, Doc: r.Doc}
		for _, f := range r.Fields {
			field := Field{Name: f.Name, Doc: f.Doc}
			if err := json.Unmarshal([]byte(f.TypeSchema), &field.Type); err != nil {
				return nil, fmt.Errorf("record %s, field %s: %w", r.Key, f.Name, err)
			}
			made.Fields = append(made.Fields, field)
		}
		all = append(all, made)
	}
	return all, nil
}

func parseMetadata(text string) (metadata, Schema, error) {
	var m metadata
	var s Schema
	if text == "" {
		return m, s, nil
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return m, s, fmt.Errorf("metadata %q: %w", text, err)
	}
	if m.TypeSchema == "" {
		return m, s, nil
	}
	if err := json.Unmarshal([]byte(m.TypeSchema), &s); err != nil {
		return m, s, fmt.Errorf("type schema %q: %w", m.TypeSchema, err)
	}
	return m, s, nil
}

// SetMetadata sets the type and doc of a field from its metadata.
func (f *Field) SetMetadata(text string) error {
	m, s, err := parseMetadata(text)
	if err != nil {
		return fmt.Errorf("field %s: %w", f.Name, err)
	}
	f.Type = s
	if f.Doc == "" {
		f.Doc = m.Doc
	}
	return nil
}

// SetMetadata sets signature, argument names, defaults and doc of a function from its metadata. receiver says that the
// first argument in the schema is a method's object, which Args does not include.
func (f *Function) SetMetadata(text string, receiver bool) error {
	m, s, err := parseMetadata(text)
	if err != nil {
		return fmt.Errorf("function %s: %w", f.Name, err)
	}
	if f.Doc == "" {
		f.Doc = m.Doc
	}
	f.Variadic, f.Context, f.GoFunc = m.Variadic, m.Context, m.GoFunc
	if f.Records, err = m.records(); err != nil {
		return fmt.Errorf("function %s: %w", f.Name, err)
	}
	if s.Type != "ffi.Function" || len(s.Args) == 0 {
		return nil
	}
	args := s.Args[1:]
	m.markParameters(args)
	if receiver {
		if len(args) == 0 {
			return fmt.Errorf("method %s: its schema has no argument for the object", f.Name)
		}
		args = args[1:]
	}
	f.Typed, f.Result, f.Args, f.Property = true, s.Args[0], args, m.Property
	if len(m.ArgNames) == len(args) {
		f.ArgNames, f.Keywords = m.ArgNames, len(m.ArgNames) > 0
		for _, i := range m.Present {
			if i >= 0 && i < len(args) {
				args[i].Present = true
			}
		}
		if f.Variadic && len(args) == 0 {
			return fmt.Errorf("function %s: its schema has no argument for the variadic parameter", f.Name)
		}
		if len(m.Defaults) <= len(args) {
			f.ArgDefaults = literals(m.Defaults)
		}
		f.splitByName(m.ByName)
	}
	return nil
}

// markParameters notes in the schemas of all parameters what they take besides their type.
func (m *metadata) markParameters(params []Schema) {
	mark := func(indices []int, accepts string) {
		for _, i := range indices {
			if i >= 0 && i < len(params) {
				params[i].accept(accepts)
			}
		}
	}
	mark(m.Numbers, Arrays)
	mark(m.Tables, Tables)
	mark(m.Bytes, Buffers) // an array of bytes takes both, and arrays with these are buffers
}

// accept notes what a parameter takes; the rows of a slice of slices may be arrays too.
func (s *Schema) accept(what string) {
	s.Accepts = what
	for i := range s.Args {
		if s.Args[i].Type == "ffi.Array" && what == Arrays {
			s.Args[i].accept(what)
		}
	}
}

// splitByName moves the last n parameters with a default, which are keyword arguments only, from the others to ByName.
func (f *Function) splitByName(n int) {
	_, fixed := f.Rest()
	if n <= 0 || n > len(f.ArgDefaults) || len(f.ArgDefaults) > fixed {
		return
	}
	first := fixed - n
	for i := first; i < fixed; i++ {
		f.ByName = append(f.ByName, Field{Name: f.ArgNames[i], Type: f.Args[i], Default: f.ArgDefaults[len(f.ArgDefaults)-fixed+i]})
	}
	f.Args = slices.Delete(slices.Clone(f.Args), first, fixed)
	f.ArgNames = slices.Delete(slices.Clone(f.ArgNames), first, fixed)
	f.ArgDefaults = f.ArgDefaults[:len(f.ArgDefaults)-n]
}

// OrError returns the type of the value of a tvm::ffi::Expected: a result that is either the value or an Error. ok is false for
// any other type.
func (s Schema) OrError() (value Schema, ok bool) {
	if s.Type == "Expected" && len(s.Args) > 0 {
		return s.Args[0], true
	}
	return s, false
}

// Moved returns the type of the object of a tvm::ffi::RValueRef: a parameter which the caller may give up, so that the function
// changes the object itself instead of a copy. ok is false for any other type.
func (s Schema) Moved() (object Schema, ok bool) {
	if s.Type == "ObjectRValueRef" && len(s.Args) == 1 {
		return s.Args[0], true
	}
	return s, false
}

// String writes the type as in Python: Optional[geo.Point], Map[str, int]. An unknown type is Any.
func (s Schema) String() string {
	name, known := map[string]string{"": "Any", "ffi.String": "str", "ffi.Bytes": "bytes", "ObjectRValueRef": "RValueRef"}[s.Type]
	if value, ok := s.OrError(); ok {
		return "Expected[" + value.String() + "]"
	}
	if !known {
		name = strings.TrimPrefix(s.Type, "ffi.")
	}
	if len(s.Args) == 0 {
		return name
	}
	args := make([]string, len(s.Args))
	for i, a := range s.Args {
		args[i] = a.String()
	}
	return name + "[" + strings.Join(args, ", ") + "]"
}

// literal is an expression of Python that is the value of a default: generated code has no other.
var literal = regexp.MustCompile(`^(None|True|False|\.\.\.|-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?|float\("(nan|-?inf)"\)|b?"([^"\\\n]|\\.)*")$`)

// literals returns defaults that a library gives. A default that is no literal could be any code, and becomes `...`.
func literals(defaults []string) []string {
	out := make([]string, len(defaults))
	for i, text := range defaults {
		out[i] = "..."
		if literal.MatchString(text) && escape.TerminalLine(text) == text {
			out[i] = text
		}
	}
	return out
}
