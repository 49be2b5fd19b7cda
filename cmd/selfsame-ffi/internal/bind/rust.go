package bind

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

var rust = &language{
	Language: naming.Rust,
	comment:  escape.RustComment,
	fenced:   true,
	reserved: []string{"load", "cached", "exported", "PATHS", "field", "set_field", "value_or_error", "new", "clone", "into", "from", "try_into", "try_from", "value", "all", "CALL",
		"None", "Some", "Ok", "Err", "Option", "Result", "String", "Vec", "Clone", "drop", "dlopen", "dlsym", "dlerror", "CStr", "CString", "OnceLock",
		"Any", "AnyView", "Error", "Function", "Object", "ObjectRef", "ObjectArc", "ObjectCore"},
}

// RustModule writes a module for the crate tvm-ffi.
func RustModule(lib *Library) (string, error) {
	g, err := newGenerator(lib, rust)
	if err != nil {
		return "", err
	}
	w := &rustWriter{g}
	w.head()
	for _, c := range lib.Content.Classes {
		if err := w.class(c); err != nil {
			return "", err
		}
	}
	for _, f := range w.functions() {
		id, err := w.take(w.top, w.topName(f.Name), f.Name)
		if err != nil {
			return "", err
		}
		w.doc(0, f.Doc)
		find := "Function::get_global"
		if f.Module {
			find = "exported"
		}
		w.function(0, id, f, fmt.Sprintf("%s(%s)", find, escape.RustString(f.Name)), false)
		w.line(0, "")
	}
	return strings.TrimRight(w.b.String(), "\n") + "\n", nil
}

type rustWriter struct{ *generator }

func (w *rustWriter) head() {
	w.line(0, RustHeaderMark+" from %s. Do not edit: the next run overwrites it.", escape.RustComment(w.library.Source))
	w.line(0, "")
	w.line(0, "//! Classes and functions of %s, through the crate tvm-ffi. Call [`load`] first.", w.library.Name)
	loaded := ""
	if w.hasExports() {
		loaded = rustLoaded
	}
	w.b.WriteString(`
#![allow(dead_code, non_snake_case, unused_imports, clippy::all)]

use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::sync::OnceLock;

use tvm_ffi::derive::{Object, ObjectRef};
use tvm_ffi::tvm_ffi_sys::{TVMFFIAny, TVMFFIFieldInfo, TVMFFIFieldSetter, TVMFFIGetTypeInfo, TVMFFITypeInfo};
use tvm_ffi::{Any, AnyView, Error, Function, ObjectArc, ObjectCore, Result, RUNTIME_ERROR, TYPE_ERROR};

extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

/// Loads the library; if it is a Go package, waits until its classes and functions are registered. Call it before anything
/// else of this module; more calls do nothing. The library stays loaded. The error is the reason why it cannot be loaded,
/// or that of the first failed registration.
pub fn load(path: &str) -> Result<()> {
    let failed = |text: &str| Err(Error::new(RUNTIME_ERROR, &format!("load: {text}"), ""));
    let Ok(name) = CString::new(path) else {
        return failed("the path has a zero byte");
    };
    const RTLD_NOW: c_int = 2;
    let library = unsafe { dlopen(name.as_ptr(), RTLD_NOW) };
    if library.is_null() {
        let reason = unsafe { CStr::from_ptr(dlerror()) };
        return failed(&reason.to_string_lossy());
    }
` + loaded + `    let init = unsafe { dlsym(library, c"SelfsameExtensionInit".as_ptr()) };
    if init.is_null() {
        return Ok(()); // its classes and functions were registered while it was loaded
    }
    let init: extern "C" fn() -> c_int = unsafe { std::mem::transmute(init) };
    if init() != 0 {
        return Err(Error::from_raised());
    }
    Ok(())
}

/// The Function that find returns, which is looked for once.
fn cached(cell: &'static OnceLock<Function>, find: impl FnOnce() -> Result<Function>) -> Result<&'static Function> {
    if let Some(found) = cell.get() {
        return Ok(found);
    }
    let found = find()?;
    Ok(cell.get_or_init(|| found))
}

/// Finds a field of a type or of one it derives from.
fn find_field(index: i32, name: &str) -> Option<&'static TVMFFIFieldInfo> {
    unsafe {
        let own: *const TVMFFITypeInfo = TVMFFIGetTypeInfo(index);
        let own = own.as_ref()?;
        let ancestors = (0..own.type_depth as usize).map(|depth| &**own.type_acenstors.add(depth));
        for info in std::iter::once(own).chain(ancestors) {
            for i in 0..info.num_fields as usize {
                let found = &*info.fields.add(i);
                if found.name.as_str() == name {
                    return Some(found);
                }
            }
        }
    }
    None
}

/// Sets a field. The object is one of the type index.
unsafe fn set_field(index: i32, object: *mut u8, name: &str, value: &AnyView) -> Result<()> {
    const SETTER_IS_FUNCTION: i64 = 1 << 11;
    let Some(found) = find_field(index, name) else {
        return Err(Error::new(TYPE_ERROR, &format!("there is no field {name}"), ""));
    };
    if found.setter.is_null() || found.flags & SETTER_IS_FUNCTION != 0 {
        return Err(Error::new(TYPE_ERROR, &format!("the field {name} cannot be set"), ""));
    }
    let setter: TVMFFIFieldSetter = std::mem::transmute(found.setter);
    let raw = value as *const AnyView as *const TVMFFIAny;
    if setter(object.offset(found.offset as isize).cast(), raw) != 0 {
        return Err(Error::from_raised());
    }
    Ok(())
}

`)
	if w.uses(func(f model.Function) bool { _, ok := f.Result.OrError(); return ok }) {
		w.b.WriteString(rustOrError)
	}
	if w.hasExports() {
		w.b.WriteString(rustExports)
	}
}

// rustOrError is the result of functions of C++ that return a tvm::ffi::Expected.
const rustOrError = `/// Returns the value, or as an error what is one.
fn value_or_error(mut value: Any) -> Result<Any> {
    if value.type_index() != tvm_ffi::TypeIndex::kTVMFFIError as i32 {
        return Ok(value);
    }
    // The thread's raised error is a reference of its own, which from_raised takes.
    unsafe { tvm_ffi::tvm_ffi_sys::TVMFFIErrorSetRaised((*value.as_data_ptr()).data_union.v_obj.cast()) };
    Err(Error::from_raised())
}

`

// rustLoaded is what load does for functions of the library's module.
const rustLoaded = `    let mut paths = PATHS.lock().unwrap_or_else(|broken| broken.into_inner());
    if !paths.iter().any(|known| known == path) {
        paths.push(path.to_string());
    }
    drop(paths);
`

// rustExports finds the functions of the library's module.
const rustExports = `/// What load has loaded.
static PATHS: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());

/// Finds a function of the library's module.
fn exported(name: &str) -> Result<Function> {
    let paths = PATHS.lock().unwrap_or_else(|broken| broken.into_inner()).clone();
    let load = Function::get_global("ffi.Module.load_from_file.so")?;
    let find = Function::get_global("ffi.ModuleGetFunction")?;
    for path in paths {
        let (path, format, wanted) = (tvm_ffi::String::from(path.as_str()), tvm_ffi::String::from("so"), tvm_ffi::String::from(name));
        let module = load.call_packed(&[AnyView::from(&path), AnyView::from(&format)])?;
        let found = find.call_packed(&[AnyView::from(&module), AnyView::from(&wanted), AnyView::from(&false)])?;
        if let Some(found) = Option::<Function>::try_from(found)? {
            return Ok(found);
        }
    }
    Err(Error::new(tvm_ffi::VALUE_ERROR, &format!("{name}: no library that load has loaded has this function"), ""))
}

`

// rustParameter is one parameter of a function.
type rustParameter struct {
	name     string
	declared string // its type
	before   string // a statement that makes what view refers to; empty: none
	view     string // an expression for an AnyView
}

func (w *rustWriter) parametersOf(f model.Function) []rustParameter {
	element, fixed := f.Rest()
	names := f.Parameters(w.lang.identifier)
	params := make([]rustParameter, len(names))
	if f.Variadic {
		params[fixed] = w.restParameter(names[fixed], element)
	}
	for i, name := range names[:fixed] {
		p := rustParameter{name: name, declared: "&" + w.owned(f.Args[i]), view: "AnyView::from(" + name + ")"}
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
func (w *rustWriter) restParameter(name string, element model.Schema) rustParameter {
	declared, owned := w.owned(element), ""
	switch declared {
	case "tvm_ffi::String":
		declared, owned = "&str", "tvm_ffi::String::from(*value)"
	case "tvm_ffi::Bytes":
		declared, owned = "&[u8]", "tvm_ffi::Bytes::from(*value)"
	}
	p := rustParameter{name: name, declared: "&[" + declared + "]", view: name + ".iter().map(AnyView::from)"}
	if owned != "" {
		p.before = fmt.Sprintf("let %s: Vec<_> = %s.iter().map(|value| %s).collect();", name, name, owned)
	}
	return p
}

// function writes a function or a method. find is an expression for the Function.
func (w *rustWriter) function(indent int, id string, f model.Function, find string, object bool) {
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
	w.line(indent, "pub fn %s(%s) -> Result<%s> {", id, strings.Join(declared, ", "), result)
	w.line(indent+4, "static CALL: OnceLock<Function> = OnceLock::new();")
	for _, statement := range before {
		w.line(indent+4, "%s", statement)
	}
	arguments := "&[" + strings.Join(views, ", ") + "]"
	if f.Variadic {
		last := len(views) - 1
		w.line(indent+4, "let mut all: Vec<AnyView> = vec![%s];", strings.Join(views[:last], ", "))
		w.line(indent+4, "all.extend(%s);", views[last])
		arguments = "&all"
	}
	if !f.Typed {
		arguments = "args"
		if object {
			w.line(indent+4, "let mut all = vec![AnyView::from(self)];")
			w.line(indent+4, "all.extend_from_slice(args);")
			arguments = "&all"
		}
	}
	call := fmt.Sprintf("cached(&CALL, || %s)?.call_packed(%s)?", find, arguments)
	if orError {
		call = "value_or_error(" + call + ")?"
	}
	switch result {
	case "Any":
		w.line(indent+4, "Ok(%s)", call)
	case "()":
		w.line(indent+4, "%s;", call)
		w.line(indent+4, "Ok(())")
	default:
		w.line(indent+4, "%s::try_from(%s)", turbofish(result), call)
	}
	w.line(indent, "}")
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
func (w *rustWriter) class(c model.Class) error {
	name := w.classes[c.Key]
	parent, inherits := w.classes[c.Parent]
	base := "tvm_ffi::Object"
	if inherits {
		base = parent + "Obj"
	}
	w.line(0, "/// The memory of a [`%s`], which belongs to the library; only its header is known here.", name)
	w.line(0, "#[repr(C)]")
	w.line(0, "#[derive(Object)]")
	w.line(0, "#[type_key = %s]", escape.RustString(c.Key))
	w.line(0, "pub struct %sObj {", name)
	w.line(4, "base: %s,", base)
	w.line(0, "}")
	w.line(0, "")
	w.doc(0, c.Doc)
	w.line(0, "#[repr(C)]")
	w.line(0, "#[derive(ObjectRef, Clone)]")
	w.line(0, "pub struct %s {", name)
	w.line(4, "data: ObjectArc<%sObj>,", name)
	w.line(0, "}")
	w.line(0, "")
	for key := c.Parent; w.classes[key] != ""; key = w.find(key).Parent {
		w.line(0, "tvm_ffi::impl_object_upcast!(%s => %s);", name, w.classes[key])
	}
	w.line(0, "impl %s {", name)
	members := model.NewScope("the class " + name)
	if c.Init != nil {
		init := *c.Init
		init.Result = model.Schema{Type: c.Key}
		w.doc(4, init.Doc)
		w.function(4, "new", init, fmt.Sprintf(`Function::from_type_attr(%sObj::type_index(), "__ffi_init__")`, name), false)
	}
	fields, all := w.members(c)
	for _, f := range fields {
		if err := w.field(f, name, members); err != nil {
			return err
		}
	}
	for _, m := range all {
		id, err := w.take(members, w.lang.identifier(m.Name), m.Name)
		if err != nil {
			return err
		}
		w.line(0, "")
		w.doc(4, m.Doc)
		w.function(4, id, m.Function, fmt.Sprintf("Function::from_type_key_method(%s, %s)", escape.RustString(m.owner), escape.RustString(m.Name)), !m.Static)
	}
	w.line(0, "}")
	w.line(0, "")
	return nil
}

// find returns a class of the library.
func (w *rustWriter) find(key string) model.Class {
	i := slices.IndexFunc(w.library.Content.Classes, func(c model.Class) bool { return c.Key == key })
	return w.library.Content.Classes[i]
}

// method is a method with the key of the class that has it.
type method struct {
	model.Function
	owner string
}

// members returns a class's own and inherited fields and methods. A name hides those of ancestors; a field and a method of one
// class may share it.
func (w *rustWriter) members(c model.Class) (fields []model.Field, all []method) {
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
		if w.classes[c.Parent] == "" {
			return fields, all
		}
		c = w.find(c.Parent)
	}
}

// field writes the getter and the setter of a field.
func (w *rustWriter) field(f model.Field, class string, members *model.Scope) error {
	id, err := w.take(members, w.lang.identifier(f.Name), f.Name)
	if err != nil {
		return err
	}
	result := w.owned(f.Type)
	w.line(0, "")
	w.doc(4, f.Doc)
	w.line(4, "pub fn %s(&self) -> Result<%s> {", id, result)
	get := fmt.Sprintf("tvm_ffi::FieldGetter::new(%sObj::type_index(), %s)?.get_any(&*self.data)?", class, escape.RustString(f.Name))
	if result == "Any" {
		w.line(8, "Ok(%s)", get)
	} else {
		w.line(8, "%s::try_from(%s)", turbofish(result), get)
	}
	w.line(4, "}")
	if !f.Writable {
		return nil
	}
	set, err := w.take(members, "set_"+id, setterOf(f.Name))
	if err != nil {
		return err
	}
	p := w.parametersOf(model.Function{Args: []model.Schema{f.Type}, ArgNames: []string{"to"}})[0]
	w.line(0, "")
	w.line(4, "pub fn %s(&self, to: %s) -> Result<()> {", set, p.declared)
	if p.before != "" {
		w.line(8, "%s", p.before)
	}
	w.line(8, "let object = &*self.data as *const %sObj as *mut u8;", class)
	w.line(8, "unsafe { set_field(%sObj::type_index(), object, %s, &%s) }", class, escape.RustString(f.Name), p.view)
	w.line(4, "}")
	return nil
}

// noRust are the kinds that generated stubs name (as those of tvm-ffi's own generator do), but whose values the published crate
// does not convert.
var noRust = []int32{abi.IndexAny, abi.IndexError, abi.IndexModule, abi.IndexList, abi.IndexBigInt}

// owned returns the Rust type of a value; Any for one that the crate has no name for, such as a List.
func (w *rustWriter) owned(s model.Schema) string {
	if name, ok := w.classes[s.Type]; ok {
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
	case w.elsewhere(s):
		return "tvm_ffi::object::ObjectRef"
	}
	return "Any"
}
