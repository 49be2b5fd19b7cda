package client

import (
	"fmt"
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// initName is the registered name of a constructor.
const initName = "__ffi_init__"

// class writes a class: its type, its variable, constructor, members, fields and methods.
func (w *writer) class(c *class) {
	w.in(c.Key)
	embedded := "gen.ObjectHandle"
	if c.parent != nil {
		embedded = c.parent.id
	}
	w.out.Comment(fmt.Sprintf("%s is a handle of an object of class `%s`.", c.id, c.Key), c.Doc)
	w.line("type %s struct{ %s }", c.id, embedded)
	w.line("")
	variable := w.names.take(c.id + "Class")
	w.line("// %s is the class of [%s].", variable, c.id)
	w.line("var %s = gen.Declare[%s](%s)", variable, c.id, escape.GoString(c.Key))
	w.line("")
	w.object(c)
	if c.Init != nil {
		w.constructor(c)
	}
	for _, m := range c.Members {
		id := w.names.take(c.id + exported(m.Name))
		w.out.Comment(fmt.Sprintf("%s returns the member %s, %d.", id, escape.GoString(m.Name), m.Number), "")
		w.line("func %s() (*%s, error) { return %s.Member(%s) }", id, c.id, variable, escape.GoString(m.Name))
		w.line("")
	}
	taken := newScope(slices.Concat(handleMethods, reservedMethods)...)
	for p := c; p != nil; p = p.parent {
		taken.taken[p.id] = true
	}
	for _, f := range c.Fields {
		w.field(c, f, taken)
	}
	seen := map[string]bool{initName: true}
	for _, m := range c.Methods {
		if seen[m.Name] { // the first of a name is the one that calls find
			continue
		}
		seen[m.Name] = true
		w.method(c, m, taken)
	}
}

// constructor writes the func that makes an object.
func (w *writer) constructor(c *class) {
	f := *c.Init
	f.Name = initName
	f.Result = model.Schema{Type: c.Key}
	id := w.names.take("New" + c.id)
	w.write(&callable{
		Function: f, id: id, variable: w.variable(callPrefix + id),
		find:  fmt.Sprintf("gen.ConstructorOf[%%s](%s)", escape.GoString(c.Key)),
		first: fmt.Sprintf("%s makes an object of class `%s`.", id, c.Key),
	})
}

// field writes the funcs that read and set a field.
func (w *writer) field(c *class, f model.Field, taken *scope) {
	id := taken.take(exported(f.Name))
	variable := w.variable(fieldPrefix + c.id + id)
	t := w.goType(f.Type, isResult)
	w.line("var %s = gen.AccessorOf[%s](%s, %s)", variable, t, escape.GoString(c.Key), escape.GoString(f.Name))
	w.line("")
	w.out.Comment(fmt.Sprintf("%s returns the field `%s`. It panics when the library is not loaded or h was released.", id, f.Name), f.Doc)
	w.line("func (h *%s) %s() %s { return %s.MustGet(h) }", c.id, id, t, variable)
	w.line("")
	if f.Writable {
		set := taken.take("Set" + id)
		w.out.Comment(fmt.Sprintf("%s sets the field `%s`.", set, f.Name), "")
		w.line("func (h *%s) %s(value %s) error { return %s.Set(h, value) }", c.id, set, t, variable)
		w.line("")
	}
}

// method writes a method, or a static method as a func of the package.
func (w *writer) method(c *class, m model.Function, taken *scope) {
	f := &callable{Function: m, find: fmt.Sprintf("gen.MethodOf[%%s](%s, %s)", escape.GoString(c.Key), escape.GoString(m.Name))}
	if m.Static {
		f.id = w.names.take(c.id + exported(m.Name))
		f.first = fmt.Sprintf("%s calls the static method `%s` of class `%s`.", f.id, m.Name, c.Key)
		f.variable = w.variable(callPrefix + f.id)
	} else {
		f.id = taken.take(exported(m.Name))
		f.receiver = "*" + c.id
		f.first = fmt.Sprintf("%s calls the method `%s`.", f.id, m.Name)
		f.variable = w.variable(callPrefix + c.id + f.id)
	}
	w.write(f)
}

// variable takes the name of a package variable.
func (w *writer) variable(name string) string { return w.names.take(name) }

// global writes a global function, or a function of the library's module.
func (w *writer) global(f *function) {
	local := exported(w.local(f.Name))
	f.id = w.names.take(local, local+"Func")
	c := &callable{Function: f.Function, id: f.id, variable: w.variable(callPrefix + f.id)}
	if f.Module {
		w.in(w.library.Name)
		c.find = fmt.Sprintf("gen.ExportOf[%%s](library, %s)", escape.GoString(f.Name))
		c.first = fmt.Sprintf("%s calls the function `%s` of the library.", f.id, f.Name)
	} else {
		w.in(f.Name)
		c.find = fmt.Sprintf("gen.GlobalOf[%%s](%s)", escape.GoString(f.Name))
		c.first = fmt.Sprintf("%s calls the global function `%s`.", f.id, f.Name)
	}
	w.write(c)
}
