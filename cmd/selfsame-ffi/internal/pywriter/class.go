package pywriter

import (
	"fmt"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// alias is a member whose registered name no Python source can write.
type alias struct{ id, registered string }

// class writes one class. The members come from reflection when the class is registered; what stands here is their
// types and docs, which a type checker and a reader see.
func (w *writer) class(c model.Class) error {
	name := w.types.classes[c.Key]
	scope := newScope("the class " + name)
	fields, methods, aliases, err := members(scope, c)
	if err != nil {
		return err
	}
	w.types.hidden = map[string]bool{}
	for _, builtin := range plain {
		if _, ok := scope.taken[builtin]; ok {
			w.types.hidden[builtin] = true
		}
	}
	defer func() { w.types.hidden = nil }()

	if err := w.header(c, name); err != nil {
		return err
	}
	empty := true
	if c.Doc != "" {
		w.docstring(1, c.Doc)
		empty = false
	}
	if w.module.Lean {
		w.spaced(&empty)
		w.line(1, "__slots__ = ()")
	}
	var readOnly []member[model.Field]
	for _, f := range fields {
		if !f.value.Writable {
			readOnly = append(readOnly, f)
			continue
		}
		w.spaced(&empty)
		w.line(1, "%s: %s", f.id, w.types.result(f.value.Type))
		if f.value.Doc != "" {
			w.docstring(1, f.value.Doc)
		}
	}
	enumMembers := w.memberNames(c, scope)
	if w.module.enumBase(c) != "" && w.module.Runtime == Selfsame && !scope.has("name") {
		w.nameProperty(&empty)
	}
	value := w.enumValue(c, scope)
	if c.Init != nil || len(readOnly)+len(methods)+len(enumMembers) > 0 || value != "" {
		w.spaced(&empty)
		w.line(1, "if _typing.TYPE_CHECKING:")
		w.enumStubs(name, enumMembers, value)
		if c.Init != nil {
			w.line(0, "")
			w.define(2, "__init__", *c.Init, ofObjects)
		}
		for _, f := range readOnly {
			w.line(0, "")
			w.line(2, "@property")
			w.define(2, f.id, model.Function{Typed: true, Result: f.value.Type, Doc: f.value.Doc}, ofObjects)
		}
		for _, m := range methods {
			w.line(0, "")
			before := ofObjects
			if m.value.Static {
				w.line(2, "@staticmethod")
				before = ofClasses
			}
			w.define(2, m.id, m.value, before)
		}
	}
	if w.module.isEnum(c) && w.module.Runtime == TvmFFI {
		w.enumFields(readOnly)
	}
	if empty {
		w.line(1, "pass")
	}
	if w.module.Runtime == TvmFFI {
		w.keywords(c, name)
	}
	if len(enumMembers) > 0 && w.module.Runtime == TvmFFI {
		w.line(0, "")
		w.line(0, "")
		w.line(0, "_members(%s)", name)
	}
	if len(aliases) > 0 {
		w.line(0, "")
		w.line(0, "")
		for _, a := range aliases {
			w.line(0, "setattr(%s, %s, vars(%s)[%s])", name, quote(a.id), name, quote(a.registered))
		}
	}
	return nil
}

// spaced puts an empty line before all but the first thing in a class body.
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

// members names the fields and methods of a class. Only the first of several methods with one name counts, as in a call.
func members(scope *scope, c model.Class) ([]member[model.Field], []member[model.Function], []alias, error) {
	var fields []member[model.Field]
	var methods []member[model.Function]
	var aliases []alias
	take := func(registered string) (string, error) {
		id := identifier(registered)
		if id != registered {
			aliases = append(aliases, alias{id, registered})
		}
		return id, scope.take(id, fmt.Sprintf("%s.%s", c.Key, registered))
	}
	for _, f := range c.Fields {
		id, err := take(f.Name)
		if err != nil {
			return nil, nil, nil, err
		}
		fields = append(fields, member[model.Field]{id, f})
	}
	seen := map[string]bool{}
	for _, m := range c.Methods {
		if seen[m.Name] || strings.HasPrefix(m.Name, "__") {
			continue
		}
		seen[m.Name] = true
		id, err := take(m.Name)
		if err != nil {
			return nil, nil, nil, err
		}
		methods = append(methods, member[model.Function]{id, m})
	}
	return fields, methods, aliases, nil
}
