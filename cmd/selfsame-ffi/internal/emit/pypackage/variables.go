package pypackage

import (
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// isVariable says whether a function gets or sets a variable of the module.
func isVariable(f model.Function) bool { return f.Property != "" }

// variables writes the package variables of Go as attributes of the module: declared for type checkers, and found when they are looked
// up at run time, because Go changes them.
func (w *writer) variables(variables []global) {
	if len(variables) == 0 {
		return
	}
	w.line(0, "")
	w.line(0, "if _typing.TYPE_CHECKING:")
	for _, v := range variables {
		w.line(1, "%s: %s", v.id, w.types.result(v.value.Result))
		w.docstring(1, v.value.Doc)
	}
	w.line(0, "else:")
	w.line(1, "_ffi.module_variables(")
	w.line(2, "__name__,")
	w.line(2, "{")
	for _, v := range variables {
		set := "None"
		if i := slices.IndexFunc(w.module.Content.Functions, func(f model.Function) bool {
			return isVariable(f) && len(f.Args) == 1 && f.Property == v.value.Property && w.module.Owns(f.Name)
		}); i >= 0 {
			set = quote(w.module.Content.Functions[i].Name)
		}
		w.line(3, "%s: (%s, %s, %s),", quote(v.id), quote(v.value.Name), set, quote(notice(v.value.Doc)))
	}
	w.line(2, "},")
	w.line(1, ")")
}
