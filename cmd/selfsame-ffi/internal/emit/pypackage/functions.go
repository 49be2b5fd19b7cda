package pypackage

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// global is a function that gets a name in the module.
type global = member[model.Function]

// globals chooses the Python names of the package's functions, sorted by registered name. Those that get variables are apart.
func (w *writer) globals() (functions, variables []global, err error) {
	all := slices.DeleteFunc(w.module.Content.OwnFunctions(w.module.Owns), func(f model.Function) bool { return isVariable(f) && len(f.Args) > 0 })
	named, err := owned(w, all, func(f model.Function) string { return f.Name })
	for _, g := range named {
		if isVariable(g.value) {
			variables = append(variables, g)
		} else {
			functions = append(functions, g)
		}
	}
	return functions, variables, err
}

// owned chooses names in the module for those registered things whose name belongs to the package.
func owned[T any](w *writer, things []T, registered func(T) string) ([]member[T], error) {
	var named []member[T]
	for _, thing := range things {
		name := registered(thing)
		if !w.module.Owns(name) {
			continue
		}
		id, err := w.module.take(w.scope, w.module.moduleName(name), name)
		if err != nil {
			return nil, err
		}
		named = append(named, member[T]{id, thing})
	}
	return named, nil
}

// functions writes the module's functions: each declares its signature and doc, and the decorator replaces it by the
// Function object, so that a call goes straight to Go.
func (w *writer) functions(globals []global) {
	if w.module.Runtime == TvmFFI {
		w.stockFunctions(globals)
		return
	}
	for _, g := range globals {
		w.line(0, "")
		w.line(0, "")
		decorator := "_ffi.function"
		if g.value.Module {
			decorator = "_exported"
		}
		w.line(0, "@%s(%s)", decorator, quote(g.value.Name))
		w.line(0, "%s", w.signature(g.id, g.value, nil))
		w.docstring(1, g.value.Doc)
		w.line(1, "raise NotImplementedError")
	}
	w.line(0, "")
}

// summary lists the functions for the module's docstring, because a Function object has no docstring for help().
func (w *writer) summary(globals []global) string {
	var b strings.Builder
	for _, g := range globals {
		signature := strings.TrimSuffix(strings.TrimPrefix(w.signature(g.id, g.value, nil), "def "), ":")
		shown := []string{"_typing.", "", "_builtins.", "", "_ffi.", "", "_datetime.", "", ", /)", ")"}
		for _, other := range w.module.Imported {
			shown = append(shown, "_"+other.Name+".", other.Name+".")
		}
		for _, key := range slices.Backward(slices.Sorted(maps.Keys(w.types.classes))) { // the longer of two that begin alike is first
			name := w.types.classes[key]
			if public, ok := strings.CutPrefix(key, w.module.Name+"."); ok && strings.HasPrefix(name, "_") { // of a submodule
				shown = append(shown, name, public)
			}
		}
		signature = strings.NewReplacer(shown...).Replace(signature)
		fmt.Fprintf(&b, "\n\n%s", signature)
		if first, _, _ := strings.Cut(g.value.Doc, "\n\n"); first != "" {
			fmt.Fprintf(&b, "\n    %s", strings.ReplaceAll(first, "\n", "\n    "))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n\nFunctions:" + strings.ReplaceAll(b.String(), "\n", "\n    ")
}

// The parameters before those of the signature: of methods, and of static methods. Global functions have nil.
var (
	ofObjects = []string{"self"}
	ofClasses = []string{}
)

// signature returns the `def` line of a function.
func (w *writer) signature(id string, f model.Function, before []string) string {
	params := slices.Clone(before)
	switch {
	case !f.Typed:
		params = append(params, "*args: _typing.Any")
	case w.types.implemented && !f.Static && !isSpecial(id) && len(f.Args) > 0:
		params = append(params, w.overridable(f)...)
	default:
		params = append(params, w.parameters(f, before != nil)...)
	}
	result := "_typing.Any"
	switch {
	case id == "__init__":
		result = "None"
	case f.Typed:
		result = w.types.result(f.Result)
	}
	return fmt.Sprintf("def %s(%s) -> %s:", id, strings.Join(params, ", "), result)
}

// parameters returns the parameters of a typed function. Methods and constructors whose argument names are registered
// accept keywords, and so do functions whose argument names are known; a Function object of the stock package never does. A
// parameter whose name is no Python identifier is positional only.
func (w *writer) parameters(f model.Function, member bool) []string {
	var params []string
	element, fixed := f.Rest()
	positional := fixed
	if f.Keywords && member || !member && w.module.Runtime == Selfsame && len(f.ArgNames) > 0 {
		positional = 0
	}
	names := f.Parameters(parameter)
	for i, name := range names[:fixed] {
		param := w.types.argument(f.Args[i])
		if k := i - (fixed - len(f.ArgDefaults)); k >= 0 {
			param = withDefault(param, f.ArgDefaults[k])
		}
		params = append(params, name+": "+param)
		if f.Keywords && name != f.ArgNames[i] || len(f.ArgNames) > 0 && f.ArgNames[i] == "" {
			positional = i + 1
		}
	}
	if positional > 0 {
		params = slices.Insert(params, positional, "/")
	}
	byName := f.ByName
	if !member && w.module.Runtime != Selfsame {
		byName = nil
	}
	if f.Variadic {
		params = append(params, "*"+names[fixed]+": "+w.types.argument(element))
	}
	if len(byName) == 0 {
		return params
	}
	if !f.Variadic {
		params = append(params, "*")
	}
	for _, field := range byName {
		if identifier(field.Name) != field.Name || slices.Contains(names, field.Name) {
			continue
		}
		param := w.types.argument(field.Type)
		if field.Default != "" {
			param = withDefault(param, field.Default)
		}
		params = append(params, field.Name+": "+param)
	}
	if params[len(params)-1] == "*" { // every keyword-only name is no identifier
		params[len(params)-1] = "**kwargs: _typing.Any"
	}
	return params
}

// withDefault returns the annotation and the default of a parameter. A parameter whose default is None may be None,
// also in a class that implements an interface, whose other parameters need not expect it.
func withDefault(annotation, value string) string {
	if value == "None" && annotation != "_typing.Any" && !hasNone(annotation) {
		annotation += " | None"
	}
	return annotation + " = " + value
}

// define writes a function with its docstring and no body.
func (w *writer) define(indent int, id string, f model.Function, before []string) {
	w.stub(indent, w.signature(id, f, before), f.Doc)
}

// methodsOfObjects are the methods that all objects have. A method of Go with such a name takes its place.
var methodsOfObjects = []string{"id_", "is_", "same_as"}

// stub writes the `def` line of a function, its docstring, and no body.
func (w *writer) stub(indent int, head, doc string) {
	comment := ""
	if name, _, ok := strings.Cut(strings.TrimPrefix(head, "def "), "("); ok && indent > 0 &&
		(slices.Contains(methodsOfObjects, name) || w.types.items && (slices.Contains(methodsOfItems, name) || slices.Contains(operands, name))) {
		comment = "  # type: ignore[override,unused-ignore]"
	}
	if strings.TrimSpace(doc) == "" {
		w.line(indent, "%s ...%s", head, comment)
		return
	}
	w.line(indent, "%s%s", head, comment)
	w.docstring(indent+1, doc)
	w.line(indent+1, "...")
}
