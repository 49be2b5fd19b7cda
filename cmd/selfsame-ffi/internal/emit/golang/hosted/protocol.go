package hosted

import (
	"fmt"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pymodule"
)

// signature is a method of a class as it was written.
type signature struct {
	name, python, text string
	isProperty         bool
}

// protocol writes the Go interface of a Python protocol, and what makes an object for Python of a Go value that implements it.
// Methods with options are no part of it: Python could not give them.
func (w *writer) protocol(c *pymodule.Class, handle string) {
	name := w.types[c.Name]
	w.Comment(fmt.Sprintf("%s is the Python protocol %s. Handles of objects implement it, and so may any Go type: Python then calls that.", name, c.Name), c.Doc)
	w.Printf("type %s interface {\n", name)
	var methods, properties []string
	for _, s := range w.signatures {
		if strings.Contains(s.text, "options ...") || strings.Contains(s.text, "args []any") || strings.Contains(s.text, "iter.Seq2") ||
			strings.Contains(s.text, "ctx context.Context") || strings.Contains(s.text, "body func(") {
			continue
		}
		w.Printf("\t%s%s\n", s.name, s.text)
		member := fmt.Sprintf("%q: of.%s", s.python, s.name)
		if s.isProperty {
			properties = append(properties, member)
		} else {
			methods = append(methods, member)
		}
	}
	w.Printf("}\n\nvar _ %s = (*%s)(nil)\n\n", name, handle)
	w.Printf("func as%s(of %s) any {\n\treturn python.Implementing(%q, of, func() (methods, properties map[string]any) {\n"+
		"\t\treturn map[string]any{%s}, map[string]any{%s}\n\t})\n}\n\n", name, name, c.Name, strings.Join(methods, ", "), strings.Join(properties, ", "))
}

// implements returns the func that makes what Python gets for a parameter of a protocol; "" for other parameters.
func (w *writer) implements(t *pymodule.Type) string {
	if t.Kind == "optional" {
		t = &t.Of[0]
	}
	if t.Kind == "class" && w.protocols[t.Text] {
		return "as" + w.types[t.Text]
	}
	return ""
}
