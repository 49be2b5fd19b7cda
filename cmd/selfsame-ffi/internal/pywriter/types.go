package pywriter

import (
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// plain are the schema names with a builtin Python type.
var plain = map[string]string{
	"int": "int", "float": "float", "bool": "bool", "ffi.String": "str", "ffi.Bytes": "bytes",
}

// faces are the schema names with a class of the selfsame package, by result and by what is taken as an argument.
var faces = map[string]struct{ result, argument string }{
	"ffi.Object":   {"_ffi.Object", "_ffi.Object"},
	"ffi.Error":    {"_ffi.Error", "_ffi.Error"},
	"ffi.Function": {"_ffi.Function", "_typing.Callable[..., _typing.Any]"},
	"ffi.Array":    {"_ffi.Array", "_typing.Sequence"},
	"ffi.List":     {"_ffi.List", "_typing.Sequence"},
	"ffi.Map":      {"_ffi.Map", "_typing.Mapping"},
	"ffi.Dict":     {"_ffi.Dict", "_typing.Mapping"},
	"ffi.Shape":    {"_ffi.Shape", "_typing.Sequence[int]"},
	"ffi.Tensor":   {"_ffi.Tensor", "_ffi.Tensor"},
	"ffi.Module":   {"_ffi.Module", "_ffi.Module"},
	"DataType":     {"_ffi.dtype", "_ffi.dtype | str"},
	"Device":       {"_ffi.Device", "_ffi.Device | str"},
	"ffi.Tuple":    {"_typing.Tuple", "_typing.Tuple"},
	"Tuple":        {"_typing.Tuple", "_typing.Tuple"},
}

// typing writes schemas as Python annotations.
type typing struct {
	classes map[string]string // type key: name in the module
	hidden  map[string]bool   // builtin names that a member of the current class hides
}

func (t typing) result(s model.Schema) string   { return t.annotation(s, false) }
func (t typing) argument(s model.Schema) string { return t.annotation(s, true) }

func (t typing) annotation(s model.Schema, argument bool) string {
	if name, ok := plain[s.Type]; ok {
		if t.hidden[name] {
			return "_builtins." + name
		}
		return name
	}
	if name, ok := t.classes[s.Type]; ok {
		return name
	}
	switch s.Type {
	case "None":
		return "None"
	case "Optional", "Variant":
		if len(s.Args) == 0 {
			return "_typing.Any"
		}
		parts := make([]string, 0, len(s.Args)+1)
		for _, a := range s.Args {
			part := t.annotation(a, argument)
			if part == "_typing.Any" {
				return part
			}
			parts = append(parts, part)
		}
		if s.Type == "Optional" {
			parts = append(parts, "None")
		}
		return strings.Join(parts, " | ")
	}
	face, ok := faces[s.Type]
	if !ok {
		if strings.Contains(s.Type, ".") && !strings.HasPrefix(s.Type, "ffi.") {
			return "_ffi.Object" // a class of another package
		}
		return "_typing.Any"
	}
	name := face.result
	if argument {
		name = face.argument
	}
	if s.Type == "ffi.Function" || len(s.Args) == 0 {
		switch {
		case s.Type == "ffi.Function" || len(s.Args) > 0:
		case s.Type == "ffi.Array" || s.Type == "ffi.List":
			return name + "[_typing.Any]"
		case s.Type == "ffi.Map" || s.Type == "ffi.Dict":
			return name + "[_typing.Any, _typing.Any]"
		}
		if t.hidden["str"] {
			name = strings.ReplaceAll(name, "| str", "| _builtins.str")
		}
		if t.hidden["int"] {
			name = strings.ReplaceAll(name, "[int]", "[_builtins.int]")
		}
		return name
	}
	parts := make([]string, len(s.Args))
	for i, a := range s.Args {
		parts[i] = t.annotation(a, argument)
	}
	return name + "[" + strings.Join(parts, ", ") + "]"
}
