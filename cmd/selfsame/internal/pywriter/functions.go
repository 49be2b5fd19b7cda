package pywriter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame/internal/model"
)

// global is a function that gets a name in the module.
type global struct {
	id string
	f  model.Function
}

// globals names the package's functions, in the order of their names.
func (w *writer) globals() ([]global, error) {
	var globals []global
	for _, f := range w.module.Content.Functions {
		if !w.module.Owns(f.Name) {
			continue
		}
		id := w.module.moduleName(f.Name)
		if err := w.scope.take(id, f.Name); err != nil {
			return nil, err
		}
		globals = append(globals, global{id, f})
	}
	slices.SortFunc(globals, func(a, b global) int { return strings.Compare(a.f.Name, b.f.Name) })
	return globals, nil
}

// functions writes the names of the functions. At run time a name is the Function object itself, so that nothing stands
// between the caller and Go; a type checker and a reader see the signature.
func (w *writer) functions(globals []global) {
	if len(globals) == 0 {
		return
	}
	w.line(0, "")
	w.line(0, "")
	w.line(0, "if _typing.TYPE_CHECKING:")
	for _, g := range globals {
		w.line(0, "")
		w.define(1, g.id, g.f, "")
	}
	w.line(0, "")
	w.line(0, "else:")
	for _, g := range globals {
		w.line(1, "%s = _ffi.get_global_func(%s)", g.id, quote(g.f.Name))
	}
}

// summary lists the functions in the module's doc: a Function has none of its own that help() could show.
func (w *writer) summary(globals []global) string {
	var b strings.Builder
	for _, g := range globals {
		signature := strings.TrimSuffix(strings.TrimPrefix(w.signature(g.id, g.f, ""), "def "), ":")
		signature = strings.NewReplacer("_typing.", "", "_ffi.", "", ", /)", ")").Replace(signature)
		fmt.Fprintf(&b, "\n\n%s", signature)
		if first, _, _ := strings.Cut(g.f.Doc, "\n\n"); first != "" {
			fmt.Fprintf(&b, "\n    %s", strings.ReplaceAll(first, "\n", "\n    "))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n\nFunctions:" + strings.ReplaceAll(b.String(), "\n", "\n    ")
}

// signature is the first line of a function. self is the name of the object's argument, "" for none.
func (w *writer) signature(id string, f model.Function, self string) string {
	var params []string
	if self != "" {
		params = append(params, self)
	}
	if f.Typed {
		for i, name := range argumentNames(f.ArgNames, len(f.Args)) {
			param := name + ": " + w.types.argument(f.Args[i])
			if k := i - (len(f.Args) - len(f.ArgDefaults)); k >= 0 {
				param += " = " + f.ArgDefaults[k]
			}
			params = append(params, param)
		}
		// Methods and constructors whose argument names are registered take keywords; a plain Function never does, and
		// neither does anything in tvm_ffi.
		keywords := f.Keywords && self != "" && w.module.Runtime != TvmFFI
		if len(f.Args) > 0 && !keywords {
			params = append(params, "/")
		}
	} else {
		params = append(params, "*args: _typing.Any")
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

// define writes the signature and the doc of a function.
func (w *writer) define(indent int, id string, f model.Function, self string) {
	head := w.signature(id, f, self)
	if f.Doc == "" {
		w.line(indent, "%s ...", head)
		return
	}
	w.line(indent, "%s", head)
	w.docstring(indent+1, f.Doc)
	w.line(indent+1, "...")
}
