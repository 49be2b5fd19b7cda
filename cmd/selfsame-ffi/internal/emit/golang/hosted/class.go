package hosted

import (
	"fmt"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pymodule"
)

func (w *writer) class(c *pymodule.Class) {
	name := w.handle(c.Name)
	base := "python.Object"
	if len(c.Bases) > 0 {
		base = w.handle(c.Bases[0])
	}
	w.Comment(fmt.Sprintf("%s is a handle of an object of the Python class %s.", name, c.Name), c.Doc)
	w.Printf("type %s struct{ %s }\n\n", name, base)
	w.makers(c, name)
	w.signatures = nil // from here on those of the class's own methods
	members := newMembers()
	members[base[strings.LastIndex(base, ".")+1:]] = true
	for i := range c.Properties {
		p := &c.Properties[i]
		w.property(&attribute{owner: name, receiver: "o", of: p, shown: c.Name + "." + p.Name, item: c.Kind == "typeddict"}, members)
	}
	for i := range c.Methods {
		f := &c.Methods[i]
		w.function(&call{owner: name, receiver: "o", on: "o.Object", f: f, shown: c.Name + "." + f.Name}, members)
	}
	w.syntax(c, name, members)
	if w.protocols[c.Name] {
		w.protocol(c, name)
	}
}

// makers writes what makes objects of a class, and its members that need no object: methods of Module.
func (w *writer) makers(c *pymodule.Class, name string) {
	if c.Init != nil {
		init := *c.Init
		init.Name, init.Result = c.Name, pymodule.Type{Kind: "class", Text: c.Name}
		made := &call{owner: "Module", receiver: "m", on: "m.Object", f: &init, shown: c.Name, as: "New" + name}
		made.isDict = c.Kind == "typeddict"
		w.function(made, w.module)
	}
	if !c.Exists {
		return
	}
	for i := range c.Statics {
		f := &c.Statics[i]
		w.function(&call{owner: "Module", receiver: "m", on: "class", of: c.Name, f: f, shown: c.Name + "." + f.Name, as: name + exported(f.Name)}, w.module)
	}
	for _, member := range c.Members {
		made := unused(w.module, name+exported(member))
		w.Comment(fmt.Sprintf("%s returns the member %s of the enum %s. It is one handle, so members compare with ==.", made, member, c.Name), "")
		w.Printf("func (m *Module) %s() (*%s, error) {\n\tclass, err := m.Object.Attr(%q)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n"+
			"\treturn python.Cast[%s](class.Attr(%q))\n}\n\n", made, name, c.Name, name, member)
		w.coverage.Typed++
	}
}

// syntax writes the methods that stand for Python's syntax, where their types are known: those of python.Object have none.
func (w *writer) syntax(c *pymodule.Class, name string, members map[string]bool) {
	if c.Iterates != nil && !members["All"] {
		if of := w.element(c.Iterates); of != "" && of != "any" {
			w.Import("iter", "iter")
			w.Comment(fmt.Sprintf("All iterates over the %s, as Python's for does. An error ends the loop.", c.Name), "")
			w.Printf("func (o *%s) All() iter.Seq2[%s, error] {\n\treturn python.Iterate[%s](&o.Object, nil)\n}\n\n", name, of, of)
		}
	}
	if c.Enters != nil && !members["With"] {
		t, _ := w.result(c.Enters, &[]string{})
		w.Comment("With runs body as the body of a with statement, as that of python.Object does, with what __enter__ returns.", "")
		w.Printf("func (o *%s) With(body func(entered %s) error) error {\n\treturn python.With(body)(&o.Object, nil)\n}\n\n", name, t)
	}
	if c.Item != nil && !members["Item"] {
		reasons := []string{}
		key := w.param(&c.Item.Params[0].Type, &reasons)
		t, result := w.result(&c.Item.Result, &reasons)
		if len(reasons) == 0 {
			w.Comment("Item returns the item of a key: o[key] in Python.", "")
			w.Printf("func (o *%s) Item(key %s) (%s, error) {\n\treturn "+result+"\n}\n\n", name, key, t, "o.Object.Item(key)")
		}
	}
}

// attribute is an attribute of the module or of a class, or an item of a TypedDict.
type attribute struct {
	owner, receiver string
	of              *pymodule.Property
	shown           string
	item            bool
}

func (w *writer) property(a *attribute, members map[string]bool) {
	p, verb, what := a.of, "Attr", "attribute"
	if a.item {
		verb, what = "Item", "item"
	}
	name := unused(members, exported(p.Name))
	reasons := &[]string{}
	t, result := w.result(&p.Type, reasons)
	w.Comment(fmt.Sprintf("%s returns the %s %s.", name, what, p.Name), p.Doc)
	w.Printf("func (%s *%s) %s() (%s, error) {\n\treturn %s\n}\n\n", a.receiver, a.owner, name, t,
		fmt.Sprintf(result, fmt.Sprintf("%s.Object.%s(%q)", a.receiver, verb, p.Name)))
	w.signatures = append(w.signatures, signature{name: name, python: p.Name, text: fmt.Sprintf("() (%s, error)", t), isProperty: true})
	if p.Settable {
		set := unused(members, "Set"+exported(p.Name))
		w.Comment(fmt.Sprintf("%s sets the %s %s.", set, what, p.Name), "")
		value := "value"
		goType := w.param(&p.Type, reasons)
		if as := w.implements(&p.Type); as != "" {
			value = as + "(value)"
		}
		w.Printf("func (%s *%s) %s(value %s) error {\n\treturn %s.Object.Set%s(%q, %s)\n}\n\n", a.receiver, a.owner, set, goType, a.receiver, verb, p.Name, value)
	}
	w.count(a.shown, *reasons)
}
