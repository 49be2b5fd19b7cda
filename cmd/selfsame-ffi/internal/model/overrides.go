package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/internal/kinds"
)

// Overrides say what a library's reflection does not: names of arguments, and types. The file is JSON; its keys are
// registered names.
type Overrides struct {
	// Namespace is what all names below begin with, without the dot behind it; "" if they are whole.
	Namespace string `json:"namespace"`
	// Functions are by name: of a global function, of a function of the library's module, type key and name of a method
	// (geo.Point.move), or type key and __init__ for a constructor.
	Functions map[string]FunctionOverride `json:"functions"`
	// Fields are types by type key and name.
	Fields map[string]string `json:"fields"`

	lenient bool
}

// FunctionOverride changes what is known of a function. What it leaves out stays as it is.
type FunctionOverride struct {
	// Args are the arguments without a method's object: `name`, `name: type` or `: type`, and ` = default` behind it for one that
	// Python gives a default, a literal of Python.
	Args   []string `json:"args"`
	Result string   `json:"result"`
	Doc    string   `json:"doc"`
}

// ReadOverrides reads the file. It fails for a key that has no meaning.
func ReadOverrides(in io.Reader) (*Overrides, error) {
	decoder := json.NewDecoder(in)
	decoder.DisallowUnknownFields()
	var o Overrides
	if err := decoder.Decode(&o); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("expected one JSON object, got more behind it")
	}
	return &o, nil
}

// Apply changes the library. It fails, and names all of them, for overrides that fit nothing in it: they are of another
// version.
func (o *Overrides) Apply(lib *Library) error {
	unused, err := o.apply(lib)
	if err != nil || len(unused) == 0 {
		return err
	}
	return fmt.Errorf("the library has no %s", strings.Join(unused, ", "))
}

// ApplyKnown changes the library as far as the overrides fit it: another version may lack functions, or give them other arguments.
func (o *Overrides) ApplyKnown(lib *Library) error {
	o.lenient = true
	_, err := o.apply(lib)
	return err
}

// apply changes the library, and returns the names of the overrides that fit nothing in it.
func (o *Overrides) apply(lib *Library) ([]string, error) {
	keys := map[string]bool{}
	for _, c := range lib.Classes {
		keys[c.Key] = true
	}
	prefix := o.Namespace
	if prefix != "" {
		prefix += "."
	}
	unused := map[string]bool{}
	for name := range o.Functions {
		unused[name] = true
	}
	for name := range o.Fields {
		unused["the field "+name] = true
	}
	change := func(name string, f *Function) error {
		name, own := strings.CutPrefix(name, prefix)
		override, ok := o.Functions[name]
		if !ok || !own {
			return nil
		}
		delete(unused, name)
		changed := *f
		if o.lenient && f.Typed {
			override.shorten(len(f.Args))
		}
		switch err := override.apply(&changed, keys); {
		case err == nil:
			*f = changed
		case !o.lenient:
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	for i := range lib.Functions {
		if err := change(lib.Functions[i].Name, &lib.Functions[i]); err != nil {
			return nil, err
		}
	}
	for i := range lib.Classes {
		c := &lib.Classes[i]
		if c.Init != nil {
			if err := change(c.Key+".__init__", c.Init); err != nil {
				return nil, err
			}
		}
		for j := range c.Methods {
			if err := change(c.Key+"."+c.Methods[j].Name, &c.Methods[j]); err != nil {
				return nil, err
			}
		}
		for j := range c.Fields {
			name, own := strings.CutPrefix(c.Key+"."+c.Fields[j].Name, prefix)
			text, ok := o.Fields[name]
			if !ok || !own {
				continue
			}
			delete(unused, "the field "+name)
			s, err := ParseSchema(text, keys)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			c.Fields[j].Type = s
		}
	}
	var names []string
	for name := range unused {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

// shorten leaves out the last arguments that have defaults, as far as the library's version takes fewer.
func (o *FunctionOverride) shorten(count int) {
	for len(o.Args) > count && strings.Contains(o.Args[len(o.Args)-1], " = ") {
		o.Args = o.Args[:len(o.Args)-1]
	}
}

func (o *FunctionOverride) apply(f *Function, keys map[string]bool) error {
	if o.Doc != "" {
		f.Doc = o.Doc
	}
	if o.Args != nil {
		if f.Typed && len(o.Args) != len(f.Args) {
			return fmt.Errorf("expected %d arguments, as the library says, got %d", len(f.Args), len(o.Args))
		}
		args := make([]Schema, len(o.Args))
		copy(args, f.Args)
		names := make([]string, len(o.Args))
		f.ArgDefaults = nil
		for i, text := range o.Args {
			text, value, hasDefault := strings.Cut(text, " = ")
			switch {
			case hasDefault:
				f.ArgDefaults = append(f.ArgDefaults, literals([]string{value})...)
			case f.ArgDefaults != nil:
				return fmt.Errorf("argument %q: expected a default, as the one before has it", text)
			}
			name, typeText, typed := strings.Cut(text, ":")
			names[i] = strings.TrimSpace(name)
			if !typed {
				continue
			}
			s, err := ParseSchema(typeText, keys)
			if err != nil {
				return fmt.Errorf("argument %q: %w", text, err)
			}
			args[i] = s
		}
		f.Typed, f.Args, f.ArgNames = true, args, names
	}
	if o.Result != "" {
		s, err := ParseSchema(o.Result, keys)
		if err != nil {
			return fmt.Errorf("result: %w", err)
		}
		f.Result = s
		f.Typed = f.Typed || o.Args != nil
	}
	return nil
}

// ParseSchema reads a type as Schema.String writes it: Optional[geo.Point], Map[str, int]. classes has the type keys of
// classes, which may be written in full or, when only one fits, as their last part.
func ParseSchema(text string, classes map[string]bool) (Schema, error) {
	p := schemaParser{text: text, classes: classes}
	s, err := p.schema()
	if err == nil && strings.TrimSpace(p.text) != "" {
		err = fmt.Errorf("unexpected %q at the end", strings.TrimSpace(p.text))
	}
	if err != nil {
		return Schema{}, fmt.Errorf("type %q: %w", text, err)
	}
	return s, nil
}

type schemaParser struct {
	text    string
	classes map[string]bool
}

// forms are the names of types that are no kinds, in Python's spelling.
var forms = map[string]string{"Tuple": "Tuple", "Optional": "Optional", "Variant": "Variant", "Expected": "Expected", "RValueRef": "ObjectRValueRef"}

func (p *schemaParser) schema() (Schema, error) {
	p.text = strings.TrimLeft(p.text, " ")
	end := strings.IndexAny(p.text, "[],")
	if end < 0 {
		end = len(p.text)
	}
	name := strings.TrimSpace(p.text[:end])
	p.text = p.text[end:]
	key, err := p.resolve(name)
	if err != nil {
		return Schema{}, err
	}
	s := Schema{Type: key}
	for separator := byte('['); p.text != "" && p.text[0] == separator; separator = ',' {
		p.text = p.text[1:]
		arg, err := p.schema()
		if err != nil {
			return s, err
		}
		s.Args = append(s.Args, arg)
	}
	if s.Args != nil {
		if p.text == "" || p.text[0] != ']' {
			return s, errors.New("expected ]")
		}
		p.text = strings.TrimLeft(p.text[1:], " ")
	}
	return s, nil
}

func (p *schemaParser) resolve(name string) (string, error) {
	if p.classes[name] || strings.HasPrefix(name, "ffi.") {
		return name, nil
	}
	if key, ok := forms[name]; ok {
		return key, nil
	}
	if kind, ok := kinds.Named(name); ok {
		return kind.Key, nil
	}
	found := ""
	for key := range p.classes {
		if strings.HasSuffix(key, "."+name) {
			if found != "" {
				return "", fmt.Errorf("%q is ambiguous: write the whole type key", name)
			}
			found = key
		}
	}
	if found == "" {
		return "", fmt.Errorf("there is no class or type %q", name)
	}
	return found, nil
}
