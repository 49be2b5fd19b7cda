package pypackage

import (
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// enumBases are the builtin bases of enums, by type key: the stock package's class for each, and the Python type of a
// member's value.
var enumBases = map[string]struct{ class, value string }{
	"ffi.Enum":    {"Enum", ""},
	"ffi.IntEnum": {"IntEnum", "int"},
	"ffi.StrEnum": {"StrEnum", "str"},
}

// isEnum reports whether a class derives from a builtin base of enums, directly or through classes of the module.
func (m *Module) isEnum(c model.Class) bool {
	for {
		if m.enumBase(c) != "" {
			return true
		}
		i := slices.IndexFunc(m.Content.Classes, func(p model.Class) bool { return p.Key == c.Parent })
		if i < 0 {
			return false
		}
		c = m.Content.Classes[i]
	}
}

// enumBase returns the stock package's class that an enum derives from directly, "" for other classes.
func (m *Module) enumBase(c model.Class) string { return enumBases[c.Parent].class }

// enumNames are the attributes that an enum inherits from its base. A member with such a name is no attribute.
var enumNames = []string{"name", "value", "get", "all_entries", "attr_dict", "def_attr"}

// memberNames returns the members of an enum that are attributes of its class: those whose name is a Python identifier
// and is not taken by another attribute.
func (w *writer) memberNames(c model.Class, scope *model.Scope) []string {
	var names []string
	for _, member := range c.Members {
		if identifier(member.Name) == member.Name && !scope.Has(member.Name) && !slices.Contains(enumNames, member.Name) {
			names = append(names, member.Name)
		}
	}
	return names
}

// constants writes the members of an enum of constants.
func (w *writer) constants(empty *bool, e *model.Enum) {
	w.spaced(empty)
	for _, member := range e.Members {
		w.line(1, "%s = %s", member.Name, member.Value)
		w.docstring(1, member.Doc)
	}
}

// nameProperty writes the property `name` of an enum, which the stock package's base class has.
func (w *writer) nameProperty(empty *bool) {
	w.spaced(empty)
	w.line(1, "@property")
	w.line(1, "def name(self) -> %s:", w.types.builtin("str"))
	w.line(2, `"""The member's name."""`)
	w.line(2, "return self._str_index  # type: ignore[attr-defined,no-any-return]")
}

// enumValue returns the type of an enum's values, "" if the class needs no stub for them.
func (w *writer) enumValue(c model.Class, scope *model.Scope) string {
	value := enumBases[c.Parent].value
	if value == "" || scope.Has("value") || w.module.Runtime == TvmFFI {
		return ""
	}
	return w.types.builtin(value)
}

// enumStubs writes the declarations of an enum's members for type checkers.
func (w *writer) enumStubs(class string, members []string, value string) {
	if len(members) > 0 {
		w.line(0, "")
	}
	for _, member := range members {
		w.line(2, "%s: _typing.ClassVar[%s]", member, class)
	}
	if value == "" {
		return
	}
	w.line(0, "")
	w.line(2, "@property")
	w.line(2, "def value(self) -> %s:", value)
	w.line(3, `"""The member's value."""`)
	w.line(3, "...")
}

// enumFields annotates an enum's read-only fields for the stock package, which warns about fields without annotation.
func (w *writer) enumFields(readOnly []member[model.Field]) {
	var lines []string
	for _, f := range readOnly {
		if f.id == f.value.Name {
			lines = append(lines, f.id+": "+w.types.result(f.value.Type))
		}
	}
	if len(lines) == 0 {
		return
	}
	w.line(0, "")
	w.line(1, "else:")
	for _, line := range lines {
		w.line(2, "%s", line)
	}
}
