package pywriter

import (
	"fmt"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// exception is a kind of errors that gets an exception class in the module.
type exception struct {
	id string
	model.ErrorKind
}

// errorKinds chooses the names of the exception classes for the package's own kinds of errors, such as shop.SoldOut. Kinds
// of other packages, and Python's own exceptions, have their classes elsewhere.
func (w *writer) errorKinds() ([]exception, error) {
	var kinds []exception
	for _, e := range w.module.Content.Errors {
		if !w.module.Owns(e.Kind) {
			continue
		}
		id := w.module.moduleName(e.Kind)
		if err := w.scope.take(id, e.Kind); err != nil {
			return nil, err
		}
		kinds = append(kinds, exception{id, e})
	}
	return kinds, nil
}

// errors writes the exception classes.
func (w *writer) errors(kinds []exception) {
	for _, e := range kinds {
		doc := e.Doc
		if doc == "" {
			doc = fmt.Sprintf("An error of the kind %s.", e.Kind)
		}
		w.line(0, "")
		w.line(0, "")
		w.line(0, "@_ffi.register_error(%s)", quote(e.Kind))
		w.line(0, "class %s(RuntimeError):", e.id)
		w.docstring(1, doc)
	}
}
