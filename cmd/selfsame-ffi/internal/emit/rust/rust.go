// Package rust writes modules for the crate tvm-ffi.
package rust

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/bindings"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
)

var language = &bindings.Language{
	Name:    escape.RustName,
	Comment: escape.RustComment,
	Fenced:  true,
	Reserved: []string{"load", "cached", "exported", "PATHS", "field", "set_field", "value_or_error", "new", "clone", "into", "from", "try_into", "try_from", "value", "all", "CALL",
		"None", "Some", "Ok", "Err", "Option", "Result", "String", "Vec", "Clone", "drop", "dlopen", "dlsym", "dlerror", "CStr", "CString", "OnceLock",
		"Any", "AnyView", "Error", "Function", "Object", "ObjectRef", "ObjectArc", "ObjectCore"},
}

// Module writes the module of a library.
func Module(lib *bindings.Library) (string, error) {
	g, err := bindings.NewWriter(lib, language)
	if err != nil {
		return "", err
	}
	w := &writer{g}
	w.Head(headText)
	for _, c := range lib.Content.Classes {
		if err := w.class(c); err != nil {
			return "", err
		}
	}
	for _, f := range w.OwnFunctions() {
		id, err := w.Take(w.Top, w.TopName(f.Name), f.Name)
		if err != nil {
			return "", err
		}
		w.Doc(0, f.Doc)
		find := "Function::get_global"
		if f.Module {
			find = "exported"
		}
		w.function(0, id, f, fmt.Sprintf("%s(%s)", find, escape.RustString(f.Name)), false)
		w.Line(0, "")
	}
	return strings.TrimRight(w.Text.String(), "\n") + "\n", nil
}

// headText is what a module begins with: load, and the helpers of all that follows.
//
//go:embed head.rs.tmpl
var headText string

type writer struct{ *bindings.Writer }

// parameter is one parameter of a function.
type parameter struct {
	name     string
	declared string // its type
	before   string // a statement that makes what view refers to; empty: none
	view     string // an expression for an AnyView
}

func (w *writer) parametersOf(f model.Function) []parameter {
	element, fixed := f.Rest()
	names := f.Parameters(w.Language.Identifier)
	params := make([]parameter, len(names))
	if f.Variadic {
		params[fixed] = w.restParameter(names[fixed], element)
	}
	for i, name := range names[:fixed] {
		p := parameter{name: name, declared: "&" + w.owned(f.Args[i]), view: "AnyView::from(" + name + ")"}
		switch t := w.owned(f.Args[i]); t {
		case "i64", "f64", "bool", "tvm_ffi::DLDataType", "tvm_ffi::DLDevice":
			p.declared, p.view = t, "AnyView::from(&"+name+")"
		case "tvm_ffi::String":
			p.declared = "&str"
			p.before, p.view = fmt.Sprintf("let %s = tvm_ffi::String::from(%s);", name, name), "AnyView::from(&"+name+")"
		case "tvm_ffi::Bytes":
			p.declared = "&[u8]"
			p.before, p.view = fmt.Sprintf("let %s = tvm_ffi::Bytes::from(%s);", name, name), "AnyView::from(&"+name+")"
		case "()":
			p.declared, p.view = "()", "AnyView::from(&"+name+")"
		}
		params[i] = p
	}
	return params
}

// restParameter returns the parameter for the values at the end of a variadic function: a slice.
func (w *writer) restParameter(name string, element model.Schema) parameter {
	declared, owned := w.owned(element), ""
	switch declared {
	case "tvm_ffi::String":
		declared, owned = "&str", "tvm_ffi::String::from(*value)"
	case "tvm_ffi::Bytes":
		declared, owned = "&[u8]", "tvm_ffi::Bytes::from(*value)"
	}
	p := parameter{name: name, declared: "&[" + declared + "]", view: name + ".iter().map(AnyView::from)"}
	if owned != "" {
		p.before = fmt.Sprintf("let %s: Vec<_> = %s.iter().map(|value| %s).collect();", name, name, owned)
	}
	return p
}

// function writes a function or a method. find is an expression for the Function.
func (w *writer) function(indent int, id string, f model.Function, find string, object bool) {
	var declared, views []string
	if object {
		declared, views = []string{"&self"}, []string{"AnyView::from(self)"}
	}
	var before []string
	f, keywords := f.InOrder()
	if f.Typed {
		for i, p := range w.parametersOf(f) {
			if k := i - (len(f.Args) - len(keywords)); k >= 0 {
				if k == 0 {
					before = append(before, `let ffi_keywords = Function::get_global("ffi.GetKwargsObject")?.call_packed(&[])?;`)
					views = append(views, "AnyView::from(&ffi_keywords)")
				}
				before = append(before, fmt.Sprintf("let ffi_keyword%d = tvm_ffi::String::from(%s);", k, escape.RustString(keywords[k])))
				views = append(views, fmt.Sprintf("AnyView::from(&ffi_keyword%d)", k))
			}
			declared = append(declared, p.name+": "+p.declared)
			views = append(views, p.view)
			if p.before != "" {
				before = append(before, p.before)
			}
		}
	} else {
		declared = append(declared, "args: &[AnyView]")
	}
	value, orError := f.Result.OrError()
	result := w.owned(value)
	w.Line(indent, "pub fn %s(%s) -> Result<%s> {", id, strings.Join(declared, ", "), result)
	w.Line(indent+4, "static CALL: OnceLock<Function> = OnceLock::new();")
	for _, statement := range before {
		w.Line(indent+4, "%s", statement)
	}
	arguments := "&[" + strings.Join(views, ", ") + "]"
	if f.Variadic {
		last := len(views) - 1
		w.Line(indent+4, "let mut all: Vec<AnyView> = vec![%s];", strings.Join(views[:last], ", "))
		w.Line(indent+4, "all.extend(%s);", views[last])
		arguments = "&all"
	}
	if !f.Typed {
		arguments = "args"
		if object {
			w.Line(indent+4, "let mut all = vec![AnyView::from(self)];")
			w.Line(indent+4, "all.extend_from_slice(args);")
			arguments = "&all"
		}
	}
	call := fmt.Sprintf("cached(&CALL, || %s)?.call_packed(%s)?", find, arguments)
	if orError {
		call = "value_or_error(" + call + ")?"
	}
	switch result {
	case "Any":
		w.Line(indent+4, "Ok(%s)", call)
	case "()":
		w.Line(indent+4, "%s;", call)
		w.Line(indent+4, "Ok(())")
	default:
		w.Line(indent+4, "%s::try_from(%s)", turbofish(result), call)
	}
	w.Line(indent, "}")
}

// turbofish writes a type so that a function of it can be called.
func turbofish(name string) string {
	if strings.Contains(name, "<") {
		return "<" + name + ">"
	}
	return name
}

// class writes the memory's struct, the reference to it, and its members, those of its ancestors included: a struct of Rust
// inherits none.
func (w *writer) class(c model.Class) error {
	name := w.Classes[c.Key]
	parent, inherits := w.Classes[c.Parent]
	base := "tvm_ffi::Object"
	if inherits {
		base = parent + "Obj"
	}
	w.Line(0, "/// The memory of a [`%s`], which belongs to the library; only its header is known here.", name)
	w.Line(0, "#[repr(C)]")
	w.Line(0, "#[derive(Object)]")
	w.Line(0, "#[type_key = %s]", escape.RustString(c.Key))
	w.Line(0, "pub struct %sObj {", name)
	w.Line(4, "base: %s,", base)
	w.Line(0, "}")
	w.Line(0, "")
	w.Doc(0, c.Doc)
	w.Line(0, "#[repr(C)]")
	w.Line(0, "#[derive(ObjectRef, Clone)]")
	w.Line(0, "pub struct %s {", name)
	w.Line(4, "data: ObjectArc<%sObj>,", name)
	w.Line(0, "}")
	w.Line(0, "")
	for key := c.Parent; w.Classes[key] != ""; key = w.find(key).Parent {
		w.Line(0, "tvm_ffi::impl_object_upcast!(%s => %s);", name, w.Classes[key])
	}
	w.Line(0, "impl %s {", name)
	members := model.NewScope("the class " + name)
	if c.Init != nil {
		init := *c.Init
		init.Result = model.Schema{Type: c.Key}
		w.Doc(4, init.Doc)
		w.function(4, "new", init, fmt.Sprintf(`Function::from_type_attr(%sObj::type_index(), "__ffi_init__")`, name), false)
	}
	fields, all := w.members(c)
	for _, f := range fields {
		if err := w.field(f, name, members); err != nil {
			return err
		}
	}
	for _, m := range all {
		id, err := w.Take(members, w.Language.Identifier(m.Name), m.Name)
		if err != nil {
			return err
		}
		w.Line(0, "")
		w.Doc(4, m.Doc)
		w.function(4, id, m.Function, fmt.Sprintf("Function::from_type_key_method(%s, %s)", escape.RustString(m.owner), escape.RustString(m.Name)), !m.Static)
	}
	w.Line(0, "}")
	w.Line(0, "")
	return nil
}

// find returns a class of the library.
func (w *writer) find(key string) model.Class {
	i := slices.IndexFunc(w.Content.Classes, func(c model.Class) bool { return c.Key == key })
	return w.Content.Classes[i]
}

// method is a method with the key of the class that has it.
type method struct {
	model.Function
	owner string
}

// members returns a class's own and inherited fields and methods. A name hides those of ancestors; a field and a method of one
// class may share it.
func (w *writer) members(c model.Class) (fields []model.Field, all []method) {
	hidden := map[string]bool{}
	for {
		own := maps.Clone(hidden)
		for _, f := range c.Fields {
			if !hidden[f.Name] {
				fields = append(fields, f)
			}
			own[f.Name] = true
		}
		for _, m := range c.NamedMethods() {
			if !hidden[m.Name] {
				all = append(all, method{m, c.Key})
			}
			own[m.Name] = true
		}
		hidden = own
		if w.Classes[c.Parent] == "" {
			return fields, all
		}
		c = w.find(c.Parent)
	}
}

// field writes the getter and the setter of a field.
func (w *writer) field(f model.Field, class string, members *model.Scope) error {
	id, err := w.Take(members, w.Language.Identifier(f.Name), f.Name)
	if err != nil {
		return err
	}
	result := w.owned(f.Type)
	if result == "()" { // the library says that the field has no value
		result = "Any"
	}
	w.Line(0, "")
	w.Doc(4, f.Doc)
	w.Line(4, "pub fn %s(&self) -> Result<%s> {", id, result)
	get := fmt.Sprintf("tvm_ffi::FieldGetter::new(%sObj::type_index(), %s)?.get_any(&*self.data)?", class, escape.RustString(f.Name))
	if result == "Any" {
		w.Line(8, "Ok(%s)", get)
	} else {
		w.Line(8, "%s::try_from(%s)", turbofish(result), get)
	}
	w.Line(4, "}")
	if !f.Writable {
		return nil
	}
	set, err := w.Take(members, "set_"+id, bindings.SetterOf(f.Name))
	if err != nil {
		return err
	}
	p := w.parametersOf(model.Function{Args: []model.Schema{f.Type}, ArgNames: []string{"to"}})[0]
	w.Line(0, "")
	w.Line(4, "pub fn %s(&self, to: %s) -> Result<()> {", set, p.declared)
	if p.before != "" {
		w.Line(8, "%s", p.before)
	}
	w.Line(8, "let object = &*self.data as *const %sObj as *mut u8;", class)
	w.Line(8, "unsafe { set_field(%sObj::type_index(), object, %s, &%s) }", class, escape.RustString(f.Name), p.view)
	w.Line(4, "}")
	return nil
}

// noRust are the kinds that generated stubs name (as those of tvm-ffi's own generator do), but whose values the published crate
// does not convert.
var noRust = []int32{abi.IndexAny, abi.IndexError, abi.IndexModule, abi.IndexList, abi.IndexBigInt}

// owned returns the Rust type of a value; Any for one that the crate has no name for, such as a List.
func (w *writer) owned(s model.Schema) string {
	if name, ok := w.Classes[s.Type]; ok {
		return name
	}
	if object, ok := s.Moved(); ok {
		return w.owned(object) // a reference more, so that the function changes a copy
	}
	var args []string
	for _, a := range s.Args {
		t := w.owned(a)
		if t == "Any" || t == "()" {
			return "Any" // the crate's containers hold no values of any type
		}
		args = append(args, t)
	}
	kind, known := kinds.ByKey(s.Type)
	known = known && kind.Rust != "" && !slices.Contains(noRust, kind.Index)
	switch {
	case known && kind.Args == 0:
		return kind.Rust
	case known && kind.Args == len(args):
		return kind.Rust + "<" + strings.Join(args, ", ") + ">"
	case s.Type == "Optional" && len(args) == 1:
		return "Option<" + args[0] + ">"
	case w.Elsewhere(s):
		return "tvm_ffi::object::ObjectRef"
	}
	return "Any"
}
