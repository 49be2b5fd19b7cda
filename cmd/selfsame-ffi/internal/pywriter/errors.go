package pywriter

import (
	"cmp"
	"fmt"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// exception is a kind of errors that gets an exception class in the module.
type exception = member[model.ErrorKind]

// errorKinds chooses the names of the exception classes for the package's own kinds of errors, such as shop.SoldOut. Kinds
// of other packages, and Python's own exceptions, have their classes elsewhere.
func (w *writer) errorKinds() ([]exception, error) {
	return owned(w, w.module.Content.Errors, func(e model.ErrorKind) string { return e.Kind })
}

// errors writes the exception classes.
func (w *writer) errors(kinds []exception) {
	for _, e := range kinds {
		doc := cmp.Or(e.value.Doc, fmt.Sprintf("An error of the kind %s.", e.value.Kind))
		w.line(0, "")
		w.line(0, "")
		w.line(0, "@_ffi.register_error(%s)", quote(e.value.Kind))
		w.line(0, "class %s(RuntimeError):", e.id)
		w.docstring(1, doc)
	}
}
