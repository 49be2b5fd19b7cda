package pypackage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
)

// builtinTypes are the builtin Python types of values, and writtenBuiltins all that the module uses.
var (
	builtinTypes    = []string{"int", "float", "bool", "str", "bytes", "complex"}
	writtenBuiltins = append(slices.Clone(builtinTypes), "list", "dict", "tuple", "object", "slice", "set", "type", "getattr", "setattr", "vars",
		"property", "staticmethod", "Exception", "BaseException", "RuntimeError", "ValueError", "AttributeError", "LookupError",
		"NotImplementedError", "TimeoutError", "PermissionError",
		"OverflowError", "IndexError", "EOFError", "ConnectionError", "BrokenPipeError", "ConnectionRefusedError",
		"ConnectionResetError", "InterruptedError", "RecursionError", "FileExistsError", "FileNotFoundError", "IsADirectoryError",
		"NotADirectoryError", "ZeroDivisionError", "BufferError", "ArithmeticError", "TypeError")
)

// annotations are those of the names in schemas that are no kinds: of a result, and of an argument, which accepts more types.
var annotations = map[string]struct{ result, argument string }{
	"ffi.Tuple":   {"_typing.Tuple", ""},
	"Tuple":       {"_typing.Tuple", ""},
	"go.Complex":  {"complex", ""},
	"go.Time":     {"_datetime.datetime", ""},
	"go.Duration": {"_datetime.timedelta", ""},
	"go.Iterator": {"_ffi.Iterator", "_typing.Iterable"},
	"go.Error":    {"Exception", "BaseException"},
	"go.Set":      {"_typing.Set", "_typing.AbstractSet"},

	"go.Sequence":   {"_ffi.GoSequence", ""},
	"go.Mapping":    {"_ffi.GoMapping", ""},
	"go.MutableSet": {"_ffi.GoSet", ""},
	"go.Numbers":    {"_ffi.GoNumbers", ""},

	"go.File":   {"_typing.BinaryIO", ""},
	"go.Reader": {"_typing.BinaryIO", "_typing.BinaryIO | _ffi.Buffer"},
}

// shownTypes are what Python code of its own gets from Go in a wrapped package, instead of a copy.
var shownTypes = map[string]string{"ffi.Array": "go.Sequence", "ffi.Map": "go.Mapping", "go.Set": "go.MutableSet"}

// known returns the annotations of a name in a schema that is neither a class nor a record.
func known(name string) (result, argument string, ok bool) {
	known, ok := annotations[name]
	if k, isKind := kinds.ByKey(name); isKind && k.Result != "" {
		known.result, known.argument, ok = k.Result, k.Argument, true
	}
	return known.result, cmp.Or(known.argument, known.result), ok
}

// typing converts schemas into Python annotations.
type typing struct {
	classes     map[string]string // type key: name in the module
	records     map[string]string // key of a record: name in the module
	onlyRecords bool              // a record is no mapping
	implemented bool              // the current class is one whose methods Python classes define
	items       bool              // the current class has items
	hidden      map[string]bool   // builtin names that a member of the current class hides
	inModule    map[string]bool   // builtin names that a name of the module hides
	modules     map[string]bool   // of Python, which the module imports: those whose names were written
	iterables   bool              // the parameters are Go slices, which take any iterable
	shown       bool              // containers are seen where Go has them
	stock       bool              // for the package tvm_ffi, which lacks some of the types
}

// name returns a name of a module of Python, which is imported then.
func (t typing) name(module, name string) string {
	t.modules[module] = true
	return "_" + module + "." + name
}

func (t typing) result(s model.Schema) string { return t.annotation(s, false) }

// argument returns the annotation of a parameter, which takes more than its type.
func (t typing) argument(s model.Schema) string {
	if t.implemented { // an implementation gets what Go has, and need not expect that it has no callback and no file
		if s.Type == "Optional" && len(s.Args) == 1 && slices.Contains([]string{"ffi.Function", "go.File", "go.Reader"}, s.Args[0].Type) {
			s = s.Args[0]
		}
		t.shown = t.iterables
		return t.annotation(s, false)
	}
	name := t.annotation(s, true)
	switch {
	case t.stock:
		return name
	case s.Accepts == model.Arrays:
		return name + " | _ffi.SupportsDLPack"
	case s.Accepts == model.Tables:
		return name + " | _ffi.SupportsArrow"
	case s.Accepts == model.Buffers:
		if rest, is := strings.CutPrefix(name, t.builtin("bytes")); is && (rest == "" || strings.HasPrefix(rest, " |")) {
			return "_ffi.Buffer" + rest
		}
	}
	return name
}

func (t typing) annotation(s model.Schema, argument bool) string {
	if name, ok := t.classes[s.Type]; ok {
		return name
	}
	if as, ok := shownTypes[s.Type]; ok && t.shown {
		s.Type = as
	}
	if name, ok := t.records[s.Type]; ok {
		if argument && !t.onlyRecords {
			name += " | _typing.Mapping[" + t.builtin("str") + ", _typing.Any]"
		}
		return name
	}
	if s.Rows && !t.stock && !argument {
		name := "_ffi.GoRows["
		if s.Type == "go.Iterator" {
			name = "_ffi.RowIterator["
		}
		return name + t.annotation(s.Args[0], false) + "]"
	}
	switch s.Type {
	case "go.Plain":
		if len(s.Args) == 0 {
			return "_typing.Any"
		}
		return t.annotation(plainSchema(s.Args[0]), argument)
	case "list", "dict":
		parts := make([]string, len(s.Args))
		for i, a := range s.Args {
			parts[i] = t.annotation(a, argument)
		}
		return t.builtin(s.Type) + "[" + strings.Join(parts, ", ") + "]"
	case "Optional", "Variant", "Expected":
		return t.union(s, argument)
	case "ObjectRValueRef":
		object, _ := s.Moved()
		return t.annotation(object, argument)
	case "go.Pointer", "go.Named", "go.Interface":
		return t.wrapped(s, argument)
	}
	result, taken, ok := known(s.Type)
	if !ok {
		if strings.Contains(s.Type, ".") && !strings.HasPrefix(s.Type, "ffi.") {
			return "_ffi.Object" // a class of another package
		}
		return "_typing.Any"
	}
	name := result
	if argument && !(t.stock && ofMemory(taken)) {
		name = taken
	}
	if argument && t.iterables && !t.implemented && s.Type == "ffi.Array" {
		name = "_typing.Iterable"
	}
	if module, of, ok := strings.Cut(name, "."); !ok {
		return t.builtin(name)
	} else if module == "_datetime" {
		return t.name("datetime", of)
	}
	switch {
	case len(s.Args) == 0 || s.Type == "ffi.Function" && t.stock:
		return t.withoutArguments(s, name)
	case s.Type == "ffi.Function":
		return t.callable(s, argument)
	}
	part := t.result
	if argument {
		part = t.argument
	}
	parts := make([]string, len(s.Args))
	for i, a := range s.Args {
		if i == 0 && (s.Type == "ffi.Map" || s.Type == "go.Set") && t.records[a.Type] != "" {
			parts[i] = t.records[a.Type] // no mapping is a key
		} else {
			parts[i] = part(a)
		}
	}
	return name + "[" + strings.Join(parts, ", ") + "]"
}

// callable returns the annotation of a function. Where Python gives the function, Go makes the arguments, takes the
// result, and ignores a result where it expects none.
func (t typing) callable(s model.Schema, given bool) string {
	params := "..."
	if !s.Variadic {
		names := make([]string, len(s.Args)-1)
		of := t
		of.shown = given && t.iterables
		for i, a := range s.Args[1:] {
			names[i] = of.annotation(a, !given)
		}
		params = "[" + strings.Join(names, ", ") + "]"
	}
	t.shown = false
	result := t.annotation(s.Args[0], given)
	if given && s.Args[0].Type == "None" {
		result = t.builtin("object")
	}
	return "_typing.Callable[" + params + ", " + result + "]"
}

// ofMemory reports whether an annotation is of anything with memory. The package tvm_ffi has no such type.
func ofMemory(annotation string) bool {
	return strings.Contains(annotation, "_ffi.SupportsDLPack") || strings.Contains(annotation, "_ffi.Buffer")
}

// plainSchema replaces the containers of a schema by Python's own.
func plainSchema(s model.Schema) model.Schema {
	made := s
	made.Args = nil
	switch s.Type {
	case "ffi.Array", "ffi.List":
		made.Type = "list"
	case "ffi.Map", "ffi.Dict":
		made.Type = "dict"
	}
	for _, a := range s.Args {
		made.Args = append(made.Args, plainSchema(a))
	}
	return made
}

// builtin returns the name of a builtin type, also where a member of the class or a name of the module hides it.
func (t typing) builtin(name string) string {
	if t.hidden[name] || t.inModule[name] {
		return t.name("builtins", name)
	}
	return name
}

// union returns the annotation of an Optional or Variant. Any in it makes all of it Any.
func (t typing) union(s model.Schema, argument bool) string {
	if len(s.Args) == 0 {
		return "_typing.Any"
	}
	return t.oneOf(s.Args, argument, s.Type == "Optional" && !s.Present)
}

// oneOf returns the annotation of a value of any of the types, and of None if orNone is true. Any in it makes all of it Any.
func (t typing) oneOf(types []model.Schema, argument, orNone bool) string {
	parts := make([]string, 0, len(types)+1)
	for _, a := range types {
		part := t.annotation(a, argument)
		if part == "_typing.Any" {
			return part
		}
		parts = append(parts, part)
		orNone = orNone && !hasNone(part)
	}
	if orNone {
		parts = append(parts, "None")
	}
	return strings.Join(parts, " | ")
}

// hasNone says whether a value with an annotation may be None, which stands last in a union.
func hasNone(annotation string) bool {
	return annotation == "None" || strings.HasSuffix(annotation, " | None")
}

// wrapped returns the annotation of a class that stands for a Go type of another package. Arguments may be more than such an
// object: None for a nil pointer or interface, the plain value of a named type, objects of classes that implement an interface.
func (t typing) wrapped(s model.Schema, argument bool) string {
	if len(s.Args) == 0 {
		return "_typing.Any"
	}
	if !argument {
		return t.annotation(s.Args[0], argument)
	}
	return t.oneOf(s.Args, true, s.Type != "go.Named" && !s.Present)
}

// withoutArguments returns the annotation of a frontend type whose schema names no element types; those of a container
// are Any.
func (t typing) withoutArguments(s model.Schema, name string) string {
	switch s.Type {
	case "ffi.Array", "ffi.List":
		return name + "[_typing.Any]"
	case "ffi.Map", "ffi.Dict":
		return name + "[_typing.Any, _typing.Any]"
	}
	name = strings.ReplaceAll(name, "| str", "| "+t.builtin("str"))
	return strings.ReplaceAll(name, "[int]", "["+t.builtin("int")+"]")
}
