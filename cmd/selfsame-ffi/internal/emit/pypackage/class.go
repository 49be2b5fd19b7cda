package pypackage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// alias is a member whose registered name is no Python identifier.
type alias struct{ id, registered string }

// classMembers are the members of one class under their Python names.
type classMembers struct {
	scope    *model.Scope
	writable []member[model.Field]
	readOnly []member[model.Field]
	methods  []member[model.Function]
	enum     []string // the enum members that are attributes of the class
	value    string   // the type of an enum's values; empty: no stub for them
	aliases  []alias
}

// class writes one class. At run time the members come from reflection, when the class is registered; the text gives
// their types and docs to type checkers and readers.
func (w *writer) class(c model.Class) error {
	name := w.types.classes[c.Key]
	if c.Enum != nil { // it has what enums have, and the methods
		c.Init = nil
		c.Methods = slices.DeleteFunc(slices.Clone(c.Methods), func(f model.Function) bool {
			return strings.HasPrefix(f.Name, "__") && f.Name != "__str__"
		})
	}
	m, err := w.module.nameMembers(c, model.NewScope("the class "+name))
	if err != nil {
		return err
	}
	w.types.hidden = hiddenBuiltins(c, m.scope)
	w.types.implemented, w.types.items = w.implemented[c.Key], c.Items != nil || c.Abstract != "" || isSequence(c)
	defer func() { w.types.hidden, w.types.implemented, w.types.items = nil, false, false }()
	m.enum = w.memberNames(c, m.scope)
	m.value = w.enumValue(c, m.scope)

	if err := w.header(c, name); err != nil {
		return err
	}
	delete(w.later, name)
	w.classBody(c, name, m)
	if w.module.Runtime == TvmFFI {
		w.keywords(c, name)
		if len(m.enum) > 0 {
			w.line(0, "")
			w.line(0, "")
			w.line(0, "_members(%s)", name)
		}
	}
	if len(m.aliases) > 0 {
		w.line(0, "")
		w.line(0, "")
		for _, a := range m.aliases {
			w.line(0, "%s(%s, %s, %s(%s)[%s])", w.types.builtin("setattr"), name, quote(a.id), w.types.builtin("vars"), name, quote(a.registered))
		}
	}
	return nil
}

// hiddenBuiltins returns the builtin types whose name is a name in the class, a property's among them.
func hiddenBuiltins(c model.Class, scope *model.Scope) map[string]bool {
	hidden := map[string]bool{}
	for _, builtin := range writtenBuiltins {
		if scope.Has(builtin) || slices.ContainsFunc(c.Methods, func(f model.Function) bool { return f.Property == builtin }) {
			hidden[builtin] = true
		}
	}
	return hidden
}

// header writes the decorator and the first line of a class.
func (w *writer) header(c model.Class, name string) error {
	parent := w.types.classes[c.Parent]
	if parent == "" {
		parent = w.base(c)
	}
	w.line(0, "")
	w.line(0, "")
	switch {
	case c.Enum != nil:
		w.line(0, "@_ffi.constants(%s)", quote(c.Key))
		parent = "_ffi." + c.Enum.Base
	case w.module.Runtime == Selfsame:
		w.line(0, "@_ffi.register_object(%s, shared=True)", quote(c.Key))
	case w.module.isEnum(c):
		if base := w.module.enumBase(c); base != "" {
			parent = "_ffi.dataclasses." + base
		}
		w.line(0, "class %s(%s, type_key=%s):", name, parent, quote(c.Key))
		return nil
	case inGo(c):
		w.line(0, "@_register(%s)", quote(c.Key))
	default:
		if err := checkFieldNames(c); err != nil {
			return err
		}
		w.line(0, "@_ffi.register_object(%s)", quote(c.Key))
	}
	w.line(0, "class %s(%s):", name, parent)
	return nil
}

// classBody writes the indented part of a class.
func (w *writer) classBody(c model.Class, name string, m *classMembers) {
	empty := !w.docstring(1, c.Doc)
	w.ofSubmodule(name, &empty)
	if c.Enum != nil {
		w.constants(&empty, c.Enum)
	}
	switch {
	case c.Enum != nil:
	case c.Dynamic && w.module.Runtime == TvmFFI && !w.module.dynamicAbove(c) && !w.module.isEnum(c):
		w.spaced(&empty)
		w.line(1, `__slots__ = ("__dict__",)`)
	case !c.Dynamic && w.module.Runtime == Selfsame: // tvm_ffi adds it by itself
		w.spaced(&empty)
		w.line(1, "__slots__ = ()")
	}
	for _, f := range m.writable {
		w.spaced(&empty)
		w.line(1, "%s: %s", f.id, w.types.result(f.value.Type))
		w.docstring(1, f.value.Doc)
	}
	if w.module.enumBase(c) != "" && w.module.Runtime == Selfsame && !m.scope.Has("name") {
		w.nameProperty(&empty)
	}
	if c.Init != nil || len(m.readOnly)+len(m.methods)+len(m.enum)+len(c.Operators) > 0 || m.value != "" {
		w.spaced(&empty)
		w.classStubs(c, name, m)
	}
	if w.module.isEnum(c) && w.module.Runtime == TvmFFI {
		w.enumFields(m.readOnly)
	}
	if empty {
		w.line(1, "pass")
	}
	w.leftOut(c)
}

// ofSubmodule writes where users find a class that the module has under a private name.
func (w *writer) ofSubmodule(private string, empty *bool) {
	if of, name := w.foundIn(private); of != "" {
		w.spaced(empty)
		w.line(1, "__module__, __qualname__ = f\"{__name__}.%s\", %s", of, quote(name))
	}
}

// foundIn returns in which submodule users find a class or a dataclass of a private name, and what it is called there; "" for none.
func (w *writer) foundIn(private string) (of, name string) {
	of, name, found := strings.Cut(strings.TrimPrefix(private, "_"), "_")
	for found && !w.module.hasSubmodule(of) { // its name may have underscores
		var more string
		more, name, found = strings.Cut(name, "_")
		of += "_" + more
	}
	if !found || !strings.HasPrefix(private, "_") {
		return "", ""
	}
	return of, name
}

// dynamicAbove says whether a class of this package that c derives from has dynamic attributes, which c inherits.
func (m *Module) dynamicAbove(c model.Class) bool {
	for _, parent := range m.Content.Classes {
		if parent.Key == c.Parent {
			return parent.Dynamic || m.dynamicAbove(parent)
		}
	}
	return false
}

// classStubs writes the members that exist for type checkers only: at run time registration adds them to the class.
func (w *writer) classStubs(c model.Class, name string, m *classMembers) {
	w.line(1, "if _typing.TYPE_CHECKING:")
	begin := w.Len()
	w.enumStubs(name, m.enum, m.value)
	if c.Init != nil {
		w.line(0, "")
		w.define(2, "__init__", ofElements(c), ofObjects)
	}
	for _, f := range m.readOnly {
		w.line(0, "")
		w.line(2, "@%s", w.types.builtin("property"))
		w.define(2, f.id, model.Function{Typed: true, Result: f.value.Type, Doc: f.value.Doc}, ofObjects)
	}
	for _, f := range m.methods {
		w.line(0, "")
		before := ofObjects
		if f.value.Static {
			w.line(2, "@%s", w.types.builtin("staticmethod"))
			before = ofClasses
		}
		w.define(2, f.id, f.value, before)
	}
	if w.module.Runtime == Selfsame {
		w.properties(c)
		w.specialMethods(c, name)
	}
	if w.Len() == begin {
		w.line(2, "pass")
	}
}

// spaced writes an empty line, except before the first member of a class body.
func (w *writer) spaced(empty *bool) {
	if !*empty {
		w.line(0, "")
	}
	*empty = false
}

type member[T any] struct {
	id    string
	value T
}

// nameMembers chooses the Python names of the fields and methods of a class. When several methods have one name it
// takes the first, as a call does. On our runtime the methods of a property are a property. A class of somebody else's
// may have a field and a method of one name: the attribute is the field.
func (module *Module) nameMembers(c model.Class, scope *model.Scope) (*classMembers, error) {
	m := &classMembers{scope: scope}
	take := func(registered string) (string, error) {
		id, err := module.take(scope, identifier(registered), fmt.Sprintf("%s.%s", c.Key, registered))
		if id != registered {
			m.aliases = append(m.aliases, alias{id, registered})
		}
		return id, err
	}
	fields := map[string]bool{}
	for _, f := range c.Fields {
		fields[f.Name] = true
		if hook(f.Name) {
			continue
		}
		id, err := take(f.Name)
		if err != nil {
			return nil, err
		}
		if f.Writable {
			m.writable = append(m.writable, member[model.Field]{id, f})
		} else {
			m.readOnly = append(m.readOnly, member[model.Field]{id, f})
		}
	}
	for _, f := range c.NamedMethods() {
		if f.Property != "" && module.Runtime == Selfsame || module.Foreign != nil && fields[f.Name] {
			continue
		}
		id, err := take(f.Name)
		if err != nil {
			return nil, err
		}
		m.methods = append(m.methods, member[model.Function]{id, f})
	}
	return m, nil
}
