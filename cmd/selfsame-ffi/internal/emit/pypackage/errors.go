package pypackage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// exception is a kind of errors that gets an exception class in the module.
type exception = member[model.ErrorKind]

// errorKinds chooses the names of the exception classes for the package's own kinds of errors, such as shop.SoldOut. Kinds
// of other packages, and Python's own exceptions, have their classes elsewhere.
func (w *writer) errorKinds() ([]exception, error) {
	return owned(w, w.module.Content.Errors, func(e model.ErrorKind) string { return e.Kind })
}

// errors writes the exception classes. One for which the module has a function NAME_of, which returns the object behind an exception,
// has the fields and properties of that object.
func (w *writer) errors(kinds []exception, globals []global) {
	for _, e := range kinds {
		doc := cmp.Or(strings.TrimSpace(e.value.Doc), fmt.Sprintf("An error of the kind %s.", e.value.Kind))
		w.line(0, "")
		w.line(0, "")
		w.line(0, "@_ffi.register_error(%s)", quote(e.value.Kind))
		bases := w.types.builtin("RuntimeError")
		if base := e.value.Base; base != "" && base != "RuntimeError" {
			bases = w.types.builtin(base) + ", " + bases
		}
		w.line(0, "class %s(%s):", e.id, bases)
		w.docstring(1, doc)
		w.details(e, globals)
	}
}

// attributesOfExceptions are names that exceptions have anyway.
var attributesOfExceptions = []string{"args", "with_traceback", "add_note"}

// details writes the properties of an exception.
func (w *writer) details(e exception, globals []global) {
	classes := w.module.Content.Classes
	name := naming.Snake(e.id) + "_of"
	at := slices.IndexFunc(globals, func(g global) bool { return g.id == name })
	if at < 0 || len(globals[at].value.Args) != 1 {
		return
	}
	result := globals[at].value.Result
	for (result.Type == "Optional" || result.Type == "go.Pointer") && len(result.Args) == 1 {
		result = result.Args[0]
	}
	class := slices.IndexFunc(classes, func(c model.Class) bool { return c.Key == result.Type })
	if class < 0 {
		return
	}
	var members []model.Field
	for _, m := range classes[class].Methods {
		if m.Property != "" && m.Name == m.Property && len(m.Args) == 0 {
			members = append(members, model.Field{Name: m.Name, Doc: m.Doc, Type: m.Result})
		}
	}
	var kept []string
	w.types.hidden = map[string]bool{}
	defer func() { w.types.hidden = nil }()
	for _, f := range append(slices.Clone(classes[class].Fields), members...) {
		if identifier(f.Name) != f.Name || strings.HasPrefix(f.Name, "_") || slices.Contains(attributesOfExceptions, f.Name) {
			continue
		}
		w.line(0, "")
		w.line(1, "@%s", w.types.builtin("property"))
		w.line(1, "def %s(self) -> %s:", f.Name, w.types.result(f.Type))
		w.docstring(2, f.Doc)
		w.line(2, "details = %s(self)", name)
		w.line(2, "if details is not None:")
		w.line(3, "return details.%s", f.Name)
		w.line(2, "if %s not in self.__dict__.get(\"_go_fields\", ()):", quote(f.Name))
		w.line(3, "raise %s(%s)", w.types.builtin("AttributeError"), quote(fmt.Sprintf("%s: the exception comes from no error of Go", f.Name)))
		w.line(2, "kept: %s = self.__dict__[\"_go_fields\"][%s]", w.types.result(f.Type), quote(f.Name))
		w.line(2, "return kept")
		kept, w.types.hidden[f.Name] = append(kept, quote(f.Name)), true
	}
	if len(kept) == 0 {
		return
	}
	w.line(0, "")
	b := w.types.builtin
	w.line(1, "def __reduce__(self) -> %s[_typing.Any, ...]:", b("tuple"))
	w.line(2, "details = %s(self)", name)
	w.line(2, "if details is None:")
	w.line(3, "return %s(self), self.args, self.__dict__", b("type"))
	w.line(2, "fields = {name: %s(details, name) for name in (%s,)}", b("getattr"), strings.Join(kept, ", "))
	w.line(2, "return %s(self), self.args, {**self.__dict__, \"_go_fields\": fields}", b("type"))
}
