// Package cpp writes headers for C++17 and the headers of tvm-ffi.
package cpp

import (
	_ "embed"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/bindings"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
)

var language = &bindings.Language{
	Name:     escape.CppName,
	Comment:  escape.CppComment,
	Reserved: []string{"load", "detail", "ffi", "get", "defined", "same_as", "use_count", "unique", "type_index", "as", "data_", "ffi_construct", "ffi_get", "ffi_set", "ffi_call", "ContainerType", "ffi_views", "std", "tvm"},
}

// Header writes the header of a library.
func Header(lib *bindings.Library) (string, error) {
	g, err := bindings.NewWriter(lib, language)
	if err != nil {
		return "", err
	}
	w := &writer{Writer: g, place: map[string]int{}, members: map[string]string{}}
	for i, c := range lib.Content.Classes {
		w.place[c.Key] = i
	}
	w.Head(headText)
	for _, c := range lib.Content.Classes {
		w.Line(0, "class %s;", w.Classes[c.Key])
	}
	w.Line(0, "")
	for _, c := range lib.Content.Classes {
		w.object(c)
	}
	for i, c := range lib.Content.Classes {
		w.complete = i
		if err := w.class(c); err != nil {
			return "", err
		}
	}
	for i, c := range lib.Content.Classes {
		w.complete = i
		w.bodies(c)
	}
	w.complete = len(lib.Content.Classes)
	for _, f := range w.OwnFunctions() {
		if err := w.global(f); err != nil {
			return "", err
		}
	}
	w.Line(0, "}  // namespace %s", lib.Name)
	return w.Text.String(), nil
}

// headText is what a header has before its classes: includes, load, and the helpers of all that follows.
//
//go:embed head.hpp.tmpl
var headText string

type writer struct {
	*bindings.Writer
	place    map[string]int    // type key: which of the classes
	complete int               // how many classes, from the first, C++ knows whole where a member is declared
	members  map[string]string // class and member: its name
}

// parameter makes the name of a parameter. A parameter with the name of a class would hide the class.
func (w *writer) parameter(name string) string {
	id := w.Language.Identifier(name)
	for _, class := range w.Classes {
		if id == class {
			return id + "_"
		}
	}
	return id
}

// member takes the name of a class's member: a method's registered name, or what fieldOf or bindings.SetterOf returns.
func (w *writer) member(scope *model.Scope, c *model.Class, id, what string) (string, error) {
	id, err := w.Take(scope, id, what)
	w.members[c.Key+"\n"+what] = id
	return id, err
}

// fieldOf names the getter of a field in the table of members: a method may have the same name.
func fieldOf(field string) string { return "the field " + field }

// object writes the class of the memory, of which only the header is known.
func (w *writer) object(c model.Class) {
	name := w.Classes[c.Key]
	parent, ok := w.Classes[c.Parent]
	if ok {
		parent += "Obj"
	} else {
		parent = "ffi::Object"
	}
	w.Line(0, "/// The memory of a %s, which belongs to the library.", name)
	w.Line(0, "class %sObj : public %s {", name, parent)
	w.Line(1, "public:")
	w.Line(2, "static constexpr const char* _type_key = %s;", escape.CppString(c.Key))
	w.Line(2, "static constexpr int32_t _type_depth = %s::_type_depth + 1;", parent)
	w.Line(2, "static constexpr bool _type_mutable = true;")
	w.Line(2, "static constexpr bool _type_final = false;")
	w.Line(2, "static constexpr uint32_t _type_child_slots = 0;")
	w.Line(2, "static constexpr bool _type_child_slots_can_overflow = true;")
	w.Line(2, "/// Throws when the package is not loaded.")
	w.Line(2, "static int32_t RuntimeTypeIndex() {")
	w.Line(4, "static const int32_t index = %s::detail::type_index(_type_key);", w.Name)
	w.Line(4, "return index;")
	w.Line(2, "}")
	w.Line(0, "};")
	w.Line(0, "")
}

// signature returns a function's parameters with their types, and the arguments of the call that passes them on. defaults says
// whether to write defaults, which stand in the declaration only.
func (w *writer) signature(f model.Function, defaults bool) (params, args []string) {
	names := f.Parameters(w.parameter)
	texts, args := make([]string, len(names)), slices.Clone(names)
	element, fixed := f.Rest()
	if f.Variadic {
		texts[fixed] = "const std::vector<" + w.inner(element) + ">& " + names[fixed]
		if defaults {
			texts[fixed] += " = {}"
		}
	}
	missing := true
	for i := fixed - 1; i >= 0; i-- {
		text := w.argument(f.Args[i]) + " " + names[i]
		if object, ok := w.moved(f.Args[i]); ok {
			text, args[i] = object+" "+names[i], "ffi::RValueRef<"+object+">(std::move("+names[i]+"))"
		}
		k := i - (fixed - len(f.ArgDefaults))
		if k >= 0 && missing && defaults {
			_, isClass := w.Classes[f.Args[i].Type] // never null, so None is no default of it
			if value, ok := value(f.ArgDefaults[k]); ok && !(isClass && value == "{}") {
				text += " = " + value
			} else {
				missing = false
			}
		}
		texts[i] = text
	}
	return texts, args
}

// number is a number that C++ and Python write alike.
var number = regexp.MustCompile(`^-?([1-9][0-9]*|0|[0-9]+\.[0-9]+)([eE][-+]?[0-9]+)?$`)

// value writes a default, a Python expression, in C++.
func value(python string) (string, bool) {
	switch python {
	case "None":
		return "{}", true
	case "True":
		return "true", true
	case "False":
		return "false", true
	}
	if number.MatchString(python) {
		return numberOf(python)
	}
	if text, err := strconv.Unquote(python); err == nil && python[0] == '"' {
		return escape.CppString(text), true
	}
	return "", false
}

// numberOf writes a number. C++ has no int64_t for a greater one: there its value would be another. The least one is no
// literal there.
func numberOf(python string) (string, bool) {
	if strings.ContainsAny(python, ".eE") {
		return python, true
	}
	switch n, err := strconv.ParseInt(python, 10, 64); {
	case err != nil:
		return "", false
	case n == math.MinInt64:
		return "-9223372036854775807 - 1", true
	}
	return python, true
}

func (w *writer) class(c model.Class) error {
	name := w.Classes[c.Key]
	parent, ok := w.Classes[c.Parent]
	if !ok {
		parent = "ffi::ObjectRef"
	}
	members := model.NewScope("the class " + name)
	if err := members.Take(name, "the class itself"); err != nil { // a member of that name would be a constructor
		return err
	}
	w.Doc(0, c.Doc)
	w.Line(0, "class %s : public %s {", name, parent)
	w.Line(1, "public:")
	if c.Init != nil {
		if c.Init.Typed {
			init, _ := c.Init.InOrder()
			params, _ := w.signature(init, true)
			explicit := ""
			if len(params) == 1 {
				explicit = "explicit "
			}
			w.Doc(2, c.Init.Doc)
			w.Line(2, "%s%s(%s);", explicit, name, strings.Join(params, ", "))
		} else {
			w.Line(2, "/// Makes an object of any arguments.")
			w.Line(2, "template <typename... Args>")
			w.Line(2, "static %s make(Args&&... args);", name)
		}
	}
	for _, f := range c.Fields {
		id, err := w.member(members, &c, w.Language.Identifier(f.Name), fieldOf(f.Name))
		if err != nil {
			return err
		}
		w.Doc(2, f.Doc)
		w.Line(2, "%s %s() const;", w.inner(f.Type), id)
		if f.Writable {
			set, err := w.member(members, &c, "set_"+id, bindings.SetterOf(f.Name))
			if err != nil {
				return err
			}
			w.Line(2, "void %s(%s value);", set, w.argument(f.Type))
		}
	}
	for _, m := range c.NamedMethods() {
		id, err := w.member(members, &c, w.Language.Identifier(m.Name), m.Name)
		if err != nil {
			return err
		}
		w.Doc(2, m.Doc)
		w.declare(2, id, m, true)
	}
	w.Line(0, "")
	w.Line(2, "TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(%s, %s, %sObj);", name, parent, name)
	w.Line(0, "};")
	w.Line(0, "")
	return nil
}

// declare writes the declaration of a method or function, with its semicolon.
func (w *writer) declare(indent int, id string, f model.Function, member bool) {
	prefix, suffix := "", ""
	if member && f.Static {
		prefix = "static "
	} else if member {
		suffix = " const"
	}
	if !f.Typed {
		w.Line(indent, "template <typename... Args>")
		w.Line(indent, "%sffi::Any %s(Args&&... args)%s;", prefix, id, suffix)
		return
	}
	params, _ := w.signature(f, true)
	w.Line(indent, "%s%s %s(%s)%s;", prefix, w.returned(f.Result), id, strings.Join(params, ", "), suffix)
}

// bodies writes the definitions of a class's members.
func (w *writer) bodies(c model.Class) {
	name := w.Classes[c.Key]
	if c.Init != nil {
		construct := fmt.Sprintf("static const ffi::Function ffi_construct = detail::constructor(%sObj::RuntimeTypeIndex());", name)
		if c.Init.Typed {
			init, keywords := c.Init.InOrder()
			params, args := w.signature(init, false)
			if first := len(args) - len(keywords); keywords != nil {
				values := args[first:]
				args = append(slices.Clone(args[:first]), w.Name+"::detail::keywords()")
				for i, name := range keywords {
					args = append(args, "ffi::String("+escape.CppString(name)+")", values[i])
				}
			}
			w.Line(0, "inline %s::%s(%s) : %s(ffi::UnsafeInit{}) {", name, name, strings.Join(params, ", "), w.parentOf(c))
			w.Line(2, "%s", construct)
			w.Line(2, "*this = %s.cast<%s>();", call("ffi_construct", args, init), name)
		} else {
			w.Line(0, "template <typename... Args>")
			w.Line(0, "%s %s::make(Args&&... args) {", name, name)
			w.Line(2, "%s", construct)
			w.Line(2, "const ffi::Any ffi_made = ffi_construct(std::forward<Args>(args)...);") // of a type, so that cast needs no "template"
			w.Line(2, "return ffi_made.cast<%s>();", name)
		}
		w.Line(0, "}")
		w.Line(0, "")
	}
	for _, f := range c.Fields {
		id := w.members[c.Key+"\n"+fieldOf(f.Name)]
		w.Line(0, "inline %s %s::%s() const {", w.inner(f.Type), name, id)
		w.Line(2, "static const ffi::reflection::FieldGetter ffi_get(%s, %s);", escape.CppString(c.Key), escape.CppString(f.Name))
		w.Line(2, "return ffi_get(*this)%s;", cast(w.inner(f.Type)))
		w.Line(0, "}")
		w.Line(0, "")
		if f.Writable {
			set := w.members[c.Key+"\n"+bindings.SetterOf(f.Name)]
			w.Line(0, "inline void %s::%s(%s value) {", name, set, w.argument(f.Type))
			w.Line(2, "static const ffi::reflection::FieldSetter ffi_set(%s, %s);", escape.CppString(c.Key), escape.CppString(f.Name))
			w.Line(2, "ffi_set(*this, ffi::AnyView(value));")
			w.Line(0, "}")
			w.Line(0, "")
		}
	}
	for _, m := range c.NamedMethods() {
		id := w.members[c.Key+"\n"+m.Name]
		find := fmt.Sprintf("static const ffi::Function ffi_call = ffi::reflection::GetMethod(%s, %s);", escape.CppString(c.Key), escape.CppString(m.Name))
		suffix, object := " const", []string{"*this"}
		if m.Static {
			suffix, object = "", nil
		}
		w.define(name+"::"+id, suffix, find, object, m)
	}
}

func (w *writer) parentOf(c model.Class) string {
	if parent, ok := w.Classes[c.Parent]; ok {
		return parent
	}
	return "ffi::ObjectRef"
}

// define writes the definition of a function whose Function find declares as `ffi_call`.
func (w *writer) define(name, suffix, find string, object []string, f model.Function) {
	if !f.Typed {
		w.Line(0, "template <typename... Args>")
		w.Line(0, "ffi::Any %s(Args&&... args)%s {", name, suffix)
		w.Line(2, "%s", find)
		w.Line(2, "return ffi_call(%s);", strings.Join(append(object, "std::forward<Args>(args)..."), ", "))
		w.Line(0, "}")
		w.Line(0, "")
		return
	}
	params, args := w.signature(f, false)
	w.Line(0, "inline %s %s(%s)%s {", w.returned(f.Result), name, strings.Join(params, ", "), suffix)
	w.Line(2, "%s", find)
	made := call("ffi_call", append(object, args...), f)
	if f.Result.Type == "None" {
		w.Line(2, "%s;", made)
	} else {
		w.Line(2, "return %s%s;", made, cast(w.returned(f.Result)))
	}
	w.Line(0, "}")
	w.Line(0, "")
}

// call writes the call of a Function. The last argument of a variadic function is a vector.
func call(function string, args []string, f model.Function) string {
	if !f.Variadic {
		return function + "(" + strings.Join(args, ", ") + ")"
	}
	last := len(args) - 1
	return "detail::call(" + function + ", {" + strings.Join(args[:last], ", ") + "}, " + args[last] + ")"
}

// global writes a global function.
func (w *writer) global(f model.Function) error {
	id, err := w.Take(w.Top, w.TopName(f.Name), f.Name)
	if err != nil {
		return err
	}
	w.Doc(0, f.Doc)
	if f.Typed && (len(f.ArgDefaults) > 0 || f.Variadic) {
		w.declare(0, id, f, false)
	}
	find := "ffi::Function::GetGlobalRequired"
	if f.Module {
		find = w.Name + "::detail::exported"
	}
	w.define(id, "", fmt.Sprintf("static const ffi::Function ffi_call = %s(%s);", find, escape.CppString(f.Name)), nil, f)
	return nil
}

// cast returns the conversion of an Any to a type.
func cast(t string) string {
	if t != "ffi::Any" {
		return ".cast<" + t + ">()"
	}
	return ""
}

// returned returns the C++ type of what a function returns.
func (w *writer) returned(s model.Schema) string {
	value, orError := s.OrError()
	t := w.result(value)
	if orError && t != "ffi::Any" && t != "void" && t != "ffi::Error" {
		return "ffi::Expected<" + t + ">"
	}
	if orError {
		return "ffi::Any" // C++ has no Expected of any value
	}
	return t
}

// moved returns the C++ type of a parameter whose object the function may take over: the caller moves it, or copies the reference.
func (w *writer) moved(s model.Schema) (string, bool) {
	object, ok := s.Moved()
	if t := w.result(object); ok && t != "ffi::Any" {
		return t, true
	}
	return "", false
}

// result returns the C++ type of a result; ffi::Any for one that C++ has no name for.
func (w *writer) result(s model.Schema) string {
	if name, ok := w.Classes[s.Type]; ok {
		return name
	}
	var args []string
	for _, a := range s.Args {
		if s.Type == "Optional" {
			args = append(args, w.inner(a))
		} else {
			args = append(args, w.element(a))
		}
	}
	kind, known := kinds.ByKey(s.Type)
	switch {
	case known && kind.Cpp != "" && kind.Args == 0:
		return kind.Cpp
	case known && kind.Cpp != "":
		for len(args) < kind.Args {
			args = append(args, "ffi::Any")
		}
		return kind.Cpp + "<" + strings.Join(args[:kind.Args], ", ") + ">"
	case s.Type == "Optional" && len(args) > 0 && args[0] != "ffi::Any":
		return "ffi::Optional<" + args[0] + ">"
	case (s.Type == "Tuple" || s.Type == "ffi.Tuple") && len(args) > 0:
		return "ffi::Tuple<" + strings.Join(args, ", ") + ">"
	case w.Elsewhere(s):
		return "ffi::ObjectRef"
	}
	return "ffi::Any"
}

// element returns the C++ type of an element of a container, which must be complete where the container is named.
func (w *writer) element(s model.Schema) string {
	if i, ok := w.place[s.Type]; ok && i >= w.complete {
		return "ffi::ObjectRef"
	}
	if s.Type == "Optional" && len(s.Args) > 0 && w.element(s.Args[0]) == "ffi::ObjectRef" {
		return "ffi::Optional<ffi::ObjectRef>"
	}
	return w.inner(s)
}

// inner returns the C++ type of an element of a container.
func (w *writer) inner(s model.Schema) string {
	if t := w.result(s); t != "void" {
		return t
	}
	return "ffi::Any"
}

// argument returns the C++ type of a parameter.
func (w *writer) argument(s model.Schema) string {
	switch t := w.result(s); t {
	case "int64_t", "double", "bool", "void*", "DLDataType", "DLDevice":
		return t
	case "void":
		return "std::nullptr_t"
	default:
		return "const " + t + "&"
	}
}
